"""The table in a real browser: from the first chip to the proved history, with the mouse, the keyboard and a telephone."""

from __future__ import annotations

import shutil

import pytest

from provably_fair_baccarat import Hand, RoundRecord, Seeds, play_round, settle

from .conftest import served

playwright = pytest.importorskip("playwright.sync_api", reason="the table's page is played in a browser by Playwright")
pytest.importorskip("fastapi", reason="the table needs the extra serve")
pytest.importorskip("uvicorn", reason="the table needs the extra serve")

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as running:
        chromium = running.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture
def house(tmp_path):
    from provably_fair_baccarat.house import Limits

    from .conftest import make_house

    house = make_house(tmp_path, limits=Limits(min_stake=100, max_stake=50_000))
    yield house
    house.close()


@pytest.fixture
def open_table(house, browser):
    """Opens pages at the table; nothing may complain, or leave for another host."""
    from provably_fair_baccarat.web.serving import table_app

    complaints, elsewhere, contexts = [], [], []
    with served(table_app(house)) as url:

        def open_(*, asks_in_vain=False, **options):
            context = browser.new_context(**{"reduced_motion": "reduce", **options})
            contexts.append(context)
            page = context.new_page()
            page.on("console", lambda message: complaints.append(message.text) if message.type in ("error", "warning") else None)
            if asks_in_vain:
                page.on("console", lambda message: complaints.remove(message.text) if "Failed to load resource" in message.text else None)
            page.on("pageerror", lambda error: complaints.append(str(error)))
            page.on("request", lambda request: None if request.url.startswith((url, "data:")) else elsewhere.append(request.url))
            page.goto(f"{url}/")
            page.wait_for_selector("#choose:not([hidden])")
            page.wait_for_selector("#road svg")
            return page

        yield open_
        for context in contexts:
            context.close()
    assert complaints == []
    assert elsewhere == []


def play(page, rounds=3):
    for _ in range(rounds):
        page.check("input[value='2500']", force=True)
        page.click(".spot[data-bet=player]")
        page.check("input[value='500']", force=True)
        page.click(".spot[data-bet=tie]")
        page.click("#deal")
        page.wait_for_selector("#prove:enabled")


def test_from_the_first_chip_to_the_proved_history(open_table, house):
    page = open_table()
    commitment = page.inner_text("#commitment")
    seed = page.input_value("#client-seed")
    assert seed.endswith(f"-{commitment[:16]}")
    page.click("#choose button")
    play(page)
    assert page.inner_text("#dealt") == "3"
    (bettor,) = {kept.acceptance.bettor for kept in house.history().rounds}
    assert page.inner_text("#balance").replace("$", "").replace(",", "").replace(".", "") == str(house.balance(bettor))
    shown = [card.get_attribute("aria-label") for card in page.query_selector_all(".card")]
    last = house.recall(bettor, 1)[0].record
    assert len(shown) == len(last.player.cards) + len(last.banker.cards)
    page.click("#prove")
    page.wait_for_selector("#proof:not([hidden])")
    assert page.inner_text("#verdict") == "Proved: 3 rounds, computed in this browser."
    assert page.locator("#checks li").count() == 3
    assert page.locator("#checks li.wrong").count() == 0
    assert page.locator("#proved tbody tr").count() == 3
    page.click("summary")
    assert page.inner_text("#commitment") != commitment, "the next seed is committed to"
    revealed = house.pairs(bettor)[0]
    assert f"printf 'pfb1:8:{revealed.server_seed.reveal()}' | sha256sum" in page.inner_text("#by-hand")
    with page.expect_popup() as opened:
        page.locator("#proved a").nth(1).click()
    opened.value.locator("text=Proved").first.wait_for()
    page.click("#choose button")
    play(page, 1)


def test_the_page_deals_as_the_package_does(open_table):
    """Rounds that reach every cell of the tableau, known to the package; and each of them with one thing changed."""
    seeds = Seeds.commit(bytes(range(32)).hex(), "Zoë ♥")
    rounds, cells = [], set()
    for nonce in range(2400):
        played = play_round(seeds, nonce)
        record = RoundRecord.from_round(played, settle(played.coup, {"player": 101, "banker": 333, "tie": 7}))
        rounds.append({"nonce": nonce, "record": record.to_dict()})
        player, banker = played.coup.player, played.coup.banker
        if not played.coup.natural and len(player.cards) == 3:
            cells.add((Hand(banker.cards[:2]).score, player.cards[2].points))
    assert cells == {(banker, third) for banker in range(8) for third in range(10)}
    pair = {
        "label": "pfb1:8",
        "decks": 8,
        "client_seed": "Zoë ♥",
        "server_seed": seeds.server_seed.reveal(),
        "commitment": str(seeds.commitment),
        "next_nonce": len(rounds),
    }
    page = open_table()
    verify = "async ([pair, rounds]) => (await import('/proof.js')).verify(pair.commitment, pair, rounds)"
    told = page.evaluate(verify, [pair, rounds])
    assert [check["text"] for check in told["checks"] if not check["good"]] == []
    assert told["proved"] is True
    for change in ({"cut": 1}, {"winner": "nobody"}, {"client_seed": "another"}, {"bets": {"tie": {"stake": "7", "returned": "8"}}}):
        changed = [*rounds[:5], {"nonce": 5, "record": {**rounds[5]["record"], **change}}, *rounds[6:9]]
        told = page.evaluate(verify, [{**pair, "next_nonce": 9}, changed])
        assert (told["proved"], [bool(each) for each in told["differences"]].index(True)) == (False, 5), change
    for wrong in ([*rounds[:3], *rounds[4:]], rounds[:-1], [*rounds[:2], rounds[1], *rounds[2:]]):
        assert page.evaluate(verify, [pair, wrong[:200]])["proved"] is False
    assert page.evaluate(verify, [{**pair, "server_seed": "0" * 64, "next_nonce": 2}, rounds[:2]])["proved"] is False


def test_the_page_rejects_the_words_that_the_protocol_rejects(open_table, vectors):
    page = open_table()
    for known in vectors("rejections")["coups"]:
        seeds = Seeds.commit(known["server_seed"], known["client_seed"], known["decks"])
        played = play_round(seeds, known["nonce"])
        assert [str(card) for card in played.cards] == known["cards"]
        record = RoundRecord.from_round(played, settle(played.coup, {}))
        pair = {key: known[key] for key in ("server_seed", "client_seed", "decks", "commitment")} | {"label": f"pfb1:{known['decks']}"}
        told = page.evaluate(
            "async ([pair, rounds]) => (await import('/proof.js')).verify(pair.commitment, pair, rounds)",
            [pair, [{"nonce": known["nonce"], "record": record.to_dict()}]],
        )
        assert told["differences"] == [None], known["id"]


def test_what_is_not_so_is_not_proved(open_table):
    """The page recomputes: an answer that is changed on its way is found out."""
    page = open_table()
    page.click("#choose button")
    play(page, 2)

    def change(route):
        told = route.fetch().json()
        record = told["rounds"][1]["record"]
        record["winner"] = "tie" if record["winner"] != "tie" else "player"
        route.fulfill(json=told)

    page.route("**/rounds?*", change)
    page.click("#prove")
    page.wait_for_selector("#proof:not([hidden])")
    assert page.inner_text("#verdict") == "Not proved."
    assert page.locator("#checks li.wrong").inner_text().startswith("Nonce 1: the seeds give")


def test_the_commitment_that_was_shown_is_what_counts(open_table):
    page = open_table()
    page.click("#choose button")
    play(page, 1)

    def change(route):
        told = route.fetch().json()
        seed = told["revealed"]["server_seed"]
        told["revealed"]["server_seed"] = seed[::-1]
        route.fulfill(json=told)

    page.route("**/rotation", change)
    page.click("#prove")
    page.wait_for_selector("#proof:not([hidden])")
    assert page.inner_text("#verdict") == "Not proved."
    assert "The revealed seed has the hash" in page.locator("#checks li.wrong").first.inner_text()


def test_the_keyboard_is_enough(open_table):
    page = open_table()
    page.focus("#client-seed")
    page.keyboard.press("Control+a")
    page.keyboard.type("pbtd 1234")
    page.keyboard.press("Enter")
    page.wait_for_selector(".spot:enabled")
    assert page.inner_text("#chosen") == "pbtd 1234"
    for key in "3b4tc":
        page.keyboard.press(key)
    assert page.inner_text(".spot[data-bet=banker] .stack") == ""
    for key in "3bb":
        page.keyboard.press(key)
    assert "$50.00" in page.inner_text(".spot[data-bet=banker] .stack")
    page.keyboard.press("d")
    page.wait_for_selector("#repeat:enabled")
    page.keyboard.press("r")
    assert "$50.00" in page.inner_text(".spot[data-bet=banker] .stack")


def test_a_seed_that_cannot_be_one_is_explained(open_table):
    page = open_table(asks_in_vain=True)
    page.fill("#client-seed", " lucky ")
    page.click("#choose button")
    page.wait_for_selector("#seed-error:not(:empty)")
    assert "white space" in page.inner_text("#seed-error")
    page.fill("#client-seed", "lucky")
    page.click("#choose button")
    page.wait_for_selector(".spot:enabled")


def test_a_bet_without_an_answer_is_asked_again_and_played_once(open_table, house):
    page = open_table(asks_in_vain=True)
    page.click("#choose button")
    page.wait_for_selector(".spot:enabled")
    keys = []

    def lose(route):
        keys.append(route.request.headers["idempotency-key"])
        if len(keys) < 3:
            route.fetch()  # the house plays, and its answer gets lost
            route.abort()
        else:
            route.continue_()

    page.route("**/rounds", lose)
    page.click(".spot[data-bet=player]")
    page.click("#deal")
    page.wait_for_selector("#prove:enabled")
    assert len(keys) == 3
    assert len(set(keys)) == 1
    assert len(house.history().rounds) == 1


def test_who_comes_back_sits_where_they_sat(open_table):
    page = open_table()
    page.click("#choose button")
    play(page, 2)
    page.reload()
    page.wait_for_selector(".spot:enabled")
    assert page.inner_text("#dealt") == "2"


@pytest.mark.parametrize(
    "options",
    [
        {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"},
        {"viewport": {"width": 1280, "height": 900}, "color_scheme": "dark"},
        {"viewport": {"width": 360, "height": 740}, "color_scheme": "light", "has_touch": True},
        {"viewport": {"width": 360, "height": 740}, "color_scheme": "dark", "has_touch": True},
    ],
    ids=["desktop light", "desktop dark", "phone light", "phone dark"],
)
def test_everybody_can_use_it(open_table, options):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe looks at the page").Axe()
    page = open_table(**options)

    def look():
        found = axe.run(page).response["violations"]
        assert [(each["id"], [node["html"] for node in each["nodes"]]) for each in found] == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing is wider than the screen"

    look()
    page.click("#choose button")
    play(page, 3)
    look()
    page.click(".spot[data-bet=banker]")
    look()
    page.click("#clear")
    page.click("#prove")
    page.wait_for_selector("#proof:not([hidden])")
    page.click("summary")
    look()


def test_the_page_s_files_are_small():
    from provably_fair_baccarat.web.pages import read_table

    assert sum(map(len, read_table().values())) < 64_000
