"""Refused bets in an audit: held against the coups that took their nonces, wherever these lie, and compared in its report."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest

pytest.importorskip("numpy", reason="audits need numpy")
pa = pytest.importorskip("pyarrow", reason="audits need pyarrow")

from provably_fair_baccarat import PUNTO_BANCO, RoundRecord, Seeds, play_round, settle  # noqa: E402
from provably_fair_baccarat.audit import audit  # noqa: E402
from provably_fair_baccarat.errors import AuditError, FundsError  # noqa: E402
from provably_fair_baccarat.house import House, SqliteStore, Vault  # noqa: E402

ROUNDS = 40


@pytest.fixture(scope="module")
def night():
    """Two seed pairs, and bets that were refused at every third nonce, one of them where there is no round."""
    lines, refusals, expected = [], [], {}
    for pair in range(2):
        seeds = Seeds.commit((bytes([pair + 1]) * 32).hex(), f"bettor {pair}")
        commitment = str(seeds.commitment)
        for nonce in range(ROUNDS):
            played = play_round(seeds, nonce)
            record = RoundRecord.from_round(played, settle(played.coup, {"player": 20}), server_seed=seeds.server_seed)
            lines.append(record.to_json() + b"\n")
            if nonce % 3 == 0:
                bets = {"banker": 333, "tie": 1 + nonce}
                given = [{"bet": bet, "stake": str(stake)} for bet, stake in bets.items()]
                given += [{"bet": "lottery", "stake": "5"}, {"bet": "player", "stake": "0.5"}]
                refusals.append({"commitment": commitment, "nonce": nonce, "bets": given, "reason": "limit"})
                for bet, line in settle(played.coup, bets).lines.items():
                    staked, returned = expected.get(bet, (0, 0))
                    expected[bet] = staked + line.stake, returned + line.returned
        refusals.append({"commitment": commitment, "nonce": ROUNDS, "bets": [{"bet": "tie", "stake": "5"}], "reason": "closed"})
    return lines, refusals, expected


@pytest.fixture
def files(night, tmp_path):
    lines, refusals, _ = night
    folder = tmp_path / "rounds"
    folder.mkdir()
    for part in range(4):
        (folder / f"{part}.jsonl").write_bytes(b"".join(lines[part::4]))
    (tmp_path / "refused.jsonl").write_text("\n".join(map(json.dumps, refusals)))
    return folder, tmp_path / "refused.jsonl"


def sums_of(tally):
    return {key.bet: (each.total.staked, each.total.returned) for key, each in tally.bets.items()}


@pytest.mark.parametrize("workers", [1, 3])
def test_refused_bets_are_settled_as_if_they_had_been_taken(night, files, workers):
    folder, refused = files
    result = audit(folder, refusals=refused, workers=workers)
    assert dict(result.finding_counts) == {}
    assert sums_of(result.refused) == night[2]
    assert result.refused.places == 2 * 14
    assert result.refused.unsettled == 2 * 14  # there is no lottery
    assert {key.pay_table for key in result.refused.bets} == {PUNTO_BANCO.digest}
    assert result.refused == audit(folder, refusals=pa.Table.from_pylist(night[1])).refused
    assert audit(folder).refused.places == 0


def test_an_audit_with_other_refusals_does_not_go_on(files, tmp_path):
    folder, refused = files
    first = audit(folder, refusals=refused, work=tmp_path / "work")
    assert audit(folder, refusals=refused, work=tmp_path / "work").refused == first.refused
    lines = refused.read_text().splitlines()
    refused.write_text("\n".join(reversed(lines)))
    assert audit(folder, refusals=refused, work=tmp_path / "work").refused == first.refused
    refused.write_text("\n".join(lines[1:]))
    with pytest.raises(AuditError, match="other refusals"):
        audit(folder, refusals=refused, work=tmp_path / "work")


def refused_at(commitment, nonce, *bets, reason="limit"):
    return {"commitment": commitment, "nonce": nonce, "bets": [{"bet": bet, "stake": stake} for bet, stake in bets], "reason": reason}


WRONG = [
    ("unreadable", lambda pair: refused_at(pair, -1, ("player", "5"))),
    ("unreadable", lambda pair: refused_at(pair, 2**53, ("player", "5"))),
    ("unreadable", lambda pair: refused_at(pair, None, ("player", "5"))),
    ("unreadable", lambda pair: refused_at(pair[:-1], 1, ("player", "5"))),
    ("unreadable", lambda pair: refused_at(None, 1, ("player", "5"))),
    ("unreadable", lambda pair: refused_at(pair, 1, (None, "5"))),
    ("unreadable", lambda pair: refused_at(pair, 1, ("player", None))),
    ("unreadable", lambda pair: {**refused_at(pair, 1), "bets": None}),
    ("no_pair", lambda _: refused_at("01" * 32, 1, ("player", "5"))),
    ("no_round", lambda pair: refused_at(pair, ROUNDS + 59, ("player", "5"))),
    ("no_stake", lambda pair: refused_at(pair, 1, ("player", "0"))),
    ("no_stake", lambda pair: refused_at(pair, 1, ("player", "-5"))),
    ("no_stake", lambda pair: refused_at(pair, 1, ("player", "1" + "0" * 38))),
    ("unsettled", lambda pair: refused_at(pair, 1, ("lottery", "5"))),
]


@pytest.mark.parametrize(("name", "make"), WRONG)
def test_what_is_held_against_no_round_is_counted(night, files, name, make):
    """Nobody learns from a table of refused bets that does not fit the rounds: so an audit says that it does not."""
    folder, _ = files
    good = refused_at(night[1][0]["commitment"], 0, ("banker", "5"))
    table = pa.Table.from_pylist([good, make(good["commitment"])])
    result = audit(folder, refusals=table)
    names = ("unreadable", "no_pair", "no_round", "no_stake", "unsettled")
    assert {each: result.refusals[each] for each in names} == {each: int(each == name) for each in names}
    assert result.refusals["refusals"] == 2
    assert sum(result.refusals["bets"].values()) == 2 - (name == "unreadable")
    assert sum(each.total.staked for each in result.refused.bets.values()) == 5
    assert result.is_clean


def test_a_pair_without_rounds_is_known_from_the_table_of_seeds(files):
    folder, _ = files
    refused = pa.Table.from_pylist([refused_at("01" * 32, 0, ("player", "5"))])
    seeds = pa.Table.from_pylist([{"commitment": "01" * 32, "server_seed": None, "coups": 0}])
    assert [audit(folder, refusals=refused).refusals[name] for name in ("no_pair", "no_round")] == [1, 0]
    assert [audit(folder, refusals=refused, seeds=seeds).refusals[name] for name in ("no_pair", "no_round")] == [0, 1]


def test_stakes_in_any_spelling(night, files, tmp_path):
    folder, _ = files
    commitment = night[1][0]["commitment"]
    for stake in (5, "5", Decimal(5)):
        assert stakes_of(audit(folder, refusals=pa.Table.from_pylist([refused_at(commitment, 0, ("banker", stake))]))) == {"banker": 5}
    for stake in (True, "05", "5.0", Decimal("5.5")):
        table = pa.Table.from_pylist([refused_at(commitment, 0, ("banker", stake))])
        assert audit(folder, refusals=table).refusals["no_stake"] == 1
    path = tmp_path / "refused.csv"
    path.write_text(f"commitment,nonce,bets,reason\n{commitment},0,banker:5 tie:7 banker:2,limit\n{commitment},1,banker,limit\n")
    result = audit(folder, refusals=path)
    assert stakes_of(result) == {"banker": 7, "tie": 7}
    assert result.refusals["unreadable"] == 1


def stakes_of(result):
    return {key.bet: each.total.staked for key, each in result.refused.bets.items()}


def test_a_house_brings_its_refusals(tmp_path):
    path = tmp_path / "house.db"
    with House(SqliteStore(path), Vault({"key": bytes(32)}.__getitem__, "key"), pay_table=PUNTO_BANCO) as house:
        house.deposit("ann", 10_000, key="deposit")
        pair = house.choose_client_seed(house.commit("ann"), "lucky 8s")
        winners = []
        for number in range(20):
            with pytest.raises(FundsError):
                house.play(pair, {"banker": 10**9}, key=f"too much {number}")
            winners.append(house.play(pair, {"player": 20}, key=str(number)).winner)
        house.rotate(pair)
    result = audit(path)
    assert result.refused.places == 20
    returned = sum({"player": 0, "banker": 1_950_000_000, "tie": 10**9}[winner] for winner in winners)
    assert sums_of(result.refused) == {"banker": (20 * 10**9, returned)}


def test_the_report_compares_refused_bets(files, tmp_path):
    pytest.importorskip("scipy", reason="statistics need scipy")
    pytest.importorskip("matplotlib", reason="reports need matplotlib")
    from provably_fair_baccarat.audit.report import write_report

    folder, refused = files
    told, page = write_report(audit(folder, refusals=refused), tmp_path / "report")
    names = [
        each["subject"].partition(",")[0]
        for each in json.loads(told.read_bytes())["statistics"]["comparisons"]
        if each["name"] == "refused_return"
    ]
    assert names == ["banker", "tie", "all bets"]
    assert "What refused bets would have returned" in page.read_text(encoding="utf-8")
