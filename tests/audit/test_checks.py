"""Every check, with a broken round for it; and that sound rounds have no finding, by every scheme, table and path."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

pa = pytest.importorskip("pyarrow", reason="audits need pyarrow")

from provably_fair_baccarat import ALL_BETS, EZ_BACCARAT, SUPER_SIX, Bet, PayTable, RoundRecord, kernel_info  # noqa: E402
from provably_fair_baccarat.audit import CODES, Settler, audit, audit_batches  # noqa: E402

SCHEMES = ["pfb1", "pfb1-chain", "pfb1-shoe"]


def codes_of(result):
    return dict(result.finding_counts)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("table", [ALL_BETS, SUPER_SIX, EZ_BACCARAT], ids=["all_bets", "super_six", "ez_baccarat"])
def test_sound_rounds_have_no_finding(scheme, table, records, table_of, audited):
    rounds = records(scheme, 2, 12, table, decks=6)
    result = audited(table_of(rounds))
    assert (codes_of(result), result.rounds, result.pairs.pairs) == ({}, len(rounds), 2)
    assert result.pairs.complete == result.pairs.sound == 2
    assert result.lines == sum(len(record.bets) for record in rounds)
    assert result.is_clean


def test_every_path_of_the_kernel_gives_the_same(records, table_of):
    table = table_of(records("pfb1", 3, 40))
    broken = table_of([*records("pfb1", 3, 40)[:-1], change(records("pfb1", 3, 40)[-1], cut=7)])
    for path in kernel_info().paths:
        assert codes_of(audit(table, path=path)) == {}
        assert codes_of(audit(broken, path=path)) == {"cut": 1}


def change(record, **changed):
    """A record with some of its JSON changed, as a line, whether or not it is still a record."""
    return json.dumps({**record.to_dict(), **changed}).encode()


def other(card):
    return "2s" if card != "2s" else "3s"


def broken(record):
    """A broken round for each code that one round can have, by the code."""
    told = record.to_dict()
    cards = told["cards"]
    name = next(iter(told["bets"]))
    bet = told["bets"][name]

    def with_bet(**changed):
        return {**told["bets"], name: {**bet, **changed}}

    yield "not_revealed", {"server_seed": None}
    yield "commitment", {"server_seed": "ab" * 32}
    yield "commitment", {"commitment": "ab" * 32}
    yield "cut", {"cut": (told["cut"] + 1) % 416}
    yield "cards", {"cards": [other(cards[0]), *cards[1:]]}
    yield "cards", {"cards": [*cards[:5], other(cards[5])]}
    yield "hands", {"player": {**told["player"], "cards": [other(cards[0]), *told["player"]["cards"][1:]]}}
    yield "score", {"banker": {**told["banker"], "score": (told["banker"]["score"] + 1) % 10}}
    yield "natural", {"natural": not told["natural"]}
    yield "winner", {"winner": "tie" if told["winner"] != "tie" else "player"}
    yield "status", {"bets": with_bet(status="pushed" if bet["status"] != "pushed" else "lost")}
    yield "returned", {"bets": with_bet(returned=str(int(bet["returned"]) + 1))}
    yield "totals", {"totals": {**told["totals"], "staked": str(int(told["totals"]["staked"]) + 1)}}
    yield "totals", {"totals": {**told["totals"], "returned": str(int(told["totals"]["returned"]) + 1)}}
    yield "totals", {"totals": {**told["totals"], "net": "5"}}
    yield "pay_table", {"pay_table_digest": "00" * 32}
    yield "pay_table", {"pay_table": {**told["pay_table"], "tie_multiplier": "8.0"}}
    yield "bet", {"bets": {**told["bets"], "panda8": bet}}
    yield "bet", {"pay_table": {**told["pay_table"], "stake_step": "999983"}}
    yield "scheme", {"label": "pfb1:7"}
    yield "client_seed", {"client_seed_hex": "00"}
    yield "unreadable", {"winner": "nobody"}
    yield "unreadable", {"nonce": -1}
    yield "unreadable", {"surplus": 1}
    yield "time", {"accepted_at": "2026-01-01T00:00:01Z", "settled_at": "2026-01-01T00:00:02Z"}


def test_a_broken_round_is_found_as_what_it_is(records, tmp_path):
    record = next(each for each in records("pfb1", 1, 9) if each.bets)
    rest = [each.to_json() for each in records("pfb1", 1, 9) if each.nonce != record.nonce]
    met = set()
    for code, changed in broken(record):
        if code == "time":
            continue
        (tmp_path / "rounds.jsonl").write_bytes(b"\n".join([*rest, change(record, **changed)]))
        result = audit(tmp_path / "rounds.jsonl")
        assert code in result.finding_counts, (code, changed, result.finding_counts)
        finding = next(each for each in result.findings if each.code == code)
        assert (finding.source, finding.row) == (str(tmp_path / "rounds.jsonl"), 9)
        assert "ab" * 32 not in finding.found + finding.expected
        assert not result.is_clean
        assert result.tally.rounds - result.tally.unsound == 8, (code, changed)
        assert sum(shoe.rounds for shoe in result.tally.shoes.values()) == 8
        assert result.pairs.sound == 0
        met.add(code)
    assert len(met) == 16


@pytest.mark.parametrize(
    ("code", "changed"),
    [("scheme", {"label": "pfb1:7"}), ("client_seed", {"client_seed_hex": "00"}), ("totals", {"totals": {"net": "5"}})],
)
def test_a_record_that_contradicts_itself_is_not_sound(code, changed, records, table_of, audited):
    """Its cards follow from its seeds, and yet something was found against it, so it is counted in nothing."""
    one, two = records("pfb1", 1, 2)
    changed = {name: {**one.to_dict()["totals"], **value} if name == "totals" else value for name, value in changed.items()}
    result = audited(table_of([change(one, **changed), two]))
    assert codes_of(result) == {code: 1}
    assert (result.tally.rounds, result.tally.unsound, result.pairs.complete, result.pairs.sound) == (2, 1, 1, 0)
    assert sum(result.tally.shoes[8].classes) == 1
    finding = result.findings[0]
    assert (finding.row, finding.nonce, finding.commitment) == (1, 0, str(one.commitment))
    foreign = table_of([one, two]).append_column("provably_fair_baccarat.differences", pa.array([1, 2]))
    assert codes_of(audited(foreign)) == {}


def test_a_broken_round_never_stops_the_audit(records, tmp_path):
    """A hundred sound rounds stay sound among all kinds of broken ones."""
    sound = records("pfb1", 2, 50)
    record = next(each for each in records("pfb1", 1, 9, seed=5) if each.bets)
    lines = [each.to_json() for each in sound] + [change(record, **changed) for _, changed in broken(record)] + [b"{", b"[]", b"\xff"]
    (tmp_path / "rounds.jsonl").write_bytes(b"\n".join(lines))
    result = audit(tmp_path / "rounds.jsonl")
    assert result.pairs.sound == 2
    assert result.tally.rounds - result.tally.unsound >= 100
    assert {finding.code for finding in result.findings} <= CODES.keys()


def test_times_of_a_round(records, table_of, audited):
    table = table_of(records("pfb1", 1, 3))
    at = [datetime(2026, 1, 1, 0, 0, second, tzinfo=UTC) for second in range(4)]
    kind = pa.timestamp("us", "UTC")

    def codes(accepted, settled, revealed):
        names = ("accepted_at", "settled_at", "revealed_at")
        changed = dict(zip(names, (pa.array(each, kind) for each in (accepted, settled, revealed)), strict=True))
        return codes_of(audited(with_columns(table, changed)))

    assert codes(at[:3], at[1:], [at[3]] * 3) == {}
    assert codes(at[:3], [None] * 3, [None] * 3) == {}
    assert codes([at[1], None, at[2]], [at[0], None, at[3]], [None] * 3) == {"time": 1}
    assert codes(at[:3], at[1:], [at[2]] * 3) == {"time": 1}
    assert codes([at[1], None, at[0]], [None] * 3, [None] * 3) == {"time_order": 1}


def with_columns(table, columns):
    for name, column in columns.items():
        place = table.schema.get_field_index(name)
        table = table.append_column(name, column) if place < 0 else table.set_column(place, name, column)
    return table


def test_the_likely_slip_is_named(records, table_of, audited):
    one, two = records("pfb1", 1, 2)
    swapped = change(one, cut=two.cut, cards=[str(card) for card in two.cards])
    result = audited(table_of([swapped, two]))
    assert {finding.code for finding in result.findings} >= {"cut", "cards"}
    hint = next(finding.hint for finding in result.findings if finding.code == "cards")
    assert hint == "The nonce is one too low: these are the cards of nonce 1."


def test_a_link_that_does_not_lead_to_the_anchor(records, table_of, audited):
    rounds = records("pfb1-chain", 2, 8)
    assert codes_of(audited(table_of(rounds[::-1]))) == {}
    wrong = change(rounds[3], server_seed="cd" * 32)
    result = audited(table_of([*rounds[:3], wrong, *rounds[4:]]))
    assert codes_of(result) == {"link": 1}
    assert result.findings[0].nonce == 3
    other_place = change(rounds[3], server_seed=rounds[4].server_seed)
    assert codes_of(audited(table_of([*rounds[:3], other_place, *rounds[4:]])))["link"] == 1
    beyond = change(rounds[3], nonce=8)
    assert codes_of(audited(table_of([*rounds[:3], beyond, *rounds[4:]])))["nonce"] == 1
    other_chain = change(rounds[3], chain={"anchor": "ee" * 32, "length": 8})
    assert codes_of(audited(table_of([*rounds[:3], other_chain, *rounds[4:]])))["commitment"] == 1
    no_chain = change(rounds[3], chain=None)
    assert codes_of(audited(table_of([*rounds[:3], no_chain, *rounds[4:]])))["unreadable"] == 1


def test_coups_of_a_shoe(records, table_of, audited):
    rounds = records("pfb1-shoe", 1)
    last = rounds[-1].index
    assert codes_of(audited(table_of(rounds[:-1]))) == {"coup_missing": 1}
    assert codes_of(audited(table_of([*rounds, rounds[5]]))) == {"nonce_twice": 1}
    moved = change(rounds[5], index=last + 1)
    assert codes_of(audited(table_of([*rounds[:5], moved, *rounds[6:]]))) == {"nonce": 1, "coup_missing": 1}
    result = audited(table_of([*rounds[:7], change(rounds[7], client_seed="another", client_seed_hex=b"another".hex()), *rounds[8:]]))
    assert codes_of(result)["client_seed_twice"] == 1
    nowhere = table_of(rounds, index=[None, *range(1, len(rounds))])
    assert codes_of(audited(nowhere))["unreadable"] == 1


def test_amounts_beyond_64_bits_are_exact(records, table_of, audited):
    huge = 10**38 - 1
    table = PayTable(banker_multiplier="1.95")
    from provably_fair_baccarat import RoundRecord, Seeds, ServerSeed, play_round, settle

    seeds = Seeds.commit(ServerSeed(bytes(32)), "amounts")
    amounts = [1, 2**63 // 1950000, 2**63 // 1950000 + 1, 2**63 - 1, 2**63, 2**64 + 1, huge * 100 // 195 // 2]
    rounds = []
    for nonce, stake in enumerate(amounts):
        each = play_round(seeds, nonce)
        bets = dict.fromkeys(("banker", "player"), stake)
        rounds.append(RoundRecord.from_round(each, settle(each.coup, bets, table), server_seed=seeds.server_seed))
    result = audited(table_of(rounds))
    assert codes_of(result) == {}
    assert result.pairs.sound == 1
    for place, record in enumerate(rounds):
        bets = record.to_dict()["bets"]
        name = next((name for name in bets if bets[name]["returned"] != "0"), None)
        if name is None:
            continue
        bets[name]["returned"] = str(int(bets[name]["returned"]) - 1)
        wrong = [*rounds[:place], change(record, bets=bets), *rounds[place + 1 :]]
        assert codes_of(audited(table_of(wrong))) == {"returned": 1}, place


def test_too_much_in_all_is_found(records, table_of, audited):
    record = next(each for each in records("pfb1", 1, 30) if len(each.bets) > 1)
    bets = {name: {**bet, "stake": str(10**38 - 1)} for name, bet in record.to_dict()["bets"].items()}
    assert "totals" in codes_of(audited(table_of([change(record, bets=bets)])))


def test_own_bets_and_tables_by_their_digest(records, table_of, audited):
    own = Bet("banker_nine", lambda coup: coup.banker.score == 9, "scores")
    many = Bet("red", lambda coup: coup.player.cards[0].suit.value in "hd", "suits")
    points = Bet("third_ace", lambda coup: len(coup.player.cards) == 3 and coup.player.cards[2].points == 1, "points")
    table = PayTable(side_bets={"banker_nine": "5.0", "red": "1.9", "third_ace": "12.0"}, bets=[own, many, points])
    rounds = records("pfb1", 2, 60, table)
    assert codes_of(audited(table_of(rounds), bets=[own, many, points])) == {}
    assert codes_of(audited(table_of(rounds))) == {"pay_table": 120}
    by_digest = table_of(rounds).drop_columns(["pay_table"])
    assert codes_of(audited(by_digest, pay_tables=[table])) == {}
    assert codes_of(audited(by_digest)) == {"pay_table": 120}
    assert codes_of(audited(table_of(records("pfb1", 1, 20)).drop_columns(["pay_table"]))) == {}


def test_a_pay_table_has_one_spelling(records, table_of, audited):
    table = table_of(records("pfb1", 1, 3))
    text = table.column("pay_table")[0].as_py()
    for wrong in (text.replace('"2.0"', '"2.00"'), text + " ", text.replace(":", ": "), "{}", "null", ""):
        assert codes_of(audited(with_columns(table, {"pay_table": pa.array([wrong] * 3)}))) == {"pay_table": 3}, wrong


def test_rounds_of_other_schemes(records, table_of, audited, tmp_path, vectors):
    table = table_of(records("pfb1", 1, 3))
    assert codes_of(audited(with_columns(table, {"scheme": pa.array(["stake"] * 3)}))) == {"scheme": 3}
    from provably_fair_baccarat import Seeds, play_round, settle

    seeds = Seeds.commit("server seed", "client seed", scheme="stake")
    lines = []
    for nonce in range(3):
        each = play_round(seeds, nonce)
        lines.append(RoundRecord.from_round(each, settle(each.coup, {"tie": 5}), server_seed=seeds.server_seed))
    (tmp_path / "stake.jsonl").write_bytes(b"\n".join([lines[0].to_json(), change(lines[1], winner="tie"), lines[2].to_json()]))
    result = audited(tmp_path / "stake.jsonl")
    assert (codes_of(result), result.rounds, result.lines) == ({"hands": 1}, 3, 3)
    unknown = lines[0].to_json().replace(b'"scheme":"stake"', b'"scheme":"nobody"')
    (tmp_path / "stake.jsonl").write_bytes(unknown)
    assert codes_of(audited(tmp_path / "stake.jsonl")) == {"scheme": 1}


def test_no_finding_repeats_a_server_seed(records, table_of, audited):
    """Not even where it stands in the wrong column, or is badly spelled."""
    rounds = records("pfb1", 1, 4)
    secret = "5e" * 32
    table = table_of(rounds)
    for name in ("server_seed", "commitment", "pay_table_digest"):
        for text in (secret.upper(), secret + "0", f" {secret}"):
            result = audited(with_columns(table, {name: pa.array([text] * 4)}))
            assert codes_of(result)
            assert "5e5e5e" not in result.to_json().decode().lower().replace(str(rounds[0].commitment), "")
    result = audited(with_columns(table, {"server_seed": pa.array([secret] * 4)}))
    assert codes_of(result) == {"commitment": 4}
    assert secret not in result.to_json().decode()


def test_buckets_are_bounded(records, table_of):
    from provably_fair_baccarat.errors import AuditError

    for buckets in (0, -1, 1 << 16):
        with pytest.raises(AuditError):
            list(audit_batches(table_of(records()).to_batches(), buckets=buckets, settler=Settler()))
