"""`pfb client-seed`: a bettor makes a seed of its own, which shows that it came after the commitment."""

from __future__ import annotations

import json

import pytest

from provably_fair_baccarat import ClientSeed, Commitment

COMMITMENT = "3e2d8157faae5379e90c5d6823c04f90989da344d47c312f910bee3aac8792e4"


def test_it_is_marked_and_new_each_time(call):
    made = [json.loads(call("client-seed", COMMITMENT, "--json").out) for _ in range(3)]
    assert len({each["client_seed"] for each in made}) == 3
    for each in made:
        assert each["commitment"] == COMMITMENT
        assert ClientSeed(each["client_seed"]).marks(Commitment.parse(COMMITMENT))


def test_people_get_a_line_to_copy(pfb):
    ran = pfb("client-seed", COMMITMENT)
    assert (ran.code, ran.err) == (0, "")
    seed, commitment = ran.out.splitlines()
    assert seed.startswith("client seed  ")
    assert seed.endswith(COMMITMENT[:16])
    assert commitment == f"commitment   {COMMITMENT}"


@pytest.mark.parametrize(("wrong", "hint"), [(COMMITMENT.upper(), "lower case"), (f"0x{COMMITMENT}", "0x"), ("short", "64"), ("", "64")])
def test_what_is_no_commitment(call, wrong, hint):
    ran = call("client-seed", wrong, "--json")
    assert ran.code == 2
    assert json.loads(ran.out)["error"]["code"] == "seed.commitment"
    assert hint in ran.err
