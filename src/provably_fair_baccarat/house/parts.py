"""What a House is made of, looked at when it is made: a part of the wrong kind is refused here, and not in the middle of the first bet.

A part is never shown in an error, only its type: it may know passwords and keys.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from inspect import iscoroutinefunction
from typing import TYPE_CHECKING, Final, TypeVar

from ..errors import RequestError, Slip, describe, nearest
from ..rules.bets import CATALOGUE, Bet
from .limits import Limits
from .vault import Vault

if TYPE_CHECKING:
    from ..rules.pay_table import PayTable
    from .guards import BetGuard
    from .store import Store
    from .wallet import Wallet

_Part = TypeVar("_Part")

_STORE_METHODS: Final = ("add_pair", "take_bet", "settle_round", "pair", "close")
_WALLET_METHODS: Final = ("debit", "credit", "roll_back")


def read_store(store: Store, vault: Vault) -> Store:
    """An open store. Raises RequestError."""
    slips: tuple[Slip, ...] = ()
    if isinstance(store, (str, os.PathLike)):
        slips = (Slip("text_for_value", "Open it: SqliteStore(path), or PostgresStore(url)."),)
    elif isinstance(store, Vault) and _has(vault, _STORE_METHODS):
        slips = (Slip("parts_swapped", "Store and vault are in each other's place."),)
    return _with_methods(store, _STORE_METHODS, "store", "an open store, like SqliteStore", slips)


def read_vault(vault: Vault) -> Vault:
    """A vault. Raises RequestError."""
    if isinstance(vault, Vault):
        return vault
    slips: tuple[Slip, ...] = ()
    if isinstance(vault, (str, os.PathLike)):
        slips = (Slip("text_for_value", "Read its keys: Vault.from_key_file(path)."),)
    raise RequestError("vault", "a Vault", _kind(vault), slips)


def read_wallet(wallet: Wallet) -> Wallet:
    """An operator's own wallet. Raises RequestError, for methods that would have to be awaited too."""
    expected = "one with the methods debit, credit and roll_back"
    _with_methods(wallet, _WALLET_METHODS, "wallet", expected)
    for name in (*_WALLET_METHODS, "balance"):
        if iscoroutinefunction(getattr(wallet, name, None)):
            slip = Slip("awaited", "A wallet's methods are plain functions, which may wait: AsyncHouse calls them in a thread.")
            raise RequestError("wallet", expected, f"a method {name} that has to be awaited", (slip,))
    return wallet


def read_guards(guards: Iterable[BetGuard]) -> tuple[BetGuard, ...]:
    """Guards, each with its method `objection`. Raises RequestError."""
    each = _several(guards, "guards", "guards in a list", is_one=_has(guards, ("objection",)))
    return tuple(_with_methods(guard, ("objection",), "guard", "one with the method objection") for guard in each)


def read_own_bets(own_bets: Iterable[Bet]) -> tuple[Bet, ...]:
    """The operator's own bets. Raises RequestError."""
    each = _several(own_bets, "own_bets", "bets in a list", is_one=isinstance(own_bets, Bet))
    for bet in each:
        if not isinstance(bet, Bet):
            raise RequestError("own_bets", "values of type Bet", _kind(bet))
    return each


def read_limits(limits: Limits | None, pay_table: PayTable, own_bets: Iterable[Bet]) -> Limits:
    """Limits, whose bets are those of the pay table, of `own_bets` or of the catalogue: earlier pairs may offer any. Raises RequestError."""
    if limits is None:
        return Limits()
    if not isinstance(limits, Limits):
        slips = (Slip("limits_as_mapping", "Say Limits(max_stake=...)."),) if isinstance(limits, Mapping) else ()
        raise RequestError("limits", "Limits", _kind(limits), slips)
    known = dict.fromkeys([*pay_table.offers, *(bet.name for bet in own_bets), *CATALOGUE])
    for name in limits.per_bet:
        if name not in known:
            expected = f"a bet of the house, like {', '.join(pay_table.offers)}"
            raise RequestError("limits, per_bet", expected, describe(name), nearest(name, known))
    return limits


def read_function(function: _Part, subject: str) -> _Part:
    """Something to call. Raises RequestError."""
    if callable(function):
        return function
    raise RequestError(subject, "a function", _kind(function))


def _several(parts: Iterable[_Part], subject: str, expected: str, *, is_one: bool) -> tuple[_Part, ...]:
    if is_one or isinstance(parts, (str, bytes)) or not isinstance(parts, Iterable):
        slips = (Slip("one_for_several", "Put it into a list, even if there is only one."),) if is_one else ()
        raise RequestError(subject, expected, _kind(parts), slips)
    return tuple(parts)


def _with_methods(part: _Part, methods: tuple[str, ...], subject: str, expected: str, slips: tuple[Slip, ...] = ()) -> _Part:
    if _has(part, methods):
        return part
    raise RequestError(subject, expected, _kind(part), slips)


def _has(part: object, methods: tuple[str, ...]) -> bool:
    return not isinstance(part, type) and all(callable(getattr(part, method, None)) for method in methods)


def _kind(part: object) -> str:
    if isinstance(part, type):
        return f"the class {part.__name__} itself"
    return "None" if part is None else f"a value of type {type(part).__name__}"
