"""`pfb serve`: a table to look at in a browser, over a house with play money."""

import socket
from collections.abc import Generator
from contextlib import contextmanager
from ipaddress import ip_address
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from ..database import Database, open_store, open_vault
from ..failures import OK, misused
from ..screen import ERR, OUT, printable

if TYPE_CHECKING:
    from ...house import House, PostgresStore, SqliteStore, Vault

EXAMPLES = """\b
Examples:
  pfb serve
  pfb serve --port 0    on any port that is free
  pfb serve --folder casino    keeps the database and its key there
  pfb serve --database postgresql://backend@db.example/house --key-file house.keys
"""

_CURRENCY = ("USD", 2)
_MIN_STAKE, _MAX_STAKE = 100, 50_000


def serve(
    *,
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port to listen on; 0 takes one that is free.")] = 8000,
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="The address to listen on.")] = "127.0.0.1",
    expose: Annotated[bool, typer.Option("--expose", help="Allow an address that others can reach.")] = False,
    folder: Annotated[
        str | None, typer.Option(metavar="FOLDER", help="Where to keep the database and its key; else they go when the table closes.")
    ] = None,
    database: Annotated[
        Database | None,
        typer.Option(
            parser=Database.parse, metavar="URL", help="A database that is there already, as `pfb db migrate` makes it.", show_default=False
        ),
    ] = None,
    key_file: Annotated[str | None, typer.Option(metavar="FILE", help="The keys of that database.", show_default=False)] = None,
) -> int:
    """Open a table in the browser, with play money.

    It is there to see what can be built. Serves the router and a page over a house of its own: place chips, choose a seed, deal, and have everything proved. Each browser is a
    guest with a purse. Ctrl-C closes the table. It is no casino: anybody who reaches it may play.
    """
    if (database is None) != (key_file is None) or (database is not None and folder is not None):
        raise misused("Give --folder, or --database and --key-file together, or none of them.")
    is_local = _is_loopback(host)
    if not is_local and not expose:
        raise misused(f"Others can reach {host}: if that is meant, say --expose.")
    try:
        from ...web.serving import serve as serve_table  # noqa: PLC0415 (an extra)
    except ModuleNotFoundError as missing:
        raise misused(f"The table needs {missing.name}: install it with  pip install 'provably-fair-baccarat[serve]'") from None
    with _listening(host, port) as listening, _house(folder, database, key_file) as (house, place):
        house.recover()
        shown = f"[{host}]" if ":" in host else host
        OUT.print(f"The table is open at http://{shown}:{listening.getsockname()[1]}/", style="bold", soft_wrap=True)
        OUT.print(f"{place} Ctrl-C closes the table.", soft_wrap=True)
        if not is_local:
            ERR.print(
                f"pfb: whoever reaches {host} may play. The money is not real, and nobody logs in.", style="bold yellow", soft_wrap=True
            )
        serve_table(house, listening, ("localhost", host) if is_local and ":" not in host else None)
    OUT.print("The table is closed.")
    return OK


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


@contextmanager
def _listening(host: str, port: int) -> Generator[socket.socket, None, None]:
    """A socket that listens. Raises a usage error where the address can't be listened on."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # with its protocol named, asyncio knows that it may turn off waiting for more to send
    with socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, port))
            listening.listen(128)
        except OSError as error:
            hint = " Choose another with --port; 0 takes one that is free." if port else ""
            raise misused(f"Port {port} of {host} cannot be listened on: {error.strerror or error}.{hint}") from None
        yield listening


@contextmanager
def _house(folder: str | None, database: Database | None, key_file: str | None) -> "Generator[tuple[House, str], None, None]":
    """The house, and a sentence that says where it is."""
    if database is not None and key_file is not None:
        with open_store(database) as store:
            yield _open(store, open_vault(key_file)), "The database is yours, and stays."
    elif folder is not None:
        Path(folder).mkdir(parents=True, exist_ok=True)
        with _house_in(Path(folder)) as house:
            yield house, f"Its database and key are in {printable(folder)}, and stay."
    else:
        with TemporaryDirectory(prefix="pfb-table-") as temporary, _house_in(Path(temporary)) as house:
            yield house, f"Its database and key are in {temporary}, and go with it."


@contextmanager
def _house_in(folder: Path) -> "Generator[House, None, None]":
    from ...house import SqliteStore, Vault, add_key  # noqa: PLC0415 (the house is loaded by those who open one)

    keys = folder / "house.keys"
    if not keys.exists():
        add_key(keys, "table")
    with SqliteStore(folder / "house.db") as store:
        yield _open(store, Vault.from_key_file(keys))


def _open(store: "SqliteStore | PostgresStore", vault: "Vault") -> "House":
    from ...house import House, Limits  # noqa: PLC0415 (the house is loaded by those who open one)

    return House(store, vault, limits=Limits(min_stake=_MIN_STAKE, max_stake=_MAX_STAKE), currency=_CURRENCY)
