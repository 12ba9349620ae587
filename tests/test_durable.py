"""Files that are there whole or not at all, whatever goes wrong while they are written."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap

import pytest

from provably_fair_baccarat.durable import private_file, refuse_existing, whole_file

MAKERS = [whole_file, private_file]


@pytest.mark.parametrize("make", MAKERS)
def test_a_file_is_there_in_the_end(make, tmp_path):
    with make(tmp_path / "made") as stream:
        stream.write(b"whole")
    assert [(each.name, each.read_bytes()) for each in tmp_path.iterdir()] == [("made", b"whole")]
    assert make is whole_file or (tmp_path / "made").stat().st_mode & 0o777 == 0o600
    with pytest.raises(FileExistsError), make(tmp_path / "made"):
        pass
    assert (tmp_path / "made").read_bytes() == b"whole"


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("fault", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_nothing_is_left_of_what_went_wrong(make, fault, tmp_path, monkeypatch):
    def write():
        with make(tmp_path / "made") as stream:
            stream.write(b"half")
            raise fault

    with pytest.raises(type(fault)):
        write()
    assert not list(tmp_path.iterdir())
    monkeypatch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(fault))
    with pytest.raises(type(fault)), make(tmp_path / "made") as stream:
        stream.write(b"all of it")
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="needs limits of a process")
@pytest.mark.parametrize("make", MAKERS)
def test_nothing_is_left_where_there_is_no_room(make, tmp_path):
    """Closing a file tries to write once more what did not fit."""
    done = run(f"""
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
        with {make.__name__}("made") as stream:
            stream.write(bytes(5000))
    """, tmp_path)  # fmt: skip
    assert b"File too large" in done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
def test_a_process_that_is_killed_leaves_no_half_file_under_its_name(tmp_path):
    done = run("""
        with whole_file("made") as stream:
            stream.write(bytes(100_000))
            os.kill(os.getpid(), signal.SIGTERM)
    """, tmp_path)  # fmt: skip
    assert done.returncode == -signal.SIGTERM
    assert [each.suffix for each in tmp_path.iterdir()] == [".part"]


def test_a_new_file_has_a_name_of_its_own(tmp_path):
    refuse_existing(tmp_path / "new")
    with pytest.raises(FileExistsError):
        refuse_existing(tmp_path)
    (tmp_path / "link").symlink_to("nowhere")
    with pytest.raises(FileExistsError):
        refuse_existing(tmp_path / "link")
    with pytest.raises(FileNotFoundError, match="needs a name"):
        refuse_existing("")


def run(body, folder):
    lines = textwrap.dedent(body).splitlines()
    code = "\n".join(["import os, resource, signal", "from provably_fair_baccarat.durable import private_file, whole_file", *lines])
    return subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, check=False)
