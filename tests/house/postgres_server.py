"""A PostgreSQL of the tests' own: a cluster in a temporary folder, run by somebody who isn't root, reached through a socket in that folder."""

from __future__ import annotations

import atexit
import os
import secrets
import shutil
import socket
import subprocess
import tempfile
from functools import cache
from pathlib import Path

import pytest

SETTINGS = """
listen_addresses = '127.0.0.1'
max_connections = 200
shared_buffers = '64MB'
fsync = on
synchronous_commit = on
full_page_writes = on
timezone = 'Pacific/Chatham'
lc_messages = 'C'
log_min_messages = fatal
"""


def find_binaries():
    """The folder of initdb and pg_ctl, or None."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: -float(folder.parent.name))
    if config := shutil.which("pg_config"):
        told = subprocess.run([config, "--bindir"], capture_output=True, text=True, check=False).stdout.strip()
        folders.append(Path(told))
    if found := shutil.which("initdb"):
        folders.append(Path(found).parent)
    return next((folder for folder in folders if (folder / "initdb").exists() and (folder / "pg_ctl").exists()), None)


def require_binaries():
    """The folder of initdb and pg_ctl; skips the test where there is none."""
    binaries = find_binaries() if os.name == "posix" else None
    if binaries is None:
        pytest.skip("no PostgreSQL server is installed: initdb and pg_ctl aren't there")
    return binaries


class PostgresServer:
    """A running cluster."""

    def __init__(self, binaries):
        self.binaries = binaries
        self.folder = Path(tempfile.mkdtemp(prefix="pfb-postgres-"))
        self.data = self.folder / "data"
        self.password = secrets.token_hex(16)
        self.empty_databases = []
        self.user = {}
        if os.geteuid() == 0:
            import pwd

            for name in ("postgres", "nobody"):
                try:
                    account = pwd.getpwnam(name)
                except KeyError:
                    continue
                self.user = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
                os.chown(self.folder, account.pw_uid, account.pw_gid)
                break
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        (self.folder / "password").write_text(self.password)
        (self.folder / "password").chmod(0o644)  # the folder is its owner's only
        self._run(
            "initdb",
            "--no-sync",
            "-U",
            "owner",
            "-E",
            "UTF8",
            "--no-locale",
            "--auth-local=trust",
            "--auth-host=scram-sha-256",
            "--pwfile",
            "password",
        )
        with (self.data / "postgresql.conf").open("a") as settings:
            settings.write(f"{SETTINGS}port = {self.port}\nunix_socket_directories = '{self.folder}'\n")
        self.start()

    def start(self):
        self._run("pg_ctl", "-w", "-t", "60", "-l", str(self.folder / "log"), "start")

    def stop(self, mode="fast"):
        self._run("pg_ctl", "-w", "-t", "60", "-m", mode, "stop")

    def url(self, database="postgres", *, over_tcp=False):
        if over_tcp:
            return f"postgresql://owner:{self.password}@127.0.0.1:{self.port}/{database}"
        return f"postgresql://owner@/{database}?host={self.folder}&port={self.port}"

    def remove(self):
        self.stop()
        shutil.rmtree(self.folder)

    def _run(self, program, *arguments):
        environment = {"PATH": "/usr/bin:/bin", "PGDATA": str(self.data), "LC_ALL": "C"}
        with (self.folder / "output").open("wb") as output:  # not a pipe: the server would hold it open
            done = subprocess.run(
                [self.binaries / program, *arguments],
                cwd=self.folder,
                env=environment,
                stdout=output,
                stderr=output,
                check=False,
                **self.user,
            )
        if done.returncode:
            raise RuntimeError(f"{program} failed:\n{(self.folder / 'output').read_text()}")


@cache
def shared_server():
    """The cluster that all tests of this process share, started by the first that needs it; skips where there is no PostgreSQL."""
    server = PostgresServer(require_binaries())
    atexit.register(server.remove)
    return server
