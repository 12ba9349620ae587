"""The report: what it concludes, what it writes, and that nothing which comes from outside gets anywhere as more than text."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest

np = pytest.importorskip("numpy", reason="audits need numpy")
pytest.importorskip("pyarrow", reason="audits need pyarrow")
pytest.importorskip("scipy", reason="statistics need scipy")
pytest.importorskip("matplotlib", reason="reports need matplotlib")

from provably_fair_baccarat.audit import Finding  # noqa: E402
from provably_fair_baccarat.audit.curve import Curve, level_of  # noqa: E402
from provably_fair_baccarat.audit.refusal_tally import RefusalTally, RefusedBet, gather  # noqa: E402
from provably_fair_baccarat.audit.report import Grade, Report, write_report, writing  # noqa: E402
from provably_fair_baccarat.audit.report.bet_figures import MOST_RETURNS, draw_courses, draw_returns  # noqa: E402
from provably_fair_baccarat.audit.report.drawing import COLOURS, ROLES, Sheet, drawing, new_figure, signed, to_svg  # noqa: E402
from provably_fair_baccarat.audit.report.figures import draw_streaks  # noqa: E402
from provably_fair_baccarat.audit.report.markup import Column, Html, shown, table  # noqa: E402
from provably_fair_baccarat.audit.report.page import write_page  # noqa: E402
from provably_fair_baccarat.audit.serial import SerialTally  # noqa: E402
from provably_fair_baccarat.audit.statistics import Statistics  # noqa: E402
from provably_fair_baccarat.audit.statistics.returns import pool  # noqa: E402
from provably_fair_baccarat.audit.statistics.scope import Scope  # noqa: E402
from provably_fair_baccarat.audit.tally import Tally  # noqa: E402

EVIL = "<script>alert('x')</script><img src=x onerror=alert(1)>"
UNSEEN = "a\u202eb\0c\ud800d"
FINDINGS = (
    Finding("cards", "As Kh 9d", EVIL, f'rounds "{EVIL}".parquet', 17, "ab" * 32, 5, None, f"Perhaps {EVIL}"),
    Finding("cards", "As", UNSEEN, "rounds.parquet", 18, "ab" * 32, 6),
    Finding("nonce_missing", "a round of each nonce from 7 to 9", "none", commitment="cd" * 32, nonce=7),
)
VOID = {"meta", "br", "img", "link", "input", "hr"}


class Checker(HTMLParser):
    """A page's elements, where every one that is opened is closed in its place."""

    def __init__(self, page):
        super().__init__()
        self.open, self.elements, self.text = [], [], []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        assert len(attrs) == len(dict(attrs)), (tag, attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)

    def all(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]


@pytest.fixture(scope="module")
def results(fair, result_of, tables):
    """Results of four kinds, by their grade."""
    dealt = fair(20_000, key=3)
    skewed = replace(dealt, cut=dealt.cut // 2 * 2)
    refused = gather(RefusedBet(dealt.commitments[0].tobytes(), row, {"player": 500, "tie": 20}) for row in range(0, 20_000, 7))
    counts = {"refusals": 2858, "unreadable": 17, "no_pair": 0, "no_round": 1, "no_stake": 0, "unsettled": 0}
    refusals = {**counts, "bets": {}, "by_reason": {EVIL: {"won": 1, "pushed": 2, "lost": 3, "unknown": 4}}}
    held = RefusalTally.of(refused, dealt, tables)
    return {
        "clean": result_of(dealt, refusals=refusals, refused=held),
        "conspicuous": result_of(skewed, counted=0),
        "failed": result_of(dealt, FINDINGS, manifest={"command": f"pfb audit {EVIL}", "inputs": []}),
        "empty": result_of(fair(0)),
    }


@pytest.fixture(scope="module")
def pages(results):
    return {grade: write_page(Report.of(result)) for grade, result in results.items()}


def test_refused_bets_that_are_held_against_no_round_are_counted(pages):
    told = "Of 2,858 refusals these could be held against no round, or not settled: 17 that cannot be read, 1 of a nonce that no round here has."
    assert told in pages["clean"]
    assert "could be held against no round" not in pages["failed"]


GRADES = ["clean", "conspicuous", "failed", "empty"]


# What it concludes


@pytest.mark.parametrize("grade", GRADES)
def test_a_report_has_the_grade_that_it_should(results, grade):
    assert Report.of(results[grade]).verdict.grade == Grade(grade)


def test_a_verdict_says_what_it_rests_on(results):
    told = {grade: " ".join(Report.of(result).verdict.reasons) for grade, result in results.items()}
    assert "payment of 20,000 rounds follows from revealed seeds" in told["clean"]
    assert "No round of 1 seed pair is missing." in told["clean"]
    assert "None of 32 statistical comparisons is odder than chance explains." in told["clean"]
    assert "1 of 29 statistical comparisons is odder than chance explains." in told["conspicuous"]
    assert told["failed"].startswith("3 findings of 2 kinds")
    assert "nothing is proved" in told["empty"]


def test_pairs_of_unknown_length_are_not_called_complete(fair, result_of):
    told = " ".join(Report.of(result_of(fair(2000), counted=0)).verdict.reasons)
    assert "for 1 of 1 seed pair nobody said how many there were" in told
    assert "No round of" not in told


def test_a_finding_outweighs_statistics(results):
    odd = Report.of(replace(results["conspicuous"], finding_counts={"cards": 1}))
    assert odd.verdict.grade is Grade.FAILED
    assert "1 of 29 statistical comparisons is odder" in odd.verdict.reasons[-1]


def test_few_rounds_have_no_statistics(fair, result_of):
    report = Report.of(result_of(fair(1)))
    assert report.verdict.grade is Grade.CLEAN
    page = Checker(write_page(report))
    text = "".join(page.text)
    assert "Audit of 1 round of punto banco" in text
    assert "1 coup from shoes of 8 decks" in text


@pytest.mark.parametrize(
    ("rounds", "drawn"),
    [(1, set()), (43, set()), (44, {"cards"}), (65, {"cards", "positions"}), (1400, {"cards", "positions", "tableau"}), (2080, None)],
)
def test_a_count_that_is_hardly_expected_is_in_no_picture(fair, result_of, rounds, drawn):
    """One coup in a cell that should have a hundredth of one would be drawn as if it were far too many."""
    titles = {attributes.get("id") for attributes in Checker(write_page(Report.of(result_of(fair(rounds))))).all("title")}
    maps = {name for name in ("cards", "positions", "tableau", "cuts") if f"{name}-8-title" in titles}
    assert maps == ({"cards", "positions", "tableau", "cuts"} if drawn is None else drawn)


# The page


@pytest.mark.parametrize("grade", GRADES)
def test_a_page_is_well_formed_and_stands_alone(pages, grade):
    page = Checker(pages[grade])
    names = {tag for tag, _ in page.elements}
    assert names.isdisjoint({"script", "link", "img", "iframe", "object", "embed", "form", "base", "image"})
    identifiers = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(identifiers) == len(set(identifiers))
    for _, attributes in page.elements:
        assert not any(name.startswith("on") or name in ("style", "src", "srcset") for name in attributes)
        for name in ("href", "xlink:href"):
            if name in attributes:
                assert attributes[name].startswith("#")
                assert attributes[name][1:] in identifiers
        for value in attributes.values():
            for target in re.findall(r"url\(#([^)]*)\)", value or ""):
                assert target in identifiers
    assert "://" not in pages[grade]
    assert re.findall(r"url\((?!#)", pages[grade]) == []
    assert "@import" not in pages[grade]


@pytest.mark.parametrize("grade", GRADES)
def test_a_page_allows_its_own_style_and_nothing_else(pages, grade):
    (style,) = re.findall(r"<style>(.*?)</style>", pages[grade], re.DOTALL)
    digest = b64encode(sha256(style.encode()).digest()).decode()
    policies = [each["content"] for each in Checker(pages[grade]).all("meta") if each.get("http-equiv") == "Content-Security-Policy"]
    assert policies == [f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"]
    assert pages[grade].count("<style") == 1


def test_a_page_shows_its_pictures_named(pages):
    page = Checker(pages["clean"])
    pictures = page.all("svg")
    titles = {attributes["id"] for attributes in page.all("title") if "id" in attributes}
    assert len(pictures) == len(page.all("figure")) == 10
    assert all(picture["role"] == "img" and picture["aria-labelledby"] in titles for picture in pictures)
    for title in (
        "The tableau&#x27;s 88 cells",
        "Cuts",
        "Streaks",
        "Returns in the course of the rounds",
        "What refused bets would have returned",
    ):
        assert f"<h3>{title}" in pages["clean"]


def test_no_colour_is_left_that_stands_for_a_role(pages):
    for colour in COLOURS.values():
        assert colour not in pages["clean"]
    assert len(set(COLOURS.values())) == len(ROLES)
    styled = set(re.findall(r"var\(--([a-z]+)\)", pages["clean"]))
    defined = set(re.findall(r"--([a-z]+):", pages["clean"]))
    assert styled <= defined


def test_what_comes_from_outside_is_text(pages):
    for grade in ("clean", "failed"):
        assert "<script" not in pages[grade]
        assert "<img" not in pages[grade]
        assert "&lt;script&gt;alert(&#x27;x&#x27;)&lt;/script&gt;" in pages[grade]
    assert "a\\u202eb\\u0000c\\ud800d" in pages["failed"]
    for character in UNSEEN[1::2]:
        assert character not in pages["failed"]


def test_long_text_is_cut():
    assert shown("x" * 600) == "x" * 500 + "... (600 characters)"
    assert shown(Html("<b>")) == "<b>"
    assert shown("<b>") == "&lt;b&gt;"


def test_a_table_has_heads_for_columns_and_rows():
    page = Checker(table("a <table>", (Column("name"), Column("n", "number")), [("a & b", 1), ("c", 2)]))
    assert [each.get("scope") for each in page.all("th")] == ["col", "col", "row", "row"]
    assert "a & b" in page.text


def test_every_comparison_is_in_the_table(pages, results):
    text = " ".join("".join(Checker(pages["clean"]).text).split())
    statistics = Report.of(results["clean"]).statistics
    assert f"One family of {statistics.family}, corrected by Holm" in text
    for each in statistics.comparisons:
        assert each.subject in text


def test_equal_results_give_equal_bytes(results, pages, tmp_path):
    told, page = write_report(results["clean"], tmp_path)
    assert told.read_text(encoding="utf-8") == writing.to_json(Report.of(results["clean"]))
    assert page.read_text(encoding="utf-8") == pages["clean"]


def test_another_process_writes_the_same_bytes(fair, result_of, tmp_path):
    """Neither the seed of hashes nor the user's own settings of matplotlib change a byte."""
    import pickle

    result = result_of(fair(3000))
    fields = {"rounds": result.rounds, "lines": result.lines, "tally": result.tally.to_dict(), "serial": result.serial.to_dict()}
    (tmp_path / "fields").write_bytes(pickle.dumps(fields))
    script = (
        "import pickle, sys\n"
        "import matplotlib\n"
        "matplotlib.rcParams['font.size'] = 20\n"
        "matplotlib.rcParams['axes.facecolor'] = 'yellow'\n"
        "from provably_fair_baccarat.audit import AuditResult, PairCounts\n"
        "from provably_fair_baccarat.audit.report import write_report\n"
        "from provably_fair_baccarat.audit.serial import SerialTally\n"
        "from provably_fair_baccarat.audit.tally import Tally\n"
        "f = pickle.load(open(sys.argv[1], 'rb'))\n"
        "tally, serial = Tally.from_dict(f['tally']), SerialTally.from_dict(f['serial'])\n"
        "result = AuditResult(f['rounds'], f['lines'], PairCounts(1, 1, 1, 1, 0), {}, (), tally, serial, {'seeds': None})\n"
        "write_report(result, sys.argv[2])\n"
    )
    command = [sys.executable, "-c", script, tmp_path / "fields", tmp_path / "there"]
    subprocess.run(command, env={"PYTHONHASHSEED": "1", "MPLCONFIGDIR": str(tmp_path)}, check=True, timeout=300)
    here = write_report(replace(result, manifest={"seeds": None}), tmp_path / "here")
    for file in here:
        assert file.read_bytes() == (tmp_path / "there" / file.name).read_bytes()


# JSON


@pytest.mark.parametrize("grade", GRADES)
def test_the_json_says_the_same(results, grade):
    report = Report.of(results[grade])
    text = writing.to_json(report)
    assert text.isascii()
    told = json.loads(text)
    assert told == json.loads(json.dumps(report.to_dict()))
    assert (told["format"], told["format_version"]) == ("provably_fair_baccarat.audit_report", 1)
    assert told["verdict"]["grade"] == grade
    assert [kind["count"] for kind in told["findings"]] == list(results[grade].finding_counts.values())
    assert Tally.from_dict(told["tally"]) == results[grade].tally
    assert SerialTally.from_dict(told["serial"]) == results[grade].serial
    again = Statistics.of(
        Tally.from_dict(told["tally"]), SerialTally.from_dict(told["serial"]), RefusalTally.from_dict(told["refusals"]["held"])
    )
    assert json.loads(json.dumps(again.to_dict())) == told["statistics"]


def test_the_json_keeps_text_as_it_was(results):
    kind, _ = json.loads(writing.to_json(Report.of(results["failed"])))["findings"]
    assert [each["found"] for each in kind["first"]] == [EVIL, UNSEEN]


# Writing


def test_a_directory_is_made_and_files_are_replaced(results, tmp_path):
    folder = tmp_path / "a" / "b"
    folder.mkdir(parents=True)
    (folder / "report.json").write_text("old")
    written = write_report(results["empty"], str(folder))
    assert written == (folder / "report.json", folder / "report.html")
    assert sorted(path.name for path in folder.iterdir()) == ["report.html", "report.json"]
    assert json.loads(written[0].read_bytes())["verdict"]["grade"] == "empty"


def test_nothing_is_left_half_written(results, tmp_path, monkeypatch):
    (tmp_path / "report.html").write_text("old")

    def fail(self, target):
        raise OSError(28, "No space left on device", str(target))

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match="No space left"):
        write_report(results["empty"], tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]
    assert (tmp_path / "report.html").read_text() == "old"


def test_a_page_that_cannot_be_made_leaves_nothing(results, tmp_path, monkeypatch):
    def fail(report):
        raise MemoryError

    monkeypatch.setattr(writing, "write_page", fail)
    with pytest.raises(MemoryError):
        write_report(results["empty"], tmp_path)
    assert list(tmp_path.iterdir()) == []


# Pictures


def test_a_picture_has_no_style_and_no_foreign_name():
    sheet = Sheet()
    with drawing():
        figure = new_figure(3, 2)
        axes = figure.subplots()
        axes.plot([0, 1], [1, 2], color=COLOURS["actual"])
        axes.set_title("a < b & $x$")
        axes.fill_between([0, 1], [0, 1], color=COLOURS["band"])
        svg = to_svg(figure, "name", "<title>", sheet)
    page = Checker(svg)
    assert all(attributes.get("id", "name-").startswith("name-") for _, attributes in page.elements)
    assert "style" not in {name for _, attributes in page.elements for name in attributes}
    assert "a < b & $x$" in page.text
    assert "<title>" in page.text
    classes = {attributes["class"] for _, attributes in page.elements if "class" in attributes} - {"figure"}
    assert classes == set(re.findall(r"\.(g\d+)\{", str(sheet)))
    assert "var(--actual)" in str(sheet)
    assert "font-family" not in str(sheet)
    assert "xmlns" not in svg


def test_very_many_bets_are_cut_and_all_shoes_are_drawn(motley, result_of, monkeypatch):
    for module in ("bets", "compared", "markup"):
        monkeypatch.setattr(f"provably_fair_baccarat.audit.report.{module}.MOST_ROWS", 60)
    monkeypatch.setattr("provably_fair_baccarat.audit.report.bet_figures.MOST_RETURNS", 20)
    report = Report.of(result_of(motley(1500)))
    text = write_page(report)
    page = Checker(text)
    assert f"The 20 of {len(report.statistics.pooled)} that are furthest off." in text
    for count in (len(report.statistics.returns), report.statistics.family):
        assert f"The first 60 of {count:,}; report.json has all of them." in text
    for decks in (1, 6, 8):
        assert f"coups from shoes of {decks} deck" in text
    assert {"course-time-title", "course-nonce-title"} <= {attributes.get("id") for attributes in page.all("title")}
    assert "What was not compared" in text


def test_every_return_has_its_row(motley, result_of):
    """With all that a signer needs: what came back, what should have, how far luck goes, by what method, and how odd it is."""
    report = Report.of(result_of(motley(1500)))
    text = " ".join("".join(Checker(write_page(report)).text).split())
    assert len(report.statistics.pooled) < MOST_RETURNS
    assert "report.json has all of them" not in text
    for each in (*report.statistics.pooled, *report.statistics.returns):
        assert f"{each.sums.returned:,}{100 * each.rate:.3f} %{float(each.expected):,.0f}{100 * each.expected_rate:.3f} %" in text
        assert f"{each.spread.deviation:,.0f}{100 * each.deviation:.3f} %{signed(each.z, 2)}" in text
    assert f"1.0000{'Bennett'}" in text


def test_a_page_says_what_pay_tables_pay(motley, result_of, tables):
    report = Report.of(result_of(motley(1500)))
    text = " ".join("".join(Checker(write_page(report)).text).split()).partition("What comes back of a stake")[2]
    assert len(tables) == len(report.result.tally.pay_tables) == 6
    for digest in tables:
        assert digest in text
    assert "super_six, in steps of 1" in text
    assert "banker2.0; six: 1.5" in text
    assert "player pair12.0" in text
    assert "by 4: 2.0; by 5: 3.0" in text


def test_currencies_are_never_added(fair, result_of, tables):
    """Two currencies: two rows for each bet and two for the house, and no row of both; hits, which are no amounts, are counted together."""
    first, second = Tally.of(fair(3000), tables), Tally.of(fair(4000, key=9), tables)
    bets = {
        key._replace(currency=currency): bet for currency, tally in (("EUR", first), ("USD", second)) for key, bet in tally.bets.items()
    }
    curves = {}
    for currency, tally in (("EUR", first), ("USD", second)):
        form = tally.curves["time"].to_dict()
        points = [[*point[:4], currency, *point[5:]] for point in form["points"]]
        curve = Curve.from_dict({**form, "points": points})
        curves["time"] = curves["time"].plus(curve) if curves else curve
    tally = replace(first.merge(second), bets=dict(sorted(bets.items())), curves=curves)
    report = Report.of(replace(result_of(fair(7000)), tally=tally))
    rows = [each.scope for each in report.statistics.pooled]
    assert rows == [
        *(Scope(bet, currency=currency) for bet in ("banker", "player", "tie") for currency in ("EUR", "USD")),
        *(Scope(currency=each) for each in ("EUR", "USD")),
    ]
    hits = [each for each in report.statistics.comparisons if each.name == "hits"]
    assert [(each.subject, each.count) for each in hits if each.level == 1] == [("banker", 2333), ("player", 2334), ("tie", 2333)]
    text = " ".join("".join(Checker(write_page(report)).text).split())
    assert "all bets togetherEUR" in text
    assert "tie, USD" in text


def test_a_course_ends_where_the_bet_ends(motley, result_of, tables):
    """The last point of a curve is the pooled return, and the ends of its funnel are the pooled limits: picture and verdict agree."""
    result = result_of(motley(3000))
    times = replace(result.tally, curves={"time": result.tally.curves["time"]})
    statistics = Statistics.of(times, result.serial)
    curve = times.curves["time"]
    keys = {key for _, key in curve.points}
    of_curve = Statistics.of(replace(times, bets={key: times.bets[key] for key in keys}), result.serial)
    assert len(of_curve.returns) > len(statistics.pooled)
    picture = draw_courses(curve, "time", statistics.returns)
    for axes in picture.figure.axes:
        bet = Scope((axes.get_title(loc="left") or axes.get_title()).replace(" ", "_"))
        parts = [each for each in statistics.returns if each.scope.bet == bet.bet]
        sums = {each.scope: [s for (_, key), s in curve.points.items() if Scope.of(key) == each.scope] for each in parts}
        (whole,) = pool(each.part(summed) for each in parts for summed in sums[each.scope])
        course = axes.lines[1].get_ydata()
        assert course[0] == 0
        assert course[-1] == pytest.approx(100 * (whole.rate - whole.expected_rate))
        vertices = axes.collections[0].get_paths()[0].vertices
        down, up = (100 * limit / whole.sums.staked for limit in whole.spread.limits(0.01))
        assert (min(place[1] for place in vertices), max(place[1] for place in vertices)) == pytest.approx((-down, up), rel=1e-6)


def test_a_course_of_all_lines_ends_at_the_pooled_return(fair, result_of):
    result = result_of(fair(5000))
    statistics = Statistics.of(result.tally, result.serial)
    picture = draw_courses(result.tally.curves["time"], "time", statistics.returns)
    for axes, name in zip(picture.figure.axes, ("banker", "player", "tie"), strict=True):
        each = next(one for one in statistics.pooled if one.scope.bet == name)
        assert axes.lines[1].get_ydata()[-1] == pytest.approx(100 * (each.rate - each.expected_rate))
        vertices = axes.collections[0].get_paths()[0].vertices
        limits = [100 * limit / each.sums.staked for limit in each.spread.limits(0.01)]
        assert (-min(place[1] for place in vertices), max(place[1] for place in vertices)) == pytest.approx(limits, rel=1e-6)


@pytest.mark.parametrize(
    "seconds", [1e-4, 0.3, 7, 100, 119, 3000, 7000, 36 * 3600, 47 * 3600, 5e5, 59 * 86400, 300 * 86400, 700 * 86400, 3e8]
)
def test_every_span_of_time_has_fitting_ticks(fair, result_of, seconds):
    """Spans like 40 hours once made matplotlib warn; here a warning is an error."""
    result = result_of(fair(60))
    form = result.tally.curves["time"].to_dict()
    first, last = form["first"], form["first"] + int(seconds * 1e6)
    points = [[last >> level_of(first, last), *point[1:]] for point in form["points"][:1]]
    curve = Curve.from_dict({"first": first, "last": last, "points": points})
    with drawing():
        picture = draw_courses(curve, "time", Statistics.of(result.tally, SerialTally()).returns)
        assert "<svg" in to_svg(picture.figure, "name", "title", Sheet())


def test_one_moment_has_no_course(fair, result_of):
    result = result_of(fair(100))
    returns = Statistics.of(result.tally, result.serial).returns
    assert draw_courses(replace(result.tally.curves["time"], first=5, last=5), "time", returns) is None
    assert draw_courses(Curve.from_dict({"first": 5, "last": 9, "points": []}), "time", returns) is None
    assert draw_streaks(SerialTally()) is None


def test_a_return_that_is_off_is_drawn_otherwise(fair, result_of):
    returns = Statistics.of(result_of(fair(20_000)).tally, SerialTally()).pooled
    off = [replace(each, sums=each.sums._replace(returned=2 * each.sums.returned)) for each in returns]
    with drawing():
        drawn = [draw_returns(shown_returns).figure.axes[0].lines for shown_returns in (returns, off)]
    colours = [{line.get_color() for line in lines} for lines in drawn]
    assert COLOURS["flag"] not in colours[0]
    assert COLOURS["flag"] in colours[1]
    dots = [line.get_xdata()[0] for line in drawn[0][: len(returns)]]
    assert dots == [each.z for each in returns]


def test_numbers_have_their_signs():
    assert [signed(value) for value in (1.26, -0.5, 0.04, -0.04, 0)] == ["+1.3", "\N{MINUS SIGN}0.5", "0", "0", "0"]


# In a browser


@pytest.fixture(scope="module")
def browser():
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    chromium = next((path for path in ("/usr/bin/chromium", "/usr/bin/chromium-browser") if Path(path).exists()), None)
    if chromium is None:
        pytest.skip("there is no chromium")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def visit(browser, pages, tmp_path):
    """Open a page as a file and note whatever it logs and asks for."""
    contexts = []

    def visit(grade, width=1280, **more):
        path = tmp_path / f"{grade}.html"
        path.write_text(pages[grade], encoding="utf-8")
        context = browser.new_context(viewport={"width": width, "height": 900}, **more)
        contexts.append(context)
        page = context.new_page()
        noted = []
        page.on("console", lambda message: noted.append(message.text))
        page.on("pageerror", lambda error: noted.append(str(error)))
        page.on("dialog", lambda dialog: noted.append(dialog.message))
        page.on("request", lambda request: noted.append(request.url) if request.url != path.as_uri() else None)
        page.goto(path.as_uri())
        return page, noted

    yield visit
    for context in contexts:
        context.close()


@pytest.mark.parametrize("grade", GRADES)
def test_a_browser_has_nothing_to_say_about_a_page(visit, grade):
    page, noted = visit(grade)
    assert noted == []
    assert page.evaluate("document.scripts.length") == 0
    assert page.title().startswith("Audit: ")


@pytest.mark.parametrize("width", [1280, 390, 320])
def test_a_page_fits_every_screen(visit, width):
    page, _ = visit("failed", width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    sizes = page.evaluate("[...document.querySelectorAll('svg.figure')].map(svg => svg.getBoundingClientRect().width)")
    assert min(sizes) > 250


def test_a_page_is_dark_where_the_screen_is(visit):
    colours = []
    for scheme in ("light", "dark"):
        page, _ = visit("clean", color_scheme=scheme)
        body = page.evaluate("getComputedStyle(document.body).backgroundColor")
        label = page.evaluate("getComputedStyle(document.querySelector('svg.figure text')).fill")
        colours.append([sum(map(int, re.findall(r"\d+", colour)[:3])) for colour in (body, label)])
    (light_body, light_text), (dark_body, dark_text) = colours
    assert light_body > 700
    assert light_text < 200
    assert dark_body < 100
    assert dark_text > 600


def test_a_page_prints_on_white_without_cut_pictures(visit):
    page, _ = visit("clean", color_scheme="dark")
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(22, 32, 42)"
    breaks = page.evaluate("[...document.querySelectorAll('figure, tr, .verdict')].map(each => getComputedStyle(each).breakInside)")
    assert set(breaks) == {"avoid"}
    heights = page.evaluate("[...document.querySelectorAll('figure')].map(each => each.getBoundingClientRect().height)")
    assert max(heights) < 990  # a page of A4 without its margins, in pixels
    pdf = page.pdf(prefer_css_page_size=True)
    assert pdf.startswith(b"%PDF-")
    assert 4 <= len(re.findall(rb"/Type\s*/Page\b", pdf)) <= 12


def test_no_table_of_a_page_is_cut_off(browser, motley, result_of, tmp_path):
    """On a screen of 1,100 pixels and on A4 without its margins, with all columns and amounts of twelve digits."""
    dealt = motley(1500)
    dealt = replace(dealt, line_stake=dealt.line_stake * 1000, line_returned=dealt.line_returned * 1000)
    report = Report.of(result_of(dealt))
    assert report.statistics.pooled[-1].sums.staked > 10**11
    path = tmp_path / "page.html"
    path.write_text(write_page(report), encoding="utf-8")
    for width, media in ((1100, "screen"), (688, "print")):
        page = browser.new_page(viewport={"width": width, "height": 900})
        page.emulate_media(media=media)
        page.goto(path.as_uri())
        cut = page.evaluate("[...document.querySelectorAll('.wide')].filter(e => e.scrollWidth > e.clientWidth).map(e => e.ariaLabel)")
        page.close()
        assert cut == [], media


def test_pictures_in_a_column_do_not_overlap(visit):
    page, _ = visit("clean", 390)
    boxes = page.evaluate(
        "[...document.querySelectorAll('#coups figure')].map(each => each.getBoundingClientRect()).map(b => [b.top, b.bottom])"
    )
    assert all(above[1] <= below[0] for above, below in pairwise(boxes))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_is_for_everybody(browser, pages, tmp_path, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
    path = tmp_path / "page.html"
    path.write_text(pages["failed"], encoding="utf-8")
    context = browser.new_context(bypass_csp=True, color_scheme=scheme)
    page = context.new_page()
    page.goto(path.as_uri())
    found = axe.Axe().run(page).response["violations"]
    context.close()
    assert [(each["id"], [node["target"] for node in each["nodes"]][:3]) for each in found] == []


# Extras


@pytest.mark.parametrize(("room", "missing"), [("statistics", "scipy"), ("report", "matplotlib")])
def test_a_missing_extra_is_named(room, missing):
    script = f"import sys\nsys.modules[{missing!r}] = None\nimport provably_fair_baccarat.audit.{room}"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "pip install 'provably-fair-baccarat[report]'" in done.stderr.splitlines()[-1]
