"""The commands of `pfb` put together, and the text that introduces them."""

from collections.abc import Mapping
from types import ModuleType
from typing import Annotated

import typer

from .. import __version__
from .commands import commit, deal, demo, odds, play, roads, schemes, verify

EXAMPLES = """\b
Start here:
  pfb demo                            see how it works, in ten rounds
  pfb play                            play ten rounds yourself
  pfb verify rounds.jsonl             verify records that you were given
  pfb odds --pay-table ez_baccarat    what every bet comes to

\b
Exit codes: 0 fine, 1 a verification failed, 2 a wrong command line or input.
"""

COMMANDS: Mapping[str, ModuleType] = {
    "demo": demo,
    "play": play,
    "verify": verify,
    "deal": deal,
    "commit": commit,
    "odds": odds,
    "roads": roads,
    "schemes": schemes,
}
"""The commands in the order of the help: each is the function of its module that has the module's name."""

app = typer.Typer(
    name="pfb",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    pretty_exceptions_show_locals=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


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


for _name, _module in COMMANDS.items():
    app.command(_name, epilog=_module.EXAMPLES)(getattr(_module, _name))
