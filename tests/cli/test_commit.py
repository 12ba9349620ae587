"""`pfb commit`: a new seed file that only its owner can read, and nothing of it on the screen."""

from __future__ import annotations

import json
import os
import re
import stat

import pytest

from provably_fair_baccarat import Seeds, ServerSeed


def test_the_commitment_is_that_of_the_seed_in_the_file(pfb, tmp_path):
    ran = pfb("commit", "--seed-file", "new.txt")
    text = (tmp_path / "new.txt").read_text()
    assert re.fullmatch(r"[0-9a-f]{64}\n", text)
    commitment = str(Seeds.commit(ServerSeed.parse(text.strip()), "any").commitment)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == f"commitment  {commitment}\nlabel       pfb1:8\nseed file   new.txt\n"


def test_the_label_follows_scheme_and_decks(pfb, tmp_path):
    ran = pfb("commit", "--seed-file", "new.txt", "--decks", "6", "--scheme", "pfb1-shoe", "--json")
    seed = ServerSeed.parse((tmp_path / "new.txt").read_text().strip())
    told = json.loads(ran.out)
    assert told == {
        "commitment": str(Seeds.commit(seed, "any", 6, scheme="pfb1-shoe").commitment),
        "label": "pfb1-shoe:6",
        "seed_file": "new.txt",
    }
    assert seed.reveal() not in ran.out + ran.err


@pytest.mark.skipif(os.name != "posix", reason="file modes are POSIX's")
def test_only_the_owner_reads_the_seed_file(pfb, tmp_path):
    pfb("commit", "--seed-file", "new.txt")
    assert stat.S_IMODE((tmp_path / "new.txt").stat().st_mode) == 0o600


def test_an_existing_file_is_never_overwritten(pfb, seed_file, tmp_path):
    before = (tmp_path / seed_file).read_text()
    ran = pfb("commit", "--seed-file", seed_file)
    assert ran.code == 2
    assert "File exists" in ran.err
    assert "choose another name" in ran.err
    assert before.strip() not in ran.out + ran.err
    assert (tmp_path / seed_file).read_text() == before


def test_a_directory_that_is_not_there_is_told(pfb):
    ran = pfb("commit", "--seed-file", "nowhere/new.txt", "--json")
    assert ran.code == 2
    assert json.loads(ran.out)["error"]["code"] == "file"


@pytest.mark.parametrize("scheme", ["pfb1-chain", "pfb2"])
def test_a_scheme_that_has_no_single_seed_makes_no_file(call, tmp_path, scheme):
    ran = call("commit", "--seed-file", "new.txt", "--scheme", scheme)
    assert ran.code == 2
    assert "seed.scheme" in ran.err
    assert not (tmp_path / "new.txt").exists()
