"""The page of the report says what the report says: keys, comparisons, and the numbers that decide."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("numpy", reason="audits need numpy")
pytest.importorskip("pyarrow", reason="audits need pyarrow")
pytest.importorskip("scipy", reason="statistics need scipy")
pytest.importorskip("matplotlib", reason="reports need matplotlib")

from provably_fair_baccarat import ALL_BETS
from provably_fair_baccarat.audit.bet_tally import BetTally
from provably_fair_baccarat.audit.curve import BUCKETS
from provably_fair_baccarat.audit.report import FORMAT, FORMAT_VERSION, Grade, Report
from provably_fair_baccarat.audit.report.report import MOST_FIRST
from provably_fair_baccarat.audit.serial import LAGS, LONGEST
from provably_fair_baccarat.audit.statistics import ALPHA, CONFIDENCE, QUESTIONS
from provably_fair_baccarat.audit.statistics.comparison import POOLED_SHARE
from provably_fair_baccarat.audit.statistics.frequencies import LEAST
from provably_fair_baccarat.audit.statistics.returns import Return
from provably_fair_baccarat.audit.statistics.spread import FEWEST, MOST_SKEWED
from provably_fair_baccarat.audit.sums import BetKey, Sums

PAGE = (Path(__file__).parents[3] / "docs" / "reference" / "report.md").read_text(encoding="utf-8")
WORDS = " ".join(PAGE.split())


def rows(marker):
    text = PAGE.partition(marker if " " in marker else f"<!-- {marker} -->")[2]
    lines = re.search(r"(^\|.*\|\n)+", text, re.MULTILINE)[0].splitlines()[2:]
    return [[cell.strip() for cell in line[1:-1].split(" | ")] for line in lines]


def names(text):
    return re.findall(r"`(\w+)`", text)


@pytest.fixture(scope="module")
def form(fair, result_of):
    return Report.of(result_of(fair(3000))).to_dict()


def test_every_key_is_described(form):
    assert [name for key, _ in rows("keys") for name in names(key)] == list(form)
    told = {key: text for keys, text in rows("keys") for key in names(keys)}
    assert {"grade", "headline", "reasons"} == set(form["verdict"]) <= set(names(told["verdict"]))
    assert {*form["rounds"]} <= set(names(told["rounds"]))
    assert {*form["pairs"]} - {"pairs"} == set(names(told["pairs"]))
    assert {*form["refusals"]} == set(names(told["refusals"]))
    assert set(names(told["verdict"])) >= {grade.value for grade in Grade}
    assert f"`{FORMAT}`, and {FORMAT_VERSION}" in told["format_version"]
    assert MOST_FIRST == 5
    assert "the `first` five" in told["findings"]


def test_every_key_of_the_statistics_is_described(form):
    told = {key: text for keys, text in rows("statistics") for key in names(keys)}
    statistics = form["statistics"]
    assert list(told) == list(statistics)
    assert set(names(told["comparisons"])) == set(statistics["comparisons"][0])
    assert set(names(told["returns"])) == set(statistics["returns"][0])
    assert set(names(told["pooled"])) == set(statistics["pooled"][0]) - set(statistics["returns"][0])
    assert set(names(told["omissions"])) == {"name", "subject", "reason"}


def test_every_comparison_is_described():
    assert rows("comparisons") == [[f"`{name}`", question.asks] for name, question in QUESTIONS.items()]


def test_every_key_of_the_tally_is_described(form):
    section = PAGE.partition("## The tally")[2].partition("\n## ")[0]
    for key in (*form["tally"], *form["tally"]["shoes"]["8"], *form["serial"]):
        assert f"`{key}`" in section
    sums = section.partition("Sums are lists: ")[2].partition(".")[0].split(", ")
    assert len(sums) == len(Sums._fields)


def test_the_numbers_that_decide_are_told():
    assert f"the level of the family, {ALPHA}" in WORDS
    assert f"with less than {LEAST} expected" in WORDS
    assert f"skewness is at most {MOST_SKEWED}" in WORDS
    assert FEWEST == 100
    assert "no line has more than a hundredth of the variance" in WORDS
    assert [row[2] for row in rows("All of an audit are one family")] == [
        f"{POOLED_SHARE}",
        f"{1 - POOLED_SHARE:.1f}, or nothing where there are none",
    ]
    assert f"{CONFIDENCE:.0%} either way".replace("%", " %") in WORDS
    assert f"in at most {BUCKETS} buckets" in WORDS
    assert f"1, 2, ... {LAGS} coups later" in WORDS
    assert f"1, 2, ... {LONGEST} wins or more" in WORDS


def test_the_power_is_what_the_table_says():
    """Each number again, from as many lines of one stake."""
    limit = POOLED_SHARE * ALPHA / 101
    for row in rows("power"):
        (bet,) = names(row[0])
        for count, told in zip((10**5, 10**6, 10**8), row[1:], strict=True):
            sums = Sums(count, 20 * count, 400 * count, 0, 0, 20)
            figure = Return.of(BetKey(bet, ALL_BETS.digest, 8), BetTally(20, {0: sums}), ALL_BETS)
            assert f"{100 * max(figure.smallest_bias(limit)):.3g}" == f"{float(told):.3g}"
