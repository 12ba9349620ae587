"""An operator's own bets, as a command line names them: a module of Python, and what in it they are called."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, cast

from ..errors import describe
from ..rules.pay_table import PayTable
from .failures import misused

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..rules.bets import Bet


@dataclass(frozen=True, slots=True)
class OwnBets:
    """The operator's own bets that somebody named."""

    bets: tuple[Bet, ...]


def named_bets(named: OwnBets | None) -> tuple[Bet, ...]:
    """The bets that somebody named; none unless."""
    return () if named is None else named.bets


def read_own_bets(given: str | OwnBets) -> OwnBets:
    """Import a module from the working folder, or an installed one, and read the bets that it has under a name.

    That runs the module. Raises a usage error where there is no such module or name, or what it names are no bets.
    """
    if isinstance(given, OwnBets):
        return given
    match = re.fullmatch(r"([^\W\d]\w*(?:\.[^\W\d]\w*)*):([^\W\d]\w*)", given)
    if match is None:
        raise misused(f"--bets is a module and a name in it, like casino_bets:OWN, not {describe(given)}.")
    module, name = match.groups()
    folder = str(Path.cwd())
    if folder not in sys.path:
        sys.path.insert(0, folder)
    try:
        named: object = getattr(import_module(module), name, None)
    except (Exception, SystemExit) as error:  # noqa: BLE001 (whatever the module does when it is run)
        raise misused(f"--bets: the module {module} could not be imported: {type(error).__name__}: {error}") from None
    if isinstance(named, PayTable):
        named = named.bets
    try:
        return OwnBets(PayTable(bets=cast("Iterable[Bet]", named)).bets)
    except Exception as error:  # noqa: BLE001 (whatever the module has under that name)
        raise misused(f"--bets: {module}:{name} is no list of Bet values: {error}") from None
