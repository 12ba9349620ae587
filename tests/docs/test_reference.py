"""The reference pages say what the code says: errors, slips, schemes, bets, tableau, records, guarantees, and the protocol's known answers.

The answers are computed by the program on the page "Verify a round", which shares no code with the package, and then by the package.
"""

import ast
import inspect
import json
import re
from hashlib import sha256
from pathlib import Path

import pytest
from typer.main import get_command

import provably_fair_baccarat as pfb
from provably_fair_baccarat import RoundRecord, Seeds, errors, house, play_round, play_shoe, settle
from provably_fair_baccarat.cli.app import app
from provably_fair_baccarat.fairness import hex_form
from provably_fair_baccarat.fairness.inputs import MAX_DECKS
from provably_fair_baccarat.fairness.schemes import SCHEMES
from provably_fair_baccarat.fairness.schemes.bcgame import LIST
from provably_fair_baccarat.records import BetForm, ChainForm, CurrencyForm, HandForm, PayTableForm, TotalsForm
from provably_fair_baccarat.rules.bets import CATALOGUE, MAIN_BETS, SIDE_BETS
from provably_fair_baccarat.rules.odds import bettor_edges, odds
from provably_fair_baccarat.rules.tableau import TABLEAU

DOCS = Path(__file__).parents[2] / "docs"
SOURCE = Path(pfb.__file__).parent

SERVER_SEED = bytes(range(32)).hex()
MARKED = "7c5e1d9b3f8a2046-3e2d8157faae5379"
NONCE = 14
STAKES = {"player": 200, "banker": 333, "tie": 50}


def page(name):
    return (DOCS / name).read_text(encoding="utf-8")


def after(name, marker):
    """What a page says behind `<!-- marker -->`."""
    _, found, rest = page(name).partition(f"<!-- {marker} -->")
    assert found, f"{name} has no <!-- {marker} -->"
    return rest


def block_after(name, marker):
    return re.search(r"^```[a-z]+\n(.*?)^```$", after(name, marker), re.MULTILINE | re.DOTALL)[1]


def rows(text):
    """The cells of the first table in a text, without its two head rows."""
    lines = re.search(r"(^\|.*\|\n)+", text, re.MULTILINE)[0].splitlines()
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines[2:]]


def table_after(name, marker):
    return rows(after(name, marker))


@pytest.fixture(scope="module")
def alone():
    """The program that a bettor can read in one go, by its functions' names."""
    names = {}
    exec(block_after("how-to/verify-a-round.md", "standalone"), names)
    return names


# The protocol


def test_the_tableau_is_printed_as_the_program_reads_it():
    name, *columns = TABLEAU.splitlines()[0].split()
    text = after("reference/protocol.md", "tableau").lstrip()
    assert text.splitlines()[0] == f"| {name} | {' | '.join(columns)} |"
    assert rows(text) == [line.split() for line in TABLEAU.splitlines()[1:]]


def test_the_worked_example_follows_from_its_seeds(alone):
    label, size = "pfb1:8", 416
    message = f"{label}:{MARKED}:{NONCE}:0"
    stream = alone["words"](SERVER_SEED, label, MARKED, NONCE)
    words = [next(stream) for _ in range(8)]
    cut = words[0] % size
    assert block_after("reference/protocol.md", "worked example") == (
        f"server seed  {SERVER_SEED}\n"
        f"client seed  {MARKED}\n"
        f"nonce        {NONCE}\n"
        "decks        8\n"
        f"label        {label}\n"
        f"commitment   {alone['commitment'](SERVER_SEED, label)}\n"
        f"message      {message}\n"
        f"block 0      {b''.join(word.to_bytes(4, 'big') for word in words).hex()}\n"
        f"words        {' '.join(map(str, words))}\n"
        f"cut          {words[0]} mod {size} = {cut}\n"
    )
    draws, slots = [], list(range(size))
    for k, word in enumerate(words[1:7]):
        n = size - k
        limit = 2**32 - 2**32 % n
        assert word < limit
        j = k + word % n
        slots[k], slots[j] = slots[j], slots[k]
        card = (cut + slots[k]) % size
        name = "A23456789TJQK"[card % 13] + "shdc"[card % 52 // 13]
        draws.append([str(cell) for cell in (k, n, limit, word, word % n, j, card, k + 1, name)])
    assert table_after("reference/protocol.md", "worked example") == draws


def test_the_worked_example_is_what_the_package_deals_and_pays(alone):
    played = play_round(Seeds.commit(SERVER_SEED, MARKED), NONCE)
    cut, cards = alone["cut_and_cards"](SERVER_SEED, MARKED, NONCE, 8, "pfb1:8")
    assert (played.cut, [str(card) for card in played.cards]) == (cut, cards[:6])
    told = after("reference/protocol.md", "worked example")
    player, banker = (" ".join(map(str, hand.cards)) for hand in (played.coup.player, played.coup.banker))
    assert f"player {player[:5]}, score 0; banker {banker[:5]}, score 1; no natural" in told
    assert f"the player draws position 5, {player[6:]}: score {played.coup.player.score}" in told
    assert f"the banker draws position 6, {banker[6:]}: score {played.coup.banker.score}" in told
    assert f"{played.coup.player.score} against {played.coup.banker.score}: the {played.coup.winner.value} wins" in told
    settlement = settle(played.coup, STAKES)
    told = [[name, int(stake), status, int(text.split()[-1])] for name, stake, status, text in rows(told[told.index("| bet |") :])[:3]]
    assert told == [[line.bet, line.stake, line.status, line.returned] for line in settlement.lines.values()]
    totals = f"| sum | {settlement.staked} | net {settlement.net} | {settlement.returned} |"
    assert totals in after("reference/protocol.md", "worked example")


def test_the_known_coups_are_dealt_by_both_programs(alone):
    for known in json.loads(block_after("reference/protocol.md", "known answers")):
        label = f"pfb1:{known['decks']}"
        inputs = known["server_seed"], known["client_seed"], known["nonce"], known["decks"]
        cut, cards = alone["cut_and_cards"](*inputs, label)
        player, banker = alone["deal"](cards)
        told = [known[key] for key in ("cut", "cards", "player", "banker")]
        assert told == [cut, " ".join(cards[:6]), " ".join(player), " ".join(banker)]
        played = play_round(Seeds.commit(known["server_seed"], known["client_seed"], known["decks"]), known["nonce"])
        hands = [" ".join(map(str, each)) for each in (played.cards, played.coup.player.cards, played.coup.banker.cards)]
        assert told == [played.cut, *hands]


def test_the_known_rejections_have_a_rejected_word(alone):
    rejected = []
    for known in json.loads(block_after("reference/protocol.md", "known answers")):
        size = 52 * known["decks"]
        stream = alone["words"](known["server_seed"], f"pfb1:{known['decks']}", known["client_seed"], known["nonce"])
        if any(next(stream) >= 2**32 - 2**32 % n for n in (size, *range(size, size - 6, -1))):
            rejected.append(known["client_seed"])
    assert rejected == ["reject", "reject"]


def test_the_known_shoe_is_dealt_through_by_both_programs(alone):
    known = json.loads(block_after("reference/protocol.md", "known shoe"))
    label, size, client_seed = "pfb1-shoe:8", 416, "lucky 8s"
    cut, order = alone["cut_and_cards"](SERVER_SEED, client_seed, known["nonce"], 8, label, draws=size - 1)
    coups, slot, left = [], 1 + (alone["points"](order[0]) or 10), None
    burnt = slot
    while left != 0:
        if left is None and slot >= size - 14:
            left = 1
        player, banker = alone["deal"](order[slot : slot + 6])
        last = slot + len(player) + len(banker) - 1
        coups.append({"index": len(coups), "slots": [slot, last], "player": " ".join(player), "banker": " ".join(banker)})
        if left is not None:
            left -= 1
        elif last >= size - 14:
            left = 1
        slot = last + 1
    assert known == {
        "nonce": known["nonce"],
        "commitment": alone["commitment"](SERVER_SEED, label),
        "cut": cut,
        "first_cards": " ".join(order[:16]),
        "order_sha256": sha256(" ".join(order).encode()).hexdigest(),
        "burnt": burnt,
        "coups": len(coups),
        "last_coups": coups[-3:],
    }
    rounds = play_shoe(Seeds.commit(SERVER_SEED, client_seed, scheme="pfb1-shoe"), known["nonce"])
    assert [[" ".join(map(str, hand.cards)) for hand in (each.coup.player, each.coup.banker)] for each in rounds] == [
        [each["player"], each["banker"]] for each in coups
    ]
    assert (str(rounds[0].commitment), rounds[0].cut) == (known["commitment"], cut)


def test_the_known_chain_follows_from_its_last_link(alone):
    known = json.loads(block_after("reference/protocol.md", "known chain"))
    label, links = "pfb1-chain:8", [bytes([7]) * 32]
    for _ in range(known["length"]):
        links.insert(0, sha256(links[0]).digest())
    coups = []
    for nonce, link in enumerate(links[1:]):
        cut, cards = alone["cut_and_cards"](link.hex(), "lucky 8s", nonce, 8, label)
        coups.append({"nonce": nonce, "link": link.hex(), "cut": cut, "cards": " ".join(cards[:6])})
    commitment = sha256(f"{label}:{known['length']}:{links[0].hex()}".encode()).hexdigest()
    assert known == {"length": 3, "link_0": links[0].hex(), "commitment": commitment, "coups": coups}


def test_the_program_of_the_page_and_the_package_deal_the_same_coups(alone):
    for nonce in range(200):
        decks, client_seed = 1 + nonce % 8, f"Zoë:{nonce}"
        seeds = Seeds.commit(sha256(client_seed.encode()).hexdigest(), client_seed, decks)
        played = play_round(seeds, nonce)
        label = f"pfb1:{decks}"
        cut, cards = alone["cut_and_cards"](seeds.server_seed.reveal(), client_seed, nonce, decks, label)
        player, banker = alone["deal"](cards)
        assert alone["commitment"](seeds.server_seed.reveal(), label) == str(seeds.commitment)
        assert (played.cut, [str(card) for card in played.cards]) == (cut, cards[:6])
        assert [str(card) for card in played.coup.player.cards] == player
        assert [str(card) for card in played.coup.banker.cards] == banker


def test_the_protocol_has_its_eleven_steps():
    steps = re.findall(r"^## (\d+)\. ", page("reference/protocol.md"), re.MULTILINE)
    assert steps == [str(step) for step in range(1, 12)]


# Errors


def error_classes():
    found = [cls for _, cls in inspect.getmembers(errors, inspect.isclass) if issubclass(cls, errors.BaccaratError)]
    return sorted(found, key=lambda cls: inspect.getsourcelines(cls)[1])


def test_every_error_is_described_in_the_order_of_the_tree():
    told = re.findall(r"^### (.*)$", page("reference/errors.md"), re.MULTILINE)
    assert told == [cls.__name__ for cls in error_classes()]


@pytest.mark.parametrize("cls", error_classes(), ids=lambda cls: cls.__name__)
def test_an_error_is_described_as_it_is(cls):
    section = page("reference/errors.md").partition(f"### {cls.__name__}\n")[2].partition("\n#")[0]
    told = dict(re.findall(r"^- \*\*(.*?):\*\* (.*)$", section, re.MULTILINE))
    kind = "" if cls is errors.BaccaratError else f", a kind of `{cls.__base__.__name__}`"
    assert told["Code"] == f"`{cls.code}`{kind}"
    assert told["Meaning"] == " ".join(cls.__doc__.partition("\n\n")[0].split())
    assert told.keys() == {"Code", "Meaning", "Usual cause", "What to do"}


def test_every_slip_has_its_row():
    known = {code for code, _, _ in (*hex_form._SLIPS, *hex_form._WRONG_FORMS)} | {"nfc", "nfd", "trimmed", "case"}
    for path in SOURCE.rglob("*.py"):
        if "cli" not in path.relative_to(SOURCE).parts:
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Slip":
                    known |= {argument.value for argument in node.args[:1] if isinstance(argument, ast.Constant)}
    told = [code.strip("`") for code, _ in rows(page("reference/errors.md").partition("## Slips")[2])]
    assert told == sorted(known)


def test_every_slip_of_the_command_line_has_its_row():
    known = set()
    for path in (SOURCE / "cli").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Slip":
                known |= {argument.value for argument in node.args[:1] if isinstance(argument, ast.Constant)}
    general = {code.strip("`") for code, _ in rows(page("reference/errors.md").partition("## Slips\n")[2])}
    told = [code.strip("`") for code, _ in rows(page("reference/errors.md").partition("## Slips of the command line")[2])]
    assert told == sorted(known - general)


# The house


def signature_of(name, room=house):
    """How a class is made, or a function called, a parameter in each line; `...` for a default that is no plain value."""
    if name == "PostgresStore":
        pytest.importorskip("psycopg", reason="the store for PostgreSQL needs the extra postgres")
    lines, is_keyword_only = [f"{name}("], False
    for each in inspect.signature(getattr(room, name)).parameters.values():
        if each.kind is each.KEYWORD_ONLY and not is_keyword_only:
            lines.append("    *,")
            is_keyword_only = True
        is_plain = each.default in (None, ()) or (isinstance(each.default, (int, float)) and each.default < 10**9)
        default = "" if each.default is each.empty else f" = {each.default!r}" if is_plain else " = ..."
        lines.append(f"    {each.name}: {each.annotation}{default},")
    return "\n".join([*lines, ")"])


@pytest.mark.parametrize(
    "name", ["House", "SqliteStore", "PostgresStore", "Limits", "Exclusion", "LossLimit", "MinimumInterval", "SessionTime"]
)
def test_the_page_says_how_a_class_of_the_house_is_made(name):
    assert signature_of(name) in block_after("reference/house.md", "signatures").rstrip().split("\n\n")


@pytest.mark.parametrize("name", ["router", "Feed"])
def test_the_page_says_how_the_router_is_made(name):
    pytest.importorskip("fastapi", reason="the router needs the extra web")
    from provably_fair_baccarat import web

    assert signature_of(name, web) in block_after("reference/http.md", "signatures").rstrip().split("\n\n")
    told = [cells[0].strip("`") for cells in table_after("reference/http.md", name.lower())]
    assert told == list(inspect.signature(getattr(web, name)).parameters)


# Bets


def test_the_catalogue_is_listed_with_its_usual_pay():
    told = table_after("reference/bets.md", "catalogue")
    assert [row[0] for row in told] == [f"`{bet.name}`" for bet in (*MAIN_BETS, *SIDE_BETS)]
    for name, _, multiplier, edge, needs in told:
        bet = CATALOGUE[name.strip("`")]
        assert needs == bet.needs
        assert edge == f"{float(100 * odds(bet.name, pfb.ALL_BETS).house_edge):.4f} %"
        if bet in MAIN_BETS:
            assert multiplier == str(getattr(pfb.PUNTO_BANCO, f"{bet.name}_multiplier"))
            continue
        payouts = pfb.ALL_BETS.side_bets[bet.name]
        listed = [str(payouts[name]) if bet.payouts == ("won",) else f"{name} {payouts[name]}" for name in bet.payouts]
        assert multiplier == ", ".join(listed)


def test_the_ready_pay_tables_are_listed():
    text = page("reference/bets.md").partition("## Ready pay tables")[2]
    told = rows(text)
    assert [row[0].strip("`").lower() for row in told] == list(pfb.PAY_TABLES)
    for (_, player, banker, tie, _, sides, step), table in zip(told, pfb.PAY_TABLES.values(), strict=True):
        assert [player, banker, tie] == [str(table.player_multiplier), str(table.banker_multiplier), str(table.tie_multiplier)]
        assert int(step) == pfb.stake_step(table)
        if len(table.side_bets) < len(SIDE_BETS):
            assert set(re.findall(r"`(\w+)`", sides)) == set(table.side_bets)
    for name, table in (("SUPER_SIX", pfb.SUPER_SIX), ("EZ_BACCARAT", pfb.EZ_BACCARAT)):
        assert f"{float(100 * odds('banker', table).house_edge):.4f} % under `{name}`" in text
        assert not bettor_edges(table)
    paired = pfb.DRAGON_BONUS_PAIRED
    player, banker = (odds(f"dragon_bonus_{hand}", paired) for hand in ("player", "banker"))
    assert pfb.DRAGON_BONUS.side_bets == {bet: pfb.ALL_BETS.side_bets[bet] for bet in paired.side_bets}
    payouts = ", ".join(f"{name} {paired.side_bets[player.bet][name]}" for name in CATALOGUE[player.bet].payouts)
    edges = [f"{float(100 * bet.house_edge):.4f} %" for bet in (player, banker)]
    assert f"{payouts}. Its house edge is {edges[0]} on the player and {edges[1]} on the banker." in " ".join(text.split())


@pytest.mark.parametrize("name", ["reference/bets.md", "reference/cli.md", "reference/api.md"])
def test_a_page_names_every_ready_pay_table(name):
    names = ", ".join(f"`{table}`" for table in pfb.PAY_TABLES)
    assert names in " ".join(page(name).split())


# Schemes


def decks_told(scheme):
    decks = scheme.read_decks(MAX_DECKS)
    if decks is None:
        return "infinitely many"
    return f"1 to {MAX_DECKS}" if decks == MAX_DECKS else str(decks)


def test_every_scheme_is_listed_as_it_is():
    told = []
    for name, scheme in SCHEMES.items():
        coup_or_shoe = "a shoe" if scheme.deals_shoes else "a coup"
        committed = f"always, to {'a chain' if scheme.deals_from_chains else 'the server seed'}"
        told.append(
            [
                f"`{name}`",
                decks_told(scheme),
                coup_or_shoe if scheme.has_nonces else "not there",
                committed if scheme.needs_commitment else "may be missing",
                "yes" if scheme.is_unbiased else "not proved",
            ]
        )
    assert table_after("reference/schemes.md", "schemes") == told


@pytest.mark.parametrize("scheme", SCHEMES.values(), ids=list(SCHEMES))
def test_a_scheme_is_described_with_what_it_says_of_its_drawing(scheme):
    sections = page("reference/schemes.md").split("\n## ")[1:]
    section = next(section for section in sections if section.startswith(f"{scheme.name}\n"))
    told = dict(re.findall(r"^- \*\*(.*?):\*\* (.*)$", section, re.MULTILINE))
    assert list(told) == ["Commits to", "Cards", "Proves", "Does not prove", "Says of its drawing"]
    assert told["Says of its drawing"] == scheme.drawing


def test_the_schemes_have_their_sections_in_order():
    headings = re.findall(r"^## (.*)$", page("reference/schemes.md"), re.MULTILINE)
    assert headings[: len(SCHEMES)] == list(SCHEMES)


def test_the_list_of_a_house_is_printed_as_it_is_sorted():
    assert block_after("reference/schemes.md", "bcgame list").split() == [str(card) for card in LIST]


# Records


def worked_record():
    seeds = Seeds.commit(SERVER_SEED, MARKED)
    played = play_round(seeds, NONCE)
    record = RoundRecord.from_round(
        played,
        settle(played.coup, STAKES),
        server_seed=seeds.server_seed,
        client_seed_made_by="bettor",
        currency=("USD", 2),
    )
    return {**record.to_dict(), "accepted_at": "2026-11-29T12:00:00.25Z", "settled_at": "2026-11-29T12:00:01Z"}


def test_the_record_shown_is_that_of_the_worked_example():
    text = block_after("reference/record.md", "record")
    assert json.loads(text) == worked_record()
    assert list(json.loads(text)) == list(RoundRecord.model_fields)
    record = RoundRecord.parse_json(text)
    assert record.to_dict() == worked_record()
    assert pfb.verify_record(record).guarantees["client_seed_after_commitment"].grade is pfb.Grade.PROVED


def test_every_field_of_a_record_is_described():
    text = page("reference/record.md")

    def told(part):
        return [name for row in rows(part) for name in re.findall(r"`(\w+)`", row[0])]

    assert told(text.partition("## Fields")[2]) == list(RoundRecord.model_fields)
    assert told(text.partition("Inside `pay_table`:")[2]) == list(PayTableForm.model_fields)
    for form in (ChainForm, HandForm, BetForm, TotalsForm, CurrencyForm):
        for name in form.model_fields:
            assert f"`{name}`" in text


# Verification


def test_the_guarantees_are_listed():
    verified = pfb.verify_record(RoundRecord.parse_json(json.dumps(worked_record())))
    assert [row[0].strip("`") for row in table_after("explanation/what-is-proved.md", "guarantees")] == list(verified.guarantees)


# The API


def test_every_name_at_the_front_door_is_described():
    told = set(re.findall(r"^\.\. (?:auto\w+|py:data):: (\w+)(?:\(\))?$", page("reference/api.md"), re.MULTILINE))
    assert set(pfb.__all__) - {"__version__", "errors"} <= told


# The command line


def test_every_command_and_option_is_described():
    commands = get_command(app).commands
    text = page("reference/cli.md")
    assert re.findall(r"^## pfb (.*)$", text, re.MULTILINE) == re.findall(r"^\| \[`pfb ([\w-]+)`\]", text, re.MULTILINE)
    assert set(re.findall(r"^## pfb (.*)$", text, re.MULTILINE)) == set(commands)
    for name, command in commands.items():
        section = text.partition(f"\n## pfb {name}\n")[2].partition("\n## ")[0]
        inside = getattr(command, "commands", {})
        assert re.findall(r"^### pfb (.*)$", section, re.MULTILINE) == [f"{name} {each}" for each in inside]
        described = {each: section.partition(f"\n### pfb {name} {each}\n")[2].partition("\n### ")[0] for each in inside} or {name: section}
        for each, part in described.items():
            parameters = inside.get(each, command).params
            options = [parameter.opts[-1] for parameter in parameters if parameter.param_type_name == "option"]
            assert [row[0].strip("`") for row in rows(part)] == [option for option in options if option != "--help"]


def test_the_table_of_contents_leads_to_every_page():
    pages = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md") if "_build" not in path.parts}
    assert sorted(re.findall(r"^- \[[^]]*\]\(([^)]*)\)$", page("index.md"), re.MULTILINE)) == sorted(pages - {"index.md"})
    assert "(docs/index.md)" in (DOCS.parent / "README.md").read_text(encoding="utf-8")


def test_the_readme_names_every_command():
    text = (DOCS.parent / "README.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `pfb ([\w-]+)` \|", text, re.MULTILINE)) == set(get_command(app).commands)
