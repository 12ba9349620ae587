"""What several commands take: each option read into its value at once, by the one function that knows its form."""

import re
from datetime import datetime
from typing import Annotated, NamedTuple

import typer

from ..errors import AmountError, BetError, SchemeError, Slip, describe, nearest
from ..fairness.chain import read_length
from ..fairness.hex_form import describe_secret
from ..fairness.inputs import parse_decks, parse_nonce
from ..fairness.schemes import SCHEMES, scheme_named
from ..fairness.schemes.pfb1 import PFB1, PFB1_SHOE
from ..rules.pay_table import PayTable
from ..rules.ready_tables import PAY_TABLES
from ..rules.settlement import MAX_AMOUNT
from .database import Database
from .failures import misused
from .files import read_pay_table
from .own_bets import OwnBets, read_own_bets

_DEALING = (PFB1.name, PFB1_SHOE.name)
_CURRENCY = re.compile(r"([A-Z][A-Z0-9]{0,15})/([0-9]|[12][0-9]|3[0-8])", re.ASCII)
_SMALLEST_UNITS = "whole numbers of the smallest currency unit: 5 dollars are 500 cents."
_COUNT = re.compile(r"([0-9]{1,20}|[0-9]{1,3}(?:_[0-9]{3}){1,6})(?:\.([0-9]{1,20}))?(?:[eE]\+?([0-9]{1,2}))?", re.ASCII)
_WHOLE_NUMBER = re.compile(r"0|[1-9][0-9]{0,38}", re.ASCII)


def read_decks(given: str | int) -> int:
    """Read a number of decks, or raise DecksError."""
    return parse_decks(_whole(given))


def read_nonce(given: str | int) -> int:
    """Read a nonce, or raise NonceError."""
    return parse_nonce(_whole(given))


def read_chain_length(given: str | int) -> int:
    """Read how many coups a seed chain serves, or raise ChainError."""
    return read_length(_whole(given))  # type: ignore[arg-type]  # read_length refuses what is not an int


def read_index(given: str | int) -> int:
    """Read the place of a coup in a shoe: a whole number from 0."""
    index = _whole(given)
    if isinstance(index, str):
        raise misused(f"--index is a whole number from 0, not {index!r}.")
    return index


def read_scheme(name: str) -> str:
    """Read the name of a scheme, or raise SchemeError."""
    return scheme_named(name).name


def read_dealing_scheme(name: str) -> str:
    """Read the name of a scheme that deals from a server seed alone, by our own protocol; or raise SchemeError."""
    if name not in _DEALING:
        slips = (Slip("verify_only", "The command line only verifies its rounds."),) if name in SCHEMES else nearest(name, _DEALING)
        raise SchemeError("scheme", " or ".join(_DEALING), describe(name), slips)
    return name


def read_bets(given: list[str] | None) -> dict[str, int]:
    """Read bets like `player=100` into stakes by name, in whole smallest currency units; or raise BetError.

    Whether a table offers the bets and takes the stakes is for settling to say.
    """
    stakes: dict[str, int] = {}
    for text in given or ():
        name, _, stake = text.partition("=")
        if not (name and _WHOLE_NUMBER.fullmatch(stake) and int(stake) <= MAX_AMOUNT):
            slip = Slip("bet_form", f"Stakes are {_SMALLEST_UNITS}")
            raise BetError("bet", "a name and a stake, like player=100", describe(text), (slip,))
        if name in stakes:
            raise BetError("bets", "each bet once", f"{describe(name)} a second time")
        stakes[name] = int(stake)
    return stakes


def read_amount(given: str | int) -> int:
    """Read an amount of money in whole smallest currency units, or raise AmountError."""
    if isinstance(given, int):
        return given
    if _WHOLE_NUMBER.fullmatch(given) and 1 <= int(given) <= MAX_AMOUNT:
        return int(given)
    slip = Slip("amount_form", f"Amounts are {_SMALLEST_UNITS}")
    raise AmountError("amount", "a whole number from 1 to 10^38 - 1", describe(given), (slip,))


def read_count(given: str | int) -> int:
    """Read how many of something: digits with or without `_` between them, and short forms like `1e9` and `2.5e6`, exactly."""
    if isinstance(given, int):
        return given
    match = _COUNT.fullmatch(given)
    if match is not None:
        whole, fraction, power = match[1].replace("_", ""), match[2] or "", int(match[3] or 0)
        count, rest = divmod(int(whole + fraction + "0" * power), int("1" + "0" * len(fraction)))
        if count and not rest:
            return count
    raise misused(f"{describe(given)} is no whole number from 1: write it like 1000000, 1_000_000 or 1e6.")


def read_signing_time(given: str | datetime) -> datetime:
    """Read a time in UTC in whole seconds, like `2027-01-01T00:00:00Z`."""
    if isinstance(given, datetime):
        return given
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z", given, re.ASCII):
        raise misused(f"--at is a time in UTC like 2027-01-01T00:00:00Z, not {describe(given)}.")
    try:
        return datetime.fromisoformat(given)
    except ValueError:
        raise misused(f"--at is a time that there is, not {describe(given)}.") from None


def read_entropy(given: str | bytes) -> bytes:
    """Read the entropy of a run from 64 lower-case hex digits."""
    if isinstance(given, bytes):
        return given
    if not re.fullmatch(r"[0-9a-f]{64}", given, re.ASCII):
        raise misused(f"--entropy is 64 lower-case hex digits, not {describe_secret(given)}.")
    return bytes.fromhex(given)


class CodeAndDecimals(NamedTuple):
    """A currency as a house has it: a pair that is one value on a command line."""

    code: str
    decimals: int


def read_currency(given: str | CodeAndDecimals) -> CodeAndDecimals:
    """Read a currency, like `USD/2`: its code and how many decimals it has."""
    if isinstance(given, CodeAndDecimals):
        return given
    match = _CURRENCY.fullmatch(given)
    if match is None:
        raise misused(f"A currency is its code and its number of decimals, like USD/2, not {describe(given)}.")
    return CodeAndDecimals(match[1], int(match[2]))


def _whole(given: str | int) -> str | int:
    """The number that a text spells in the one way; another text as it is, to be refused by whoever knows the limits."""
    if isinstance(given, str) and re.fullmatch(r"0[0-9]+", given, re.ASCII):
        raise misused(f"Write {describe(given)} without leading zeros.")
    return int(given) if isinstance(given, str) and _WHOLE_NUMBER.fullmatch(given) else given


def _table(given: str | PayTable) -> PayTable:
    return given if isinstance(given, PayTable) else read_pay_table(given)


Decks = Annotated[int, typer.Option(parser=read_decks, metavar="1-8", help="How many 52-card decks the shoe is made of.")]
Scheme = Annotated[
    str,
    typer.Option(
        parser=read_dealing_scheme, metavar="NAME", help="pfb1 deals every coup from a fresh shoe, pfb1-shoe deals a shoe through."
    ),
]
PayTableOption = Annotated[
    PayTable | None,
    typer.Option("--pay-table", parser=_table, metavar="NAME|FILE", help=f"{', '.join(PAY_TABLES)}, or a .toml or .json file."),
]
BetsOption = Annotated[
    OwnBets | None,
    typer.Option(
        "--bets",
        parser=read_own_bets,
        metavar="MODULE:NAME",
        help="The operator's own bets, like casino_bets:OWN: a list of Bet values in a module of Python, in the working folder or "
        "installed. This runs the module's code: name only one that you trust.",
        show_default=False,
    ),
]
Entropy = Annotated[
    bytes | None,
    typer.Option(
        parser=read_entropy,
        metavar="HEX",
        help="Where all seeds come from, 64 hex digits: the same ones give the same run.",
        show_default=False,
    ),
]
DatabaseOption = Annotated[
    Database,
    typer.Option(
        "--database",
        parser=lambda given: given if isinstance(given, Database) else Database.parse(given),
        envvar="PFB_DATABASE",
        metavar="URL",
        help="The house's database: sqlite:///path/to/house.db or postgresql://user@host/name.",
    ),
]
Amount = Annotated[int, typer.Argument(parser=read_amount, metavar="AMOUNT", help="In smallest currency units.", show_default=False)]
Bettor = Annotated[str, typer.Argument(metavar="BETTOR", help="The bettor's name in this house.", show_default=False)]
Pair = Annotated[str, typer.Argument(metavar="PAIR", help="The id of a seed pair, 32 hex digits.", show_default=False)]
KeyFile = Annotated[
    str, typer.Option(envvar="PFB_KEY_FILE", metavar="FILE", help="The vault's keys, in a file as `pfb house key` makes it.")
]
Key = Annotated[
    str, typer.Option(metavar="KEY", help="A name of your own for this request. Asked again with it, the house gives the same answer.")
]
Currency = Annotated[
    CodeAndDecimals | None,
    typer.Option(
        "--currency",
        parser=read_currency,
        envvar="PFB_CURRENCY",
        metavar="CODE/DECIMALS",
        help="The currency of the account, like USD/2; none unless given: a bettor has an account for each.",
        show_default=False,
    ),
]
SigningTime = Annotated[
    datetime | None,
    typer.Option(
        "--at", parser=read_signing_time, metavar="TIME", help="From when on the key signs, like 2027-01-01T00:00:00Z; now unless given."
    ),
]
Origin = Annotated[str, typer.Option(metavar="NAME", help="The log's name, like casino.example/log.", show_default=False)]
LogKeyFile = Annotated[str, typer.Option(metavar="FILE", help="The file with the log's private key.", show_default=False)]
LogFolder = Annotated[str, typer.Argument(metavar="FOLDER", help="The log's folder.", show_default=False)]
LogKey = Annotated[str, typer.Option(metavar="KEY", help="The log's public key, as pfb log key tells it.", show_default=False)]
LogFolderOption = Annotated[str | None, typer.Option("--log", metavar="FOLDER", help="The log's folder, or a mirror.", show_default=False)]
LogKeyOption = Annotated[str | None, typer.Option("--log-key", metavar="KEY", help="The log's public key.", show_default=False)]
Witnesses = Annotated[
    list[str] | None, typer.Option(metavar="KEY", help="The public key of a witness; may be repeated.", show_default=False)
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON; an error too, as well as its text on standard error.")]
