"""The house's store in PostgreSQL 15 or later, through psycopg 3: the extra `postgres`."""

try:
    import psycopg as _psycopg
    import psycopg_pool as _psycopg_pool
except ImportError as error:  # pragma: no cover (only where the extra is absent)
    raise ImportError("The PostgreSQL store needs an extra: pip install 'provably-fair-baccarat[postgres]'") from error

from .store import PostgresStore

__all__ = ["PostgresStore"]

del _psycopg, _psycopg_pool
