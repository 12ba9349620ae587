"""`pfb schemes`: every scheme, and the truth about it."""

from __future__ import annotations

import json

from provably_fair_baccarat.fairness.schemes import SCHEMES


def test_every_scheme_is_listed(pfb):
    ran = pfb("schemes")
    assert (ran.code, ran.err) == (0, "")
    for name in SCHEMES:
        assert any(line.startswith(name) for line in ran.out.splitlines())
    assert "infinite deck" in ran.out
    assert "\x1b" not in ran.out


def test_json_tells_what_each_proves(pfb):
    told = json.loads(pfb("schemes", "--json").out)
    assert list(told) == sorted(SCHEMES)
    assert {name: scheme["is_unbiased"] for name, scheme in told.items()} == {name: name.startswith("pfb1") for name in told}
    assert told["stake"]["deals_from"] == "an infinite deck"
    assert told["bcgame-single"]["deals_from"] == "2 decks, a fresh shoe every round"
    assert told["pfb1-shoe"]["deals_from"] == "1 to 8 decks, dealt through"
    assert "7.1 %" in told["bcgame-single"]["drawing"]
    assert not told["bcgame-table"]["has_nonces"]
