"""Where a URL says that a database is: what may be shown of it, which is never a password."""

from __future__ import annotations

from typing import Final

from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict

from ...errors import Slip, StoreError

_FORM: Final = "one like postgresql://user:password@host:5432/database"
_ENCODE: Final = Slip("password_marks", "In a password, write @ as %40, / as %2F, : as %3A, ? as %3F, # as %23 and % as %25.")


def database_name(url: str) -> str:
    """What a database is called in errors: where it is, without user and password.

    Raises StoreError for a URL that libpq cannot read, or that it reads as if a part of the password were the host, the port or the name.
    """
    try:
        parts = conninfo_to_dict(url)
    except ProgrammingError:
        raise StoreError("database URL", _FORM, "one that libpq can't read", (_ENCODE,)) from None
    host, port, name = (str(parts.get(part, default)) for part, default in (("host", "localhost"), ("port", 5432), ("dbname", "")))
    if "@" in host or ("@" in name and "%40" not in url) or not port.replace(",", "").isdecimal():
        raise StoreError("database URL", _FORM, "one whose password, or port, libpq reads otherwise than it was meant", (_ENCODE,))
    return f"{host}:{port}/{name}"
