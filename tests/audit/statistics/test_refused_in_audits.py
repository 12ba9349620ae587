"""Refused bets in an audit: held against the coups that took their nonces, wherever these lie, and compared in its report."""

from __future__ import annotations

import json

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
