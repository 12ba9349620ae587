"""PostgreSQL as an engine of the contract's tests: a database of its own for each test, on the cluster that they share.

PostgreSQL waits for the disk when it makes a database and again when it drops one. So a test that leaves nothing behind but the house's
schema leaves its database, emptied, to the next one; a test that moves its database about asks for a new one.
"""

from __future__ import annotations

import re
from itertools import count

import pytest

from .postgres_server import shared_server

_names = count(1)

# How the contract's tests spell what PostgreSQL spells otherwise.
DIALECT = (
    (r"zeroblob\((\d+)\)", r"decode(repeat('00', \1), 'hex')"),
    (r"x'([0-9a-f]*)'", r"decode('\1', 'hex')"),
    (r"AS BLOB\)", "AS bytea)"),
)

OTHERS_OUT = "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"

# Whether a database is as new: no table, function or type of anybody's, no schema, no setting of its own.
IS_EMPTY = """
SELECT NOT EXISTS (SELECT FROM pg_class WHERE oid >= 16384 AND relnamespace <> 'pg_toast'::regnamespace)
    AND NOT EXISTS (SELECT FROM pg_proc WHERE oid >= 16384)
    AND NOT EXISTS (SELECT FROM pg_type WHERE oid >= 16384)
    AND NOT EXISTS (SELECT FROM pg_namespace WHERE oid >= 16384)
    AND NOT EXISTS (
        SELECT FROM pg_db_role_setting JOIN pg_database ON pg_database.oid = setdatabase WHERE datname = current_database()
    )
"""


class PostgresEngine:
    name = "postgres"

    def __init__(self, folder=None, server=None, *, is_new=False):
        self.psycopg = pytest.importorskip("psycopg")
        pytest.importorskip("psycopg_pool")
        self.server = server or shared_server()
        self.is_new = is_new
        if self.server.empty_databases and not is_new:
            self.database = self.server.empty_databases.pop()
        else:
            self.database = f"house_{next(_names)}"
            with self.psycopg.connect(self.server.url(), autocommit=True) as connection:
                connection.execute(f"CREATE DATABASE {self.database}")
        self.url = self.server.url(self.database)
        self.stores = []

    @property
    def path(self):
        """What a program that opens this database is given."""
        return self.url

    def open(self, **options):
        from provably_fair_baccarat.house.postgres import PostgresStore

        store = PostgresStore(self.url, **options)
        self.stores.append(store)
        return store

    def connect(self):
        return self.psycopg.connect(self.url, autocommit=True, options="-c search_path=house")

    def tamper(self, statement, values=()):
        """Run SQL behind the house's back, with every trigger out of the way."""
        for pattern, replacement in DIALECT:
            statement = re.sub(pattern, replacement, statement)
        with self.connect() as connection:
            connection.execute("SET session_replication_role = replica")
            return connection.execute(statement, values or None).rowcount

    def query(self, statement, values=()):
        with self.connect() as connection:
            return connection.execute(statement, values or None).fetchall()

    def attempt(self, statement, values=()):
        """Run SQL as anybody could, triggers and all; returns the refusal."""
        for pattern, replacement in DIALECT:
            statement = re.sub(pattern, replacement, statement)
        with self.connect() as connection, pytest.raises(self.psycopg.Error) as caught:
            connection.execute(statement, values or None)
        return caught.value.diag.message_primary

    def content(self):
        """Every byte of the database and of the server's log."""
        with self.psycopg.connect(self.server.url(), autocommit=True) as connection:
            connection.execute("CHECKPOINT")
            ((oid,),) = connection.execute("SELECT oid FROM pg_database WHERE datname = %s", (self.database,)).fetchall()
        folders = (self.server.data / "base" / str(oid), self.server.data / "pg_wal")
        files = [path for folder in folders for path in folder.iterdir() if path.is_file()]
        return b"".join(path.read_bytes() for path in (*files, self.server.folder / "log"))

    def close(self):
        for store in self.stores:
            store.close()
        with self.connect() as connection:
            connection.execute("SET default_transaction_read_only = off")
            connection.execute(OTHERS_OUT)
            connection.execute("DROP SCHEMA IF EXISTS house CASCADE")
            is_empty = connection.execute(IS_EMPTY).fetchone()[0]
        if is_empty and not self.is_new:
            self.server.empty_databases.append(self.database)
        else:
            with self.psycopg.connect(self.server.url(), autocommit=True) as connection:
                connection.execute(f"DROP DATABASE {self.database} WITH (FORCE)")
