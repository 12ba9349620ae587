"""`pfb page`: the bettor's page in a file, whole or not at all."""

from __future__ import annotations

import json
from hashlib import sha256

from provably_fair_baccarat.web.page import read_page


def test_the_page_is_written_to_a_new_file(pfb, tmp_path):
    ran = pfb("page", "verifier.html")
    assert (ran.code, ran.err) == (0, "")
    assert (tmp_path / "verifier.html").read_bytes() == read_page()
    assert sha256(read_page()).hexdigest() in ran.out
    assert [path.name for path in tmp_path.iterdir()] == ["verifier.html"]


def test_a_file_that_is_there_is_replaced_by_force_only(pfb, tmp_path):
    (tmp_path / "verifier.html").write_text("mine")
    ran = pfb("page", "verifier.html")
    assert ran.code == 2
    assert "verifier.html is there already: --force replaces it." in ran.err
    assert (tmp_path / "verifier.html").read_text() == "mine"
    told = json.loads(pfb("page", "verifier.html", "--force", "--json").out)
    assert told == {"file": "verifier.html", "bytes": len(read_page()), "sha256": sha256(read_page()).hexdigest()}
    assert (tmp_path / "verifier.html").read_bytes() == read_page()


def test_the_page_goes_to_standard_output_too(pfb):
    assert pfb("page", "-").out.encode() == read_page()
    ran = pfb("page", "-", "--json")
    assert ran.code == 2
    assert "name a FILE with --json" in ran.err


def test_where_nothing_can_be_written(pfb, tmp_path):
    ran = pfb("page", "missing/verifier.html")
    assert ran.code == 2
    assert "missing/verifier.html" in ran.err
    (tmp_path / "folder").mkdir()
    assert pfb("page", "folder", "--force").code == 2
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]
