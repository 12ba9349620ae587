"""A house that plays by the protocol and throws seed pairs away which did not suit it: every round is right, and all together are not."""

from __future__ import annotations

from collections import defaultdict

import pytest

np = pytest.importorskip("numpy", reason="audits need numpy")
pa = pytest.importorskip("pyarrow", reason="audits need pyarrow")
pc = pytest.importorskip("pyarrow.compute", reason="audits need pyarrow")
pytest.importorskip("scipy", reason="statistics need scipy")

from provably_fair_baccarat.audit.specimens import Plan, honest_batches  # noqa: E402
from provably_fair_baccarat.audit.statistics import Statistics  # noqa: E402
from provably_fair_baccarat.audit.statistics.comparison import FINE, POOLED  # noqa: E402


def rounds_of(entropy, rounds=120_000, pairs=2400):
    return pa.Table.from_batches(list(honest_batches(Plan(rounds, bytes([entropy]) * 32, pairs=pairs))))


def without_the_worst(table, bet, share):
    """The rounds without the share of seed pairs at which the house won least on a bet."""
    won = defaultdict(int)
    for row in table.select(["commitment", "bets"]).to_pylist():
        for line in row["bets"]:
            won[row["commitment"]] += (int(line["stake"]) - int(line["returned"])) * (line["bet"] == bet)
    kept = sorted(won, key=lambda commitment: (won[commitment], commitment))[int(len(won) * share) :]
    return table.filter(pc.is_in(table["commitment"].cast(pa.binary()), value_set=pa.array(kept, pa.binary())))


def statistics_of(audited, table):
    result = audited(table)
    assert result.is_clean
    return Statistics.of(result.tally, result.serial)


@pytest.fixture(scope="module")
def honest():
    return rounds_of(1)


@pytest.mark.parametrize("bet", ["tie", "player", "banker"])
def test_a_house_that_drops_one_pair_in_twenty_is_seen(audited, honest, bet):
    found = statistics_of(audited, without_the_worst(honest, bet, 0.05))
    flagged = {(each.name, each.subject, each.level) for each in found.flagged}
    assert ("return", f"{bet}, EUR", POOLED) in flagged
    worst = found.comparison("return", f"{bet}, EUR")
    assert worst.statistic < -4
    parts = [each for each in found.comparisons if each.level == FINE and each.subject.startswith(f"{bet},") and each.name == "return"]
    assert len(parts) > 3
    assert worst.p_value < min(each.p_value for each in parts), "a bias that is in all parts is seen in all of them together"


@pytest.mark.parametrize("entropy", range(1, 7))
def test_an_honest_house_is_left_alone(audited, entropy):
    found = statistics_of(audited, rounds_of(entropy, 30_000, 300))
    assert found.flagged == ()


def test_a_bias_in_one_pay_table_alone_is_seen_there(audited, honest):
    """Ties of one table lose what they won in a third of its rounds, as if these had been thrown away."""
    digest = min(each.as_py() for each in honest["pay_table_digest"].unique())
    rows = honest.select(["pay_table_digest", "winner", "nonce"]).to_pylist()
    dropped = [row["pay_table_digest"] == digest and row["winner"] == "tie" and row["nonce"] % 3 == 0 for row in rows]
    found = Statistics.of((result := audited(honest.filter(pa.array([not each for each in dropped])))).tally, result.serial)
    assert any(each.level == FINE and digest.hex()[:8] in each.subject for each in found.flagged)
