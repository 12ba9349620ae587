"""Specimens themselves: dealt and paid as the package deals and pays, faults and all at places that can be had again."""

from __future__ import annotations

from collections import Counter

import pytest

np = pytest.importorskip("numpy", reason="audits need numpy: pip install 'provably-fair-baccarat[audit]'")
pa = pytest.importorskip("pyarrow", reason="audits need pyarrow: pip install 'provably-fair-baccarat[audit]'")

from provably_fair_baccarat import PayTable, Seeds, play_round, settle  # noqa: E402 (only where the extra is there)
from provably_fair_baccarat.audit.specimens import FAULTS, Plan, honest_batches, specimen_batches, write_specimen  # noqa: E402
from provably_fair_baccarat.audit.specimens.specimen import AT_ONCE, SCHEMA  # noqa: E402
from provably_fair_baccarat.errors import AuditError, DecksError, LaboratoryError, PayTableError  # noqa: E402
from provably_fair_baccarat.fairness.chain import Chain  # noqa: E402

KEY = bytes(range(32))


def table(plan):
    return pa.Table.from_batches(list(honest_batches(plan)), SCHEMA)


@pytest.fixture(scope="module")
def rows():
    return table(Plan(1500, KEY, pairs=60, chains=3)).to_pylist()


def test_every_round_is_dealt_and_paid_as_the_package_does(rows):
    """Row by row, by `play_round` and `settle`, with nothing of the audit."""
    for row in rows:
        chain = None if row["chain_anchor"] is None else Chain(row["chain_anchor"].hex(), row["chain_length"])
        client_seed, commitment = row["client_seed"].decode(), row["commitment"].hex()
        seeds = Seeds(row["server_seed"].hex(), client_seed, commitment, row["decks"], scheme=row["scheme"], chain=chain)
        played = play_round(seeds, row["nonce"])
        coup = played.coup
        assert (row["cut"], row["cards"]) == (played.cut, "".join(map(str, played.cards)))
        assert row["player_cards"] == "".join(map(str, coup.player.cards))
        assert row["banker_cards"] == "".join(map(str, coup.banker.cards))
        assert (row["player_score"], row["banker_score"]) == (coup.player.score, coup.banker.score)
        assert (row["winner"], row["natural"]) == (coup.winner.value, coup.natural)
        pay_table = PayTable.parse_json(row["pay_table"])
        settlement = settle(coup, {line["bet"]: int(line["stake"]) for line in row["bets"]}, pay_table)
        told = [(line["bet"], int(line["stake"]), line["status"], int(line["returned"])) for line in row["bets"]]
        assert told == [(line.bet, line.stake, line.status, line.returned) for line in settlement.lines.values()]
        assert (int(row["staked"]), int(row["returned"])) == (settlement.staked, settlement.returned)
        assert row["pay_table_digest"].hex() == pay_table.digest
        assert row["accepted_at"] < row["settled_at"] < row["revealed_at"]
        assert str(seeds.client_seed).endswith(commitment[:16])


def test_rounds_are_of_many_kinds(rows):
    bets = Counter(line["bet"] for row in rows for line in row["bets"])
    assert {"player", "banker", "tie", "super6", "dragon7", "player_pair", "dragon_bonus_player"} <= bets.keys()
    assert {line["status"] for row in rows for line in row["bets"]} == {"won", "pushed", "lost"}
    assert {len(row["bets"]) for row in rows} == {1, 2, 3}
    assert {row["scheme"] for row in rows} == {"pfb1", "pfb1-chain"}
    assert {row["decks"] for row in rows} == {8, 6}
    assert len({row["pay_table"] for row in rows}) == 5
    assert any(row["bets"][0]["returned"] * 20 % row["bets"][0]["stake"] for row in rows), "some return is rounded"


def test_pairs_share_the_rounds_and_nonces_follow_each_other():
    rows = table(Plan(1003, KEY, pairs=10)).to_pylist()
    nonces = {}
    for row in rows:
        nonces.setdefault(row["commitment"], []).append(row["nonce"])
    assert [len(each) for each in nonces.values()] == [101, 101, 101, *[100] * 7]
    assert all(each == list(range(len(each))) for each in nonces.values())


def test_a_pair_may_be_longer_than_a_batch():
    batches = list(honest_batches(Plan(AT_ONCE + 10, KEY, pairs=1, chains=1)))
    assert [batch.num_rows for batch in batches] == [AT_ONCE, 10]
    assert batches[1].column("nonce").to_pylist() == list(range(AT_ONCE, AT_ONCE + 10))
    last = batches[1].slice(9).to_pylist()[0]
    chain = Chain(last["chain_anchor"].hex(), last["chain_length"])
    seeds = Seeds(last["server_seed"].hex(), last["client_seed"].decode(), last["commitment"].hex(), 8, scheme="pfb1-chain", chain=chain)
    assert "".join(map(str, play_round(seeds, AT_ONCE + 9).cards)) == last["cards"]


def test_the_same_key_gives_the_same_specimen():
    plan = Plan(600, KEY, pairs=60, chains=3, faults=dict.fromkeys(FAULTS, 1))
    first, again, other = [], [], []
    tables = [pa.Table.from_batches(list(specimen_batches(plan, planted)), SCHEMA) for planted in (first, again)]
    assert tables[0].equals(tables[1])
    assert first == again
    list(specimen_batches(Plan(600, bytes(32), pairs=60, chains=3, faults=dict.fromkeys(FAULTS, 1)), other))
    assert [fault.row for fault in other] != [fault.row for fault in first]


def test_faults_stand_in_pairs_of_their_own_and_inside_them():
    planted = []
    list(specimen_batches(Plan(1200, KEY, pairs=120, chains=3, faults=dict.fromkeys(FAULTS, 2)), planted))
    assert len(planted) == len({fault.commitment for fault in planted}) == 2 * len(FAULTS)
    assert all(1 <= fault.nonce <= 8 for fault in planted)
    assert Counter(fault.kind for fault in planted) == dict.fromkeys(FAULTS, 2)
    assert [fault.row for fault in planted] == sorted(fault.row for fault in planted)


def test_a_file_is_new_and_whole(tmp_path):
    (tmp_path / "rounds.csv").write_text("kept")
    with pytest.raises(FileExistsError):
        write_specimen([], tmp_path / "rounds.csv")
    assert (tmp_path / "rounds.csv").read_text() == "kept"

    def failing():
        yield from honest_batches(Plan(10, KEY, pairs=1))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_specimen(failing(), tmp_path / "other.csv")
    assert not (tmp_path / "other.csv").exists()
    with pytest.raises(AuditError, match="a name that ends in"):
        write_specimen([], tmp_path / "rounds.xlsx")


@pytest.mark.parametrize(
    ("error", "options"),
    [
        (LaboratoryError, {"rounds": 0}),
        (LaboratoryError, {"pairs": 0}),
        (LaboratoryError, {"key": b"short"}),
        (AuditError, {"pairs": 101}),
        (AuditError, {"decks": ()}),
        (DecksError, {"decks": (9,)}),
        (AuditError, {"pay_tables": ()}),
        (AuditError, {"chains": -1}),
        (AuditError, {"faults": {"carb": 1}}),
        (AuditError, {"faults": {"card": -1}}),
        (AuditError, {"faults": {"card": 11}}),
        (AuditError, {"faults": {"link": 1}}),
        (AuditError, {"pairs": 50, "faults": {"card": 1}}),
    ],
)
def test_plans_that_cannot_be(error, options):
    with pytest.raises(error) as refusal:
        Plan(**{"rounds": 100, "key": KEY, "pairs": 10, **options})
    assert not isinstance(refusal.value, PayTableError)
