"""The commands of `pfb` put together, and the text that introduces them."""

from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Annotated, Any

import typer

from .. import __version__
from .commands import (
    audit,
    client_seed,
    commit,
    deal,
    demo,
    generate,
    odds,
    page,
    play,
    prove,
    roads,
    schemes,
    serve,
    simulate,
    verify,
    words,
)
from .commands.db import migrate, status
from .commands.house import (
    balance,
    books,
    choose,
    close,
    deposit,
    events,
    export,
    key,
    pairs,
    recall,
    recover,
    reseal,
    rotate,
    withdraw,
)
from .commands.house import commit as house_commit
from .commands.house import play as house_play
from .commands.house import verify as house_verify
from .commands.keys import jwks, new
from .commands.keys import rotate as rotate_keys
from .commands.log import key as log_key
from .commands.log import sequence
from .commands.log import verify as log_verify

EXAMPLES = """\b
Start here:
  pfb demo                            see how it works, in ten rounds
  pfb play                            play ten rounds yourself
  pfb client-seed COMMITMENT          make your client seed, for a bet elsewhere
  pfb verify rounds.jsonl             verify records that you were given
  pfb audit november/                 audit a month of rounds
  pfb odds --pay-table ez_baccarat    what every bet comes to
  pfb house                           how to run a house of your own

\b
Exit codes: 0 fine, 1 a verification failed, 2 a wrong command line or input.
"""

COMMANDS: Mapping[str, ModuleType] = {
    "demo": demo,
    "play": play,
    "client-seed": client_seed,
    "verify": verify,
    "prove": prove,
    "audit": audit,
    "deal": deal,
    "commit": commit,
    "odds": odds,
    "simulate": simulate,
    "words": words,
    "generate": generate,
    "roads": roads,
    "schemes": schemes,
    "page": page,
    "serve": serve,
}
"""The commands in the order of the help: each is the function of its module that has the command's name, with `_` for a hyphen."""

GROUPS: Mapping[str, Mapping[str, ModuleType]] = {
    "house": {
        "key": key,
        "commit": house_commit,
        "choose": choose,
        "deposit": deposit,
        "withdraw": withdraw,
        "balance": balance,
        "play": house_play,
        "pairs": pairs,
        "close": close,
        "rotate": rotate,
        "verify": house_verify,
        "books": books,
        "events": events,
        "recall": recall,
        "export": export,
        "recover": recover,
        "reseal": reseal,
    },
    "db": {"migrate": migrate, "status": status},
    "keys": {"new": new, "rotate": rotate_keys, "jwks": jwks},
    "log": {"key": log_key, "sequence": sequence, "verify": log_verify},
}
"""The commands that stand behind another word, in the same way."""

HOUSE_EXAMPLES = """\b
A house from its first day:
  export PFB_DATABASE=sqlite:///house.db PFB_KEY_FILE=house.keys
  pfb db migrate
  pfb house key house.keys
  pfb house deposit ann 100000 --key "deposit 1"
  pfb house commit ann
  pfb house choose PAIR --client-seed "lucky 8s"
  pfb house play PAIR --bet player=500 --key "bet 1"
  pfb house rotate PAIR
  pfb house verify PAIR
"""

KEYS_EXAMPLES = """\b
Examples:
  pfb keys new signing.keys
  pfb keys jwks signing.keys > jwks.json
  pfb keys rotate signing.keys --at 2027-01-01T00:00:00Z
"""

LOG_EXAMPLES = """\b
Examples:
  pfb log key --origin casino.example/log --log-key-file log.key
  pfb log sequence log/ --origin casino.example/log --log-key-file log.key
  pfb log verify log/ --log-key "$LOG_KEY"
"""

DB_EXAMPLES = """\b
Examples:
  pfb db migrate --database sqlite:///house.db
  pfb db status --database sqlite:///house.db
  pfb db status --database postgresql://owner@db.example/house --json
"""

_FORM: Mapping[str, Any] = {
    "add_completion": False,
    "rich_markup_mode": None,
    "pretty_exceptions_enable": False,
    "pretty_exceptions_show_locals": False,
    "context_settings": {"help_option_names": ["-h", "--help"]},
}

app = typer.Typer(name="pfb", **_FORM)


def name_called(words: Sequence[str]) -> str | None:
    """The name of the command that a command line is for, if it gets so far."""
    first, second = (*words, "", "")[:2]
    if first in GROUPS:
        return f"{first} {second}" if second in GROUPS[first] else first
    return first if first in COMMANDS else None


def _show_version(asked: bool) -> None:  # noqa: FBT001 (typer calls it so)
    if asked:
        typer.echo(f"pfb {__version__}")
        raise typer.Exit


@app.callback(epilog=EXAMPLES)
def pfb(
    *,
    version: Annotated[bool, typer.Option("--version", help="Show the version.", is_eager=True, callback=_show_version)] = False,
) -> None:
    """Provably fair baccarat: deal, settle, prove and verify.

    The house commits to a secret server seed, you choose a client seed, and both decide every card. When the house reveals its seed, anyone
    can deal the same rounds again.
    """


def house() -> None:
    """Run a house: seed pairs, bets and money in a database.

    For operators. The database, the vault's key file and the currency come from --database, --key-file and --currency, or from the
    environment: PFB_DATABASE, PFB_KEY_FILE and PFB_CURRENCY. With PFB_SIGNING_KEYS, a key file of `pfb keys new`, what the house says is
    signed; with PFB_LOG_PROMISE, seconds and a log's key, that is promised to that log. Everything is durable when a command ends.
    """


def db() -> None:
    """Make the tables of a house's database, and keep them current."""


def keys() -> None:
    """Make, rotate and publish an operator's signing keys."""


def log() -> None:
    """Keep the public log of what an operator signs, and check it."""


for _name, _module in COMMANDS.items():
    app.command(_name, epilog=_module.EXAMPLES)(getattr(_module, _name.replace("-", "_")))
for _group, _epilog in ((house, HOUSE_EXAMPLES), (db, DB_EXAMPLES), (keys, KEYS_EXAMPLES), (log, LOG_EXAMPLES)):
    _inner = typer.Typer(**_FORM)
    _inner.callback(epilog=_epilog)(_group)
    for _name, _module in GROUPS[_group.__name__].items():
        _inner.command(_name, epilog=_module.EXAMPLES)(getattr(_module, _name))
    app.add_typer(_inner, name=_group.__name__)
