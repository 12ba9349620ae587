"""A house's database by its URL, which may hold a password: nothing that is shown of it does."""

from __future__ import annotations

import re
from typing import Final, TypeGuard

SQLITE: Final = "sqlite:///"
POSTGRES: Final = ("postgresql://", "postgres://")

_MAY_HOLD_A_PASSWORD: Final = re.compile(r"://|:/.*@|password", re.IGNORECASE)
_IN_A_COMMAND: Final = re.compile(r"\b(postgres(?:ql)?:)\S*", re.IGNORECASE)


def is_database(given: object) -> TypeGuard[str]:
    """Whether this is the URL of a database."""
    return isinstance(given, str) and given.startswith((SQLITE, *POSTGRES))


def shown_database(url: str) -> str:
    """What to call a database in findings and in the manifest: where it is. Raises StoreError for a URL that cannot be read."""
    if not url.startswith(POSTGRES):
        return url
    from ..house.postgres.url import database_name  # noqa: PLC0415 (an extra, needed here alone)

    return f"postgresql://{database_name(url)}"


def shown_path(text: str) -> str:
    """What to call what is no path: as it is, unless it looks like a URL."""
    return "a text like a URL, of no database that is known" if _MAY_HOLD_A_PASSWORD.search(text) else text


def shown_command(command: str) -> str:
    """A command line without what its URLs say."""
    return _IN_A_COMMAND.sub(r"\1//...", command)
