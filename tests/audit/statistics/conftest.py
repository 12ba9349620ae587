"""What the tests of statistics and reports share: dealt rounds, fair ones and biased ones."""

from __future__ import annotations

from random import Random

import pytest

from provably_fair_baccarat import PAY_TABLES, PUNTO_BANCO, Seeds, deal_coup, kernel, settle
from provably_fair_baccarat.cards import DECK
from provably_fair_baccarat.rules.tableau import banker_draws

TABLES = {table.digest: table for table in PAY_TABLES.values()}
START = 1_700_000_000_000_000


@pytest.fixture(scope="session")
def tables():
    """The ready pay tables by digest."""
    return TABLES


@pytest.fixture(scope="session")
def derived():
    """The records of some coups of one seed pair, as the kernel writes them."""
    np = pytest.importorskip("numpy", reason="audits need numpy")

    def derive(rounds, key=1, decks=8, client_seed="client"):
        seeds = Seeds.commit((bytes([key]) * 32).hex(), client_seed, decks)
        return np.frombuffer(kernel.derive(seeds, range(rounds)), kernel.RECORD_DTYPE)

    return derive


@pytest.fixture(scope="session")
def dealt_of():
    """`Dealt` of one pair from cards, n times six of them; coups and bets follow from the cards, whoever dealt them.

    Each round has a bet on `player`, `banker` or `tie`, in turn, of a stake that goes through `stakes`.
    """
    np = pytest.importorskip("numpy", reason="audits need numpy")
    pytest.importorskip("pyarrow", reason="audits need pyarrow")
    from provably_fair_baccarat.audit import Dealt

    points = np.array([card.points for card in DECK], np.uint8)
    draws = np.array([[banker_draws(score, third) for third in (None, *range(10))] for score in range(8)])

    def make(cards, cut, decks=8, *, stakes=(20, 100, 1), pair=0):
        cards = np.asarray(cards, np.uint8)
        n = len(cards)
        value = points[cards].astype(np.int16)
        player, banker = (value[:, 0] + value[:, 2]) % 10, (value[:, 1] + value[:, 3]) % 10
        natural = (player >= 8) | (banker >= 8)
        player_drew = ~natural & (player <= 5)
        third = np.where(player_drew, value[:, 4] + 1, 0)
        banker_drew = ~natural & draws[np.minimum(banker, 7), third]
        last = np.where(player_drew, value[:, 5], value[:, 4])
        player_score = np.where(player_drew, player + value[:, 4], player) % 10
        banker_score = np.where(banker_drew, banker + last, banker) % 10
        winner = np.where(player_score > banker_score, 0, np.where(player_score < banker_score, 1, 2))
        bet = np.arange(n) % 3
        stake = np.array(stakes, np.int64)[np.arange(n) // 3 % len(stakes)]
        millionths = np.array([[2_000_000, 0, 1_000_000], [0, 1_950_000, 1_000_000], [0, 0, 9_000_000]])[bet, winner]
        return Dealt(
            cards=cards,
            used=(4 + player_drew + banker_drew).astype(np.uint8),
            player_score=player_score.astype(np.uint8),
            banker_score=banker_score.astype(np.uint8),
            winner=winner.astype(np.uint8),
            cut=np.asarray(cut, np.uint16),
            decks=np.full(n, decks, np.uint8),
            pair=np.full(n, pair, np.int32),
            nonce=np.arange(n),
            accepted_at=START + 1_000_000 * np.arange(n),
            is_sound=np.ones(n, np.bool_),
            commitments=np.arange(32 * (pair + 1), dtype=np.uint8).reshape(-1, 32),
            line_row=np.arange(n, dtype=np.int32),
            line_bet=bet.astype(np.int32),
            line_pay_table=np.zeros(n, np.int32),
            line_stake=stake,
            line_returned=stake * millionths // 1_000_000,
            bets=("player", "banker", "tie"),
            pay_tables=(PUNTO_BANCO.digest,),
        )

    return make


@pytest.fixture(scope="session")
def fair(derived, dealt_of):
    """Fair rounds, as many as one likes."""

    def deal(rounds, key=1, decks=8, **more):
        records = derived(rounds, key, decks)
        return dealt_of(records["cards"], records["cut"], decks, **more)

    return deal


@pytest.fixture(scope="session")
def motley():
    """Rounds of every kind, made one by one: shoes of several sizes, all bets, huge stakes, unknown times, unsound rounds, unused cards."""
    np = pytest.importorskip("numpy", reason="audits need numpy")
    pytest.importorskip("pyarrow", reason="audits need pyarrow")
    from provably_fair_baccarat.audit import UNKNOWN_TIME, UNUSED, Dealt

    def make(rounds, seed=1, *, huge=False):
        random = Random(seed)
        names = list(PAY_TABLES["all_bets"].offers)
        digests = list(TABLES)
        columns = {
            name: [] for name in ("cards", "used", "player_score", "banker_score", "winner", "cut", "decks", "accepted_at", "is_sound")
        }
        lines = {name: [] for name in ("row", "bet", "pay_table", "stake", "returned")}
        for row in range(rounds):
            decks = random.choice([1, 6, 8])
            drawn = [card % 52 for card in random.sample(range(52 * decks), 6)]
            coup = deal_coup([DECK[card] for card in drawn])
            is_told = random.random() < 0.8
            columns["cards"].append(drawn if is_told else [*drawn[: coup.cards_used], *[UNUSED] * (6 - coup.cards_used)])
            columns["used"].append(coup.cards_used)
            columns["player_score"].append(coup.player.score)
            columns["banker_score"].append(coup.banker.score)
            columns["winner"].append(["player", "banker", "tie"].index(coup.winner))
            columns["cut"].append(random.randrange(52 * decks))
            columns["decks"].append(decks)
            columns["accepted_at"].append(START + random.randrange(10**12) if random.random() < 0.7 else UNKNOWN_TIME)
            columns["is_sound"].append(random.random() < 0.9)
            digest = random.choice(digests)
            offered = list(TABLES[digest].offers)
            for bet in random.sample(offered, random.randrange(1, 4)):
                stake = random.choice([1, 7, 20, 1000, random.randrange(1, 10**6), *([10**30 + 7, 2**40 + 1] if huge else [])])
                lines["row"].append(row)
                lines["bet"].append(names.index(bet))
                lines["pay_table"].append(digests.index(digest))
                lines["stake"].append(stake)
                lines["returned"].append(settle(coup, {bet: stake}, TABLES[digest]).returned)
        amounts = object if huge else np.int64
        narrow = {name: np.array(columns[name], np.uint8) for name in ("cards", "used", "player_score", "banker_score", "winner", "decks")}
        return Dealt(
            **narrow,
            cut=np.array(columns["cut"], np.uint16),
            pair=np.zeros(rounds, np.int32),
            nonce=np.arange(rounds),
            accepted_at=np.array(columns["accepted_at"], np.int64),
            is_sound=np.array(columns["is_sound"], np.bool_),
            commitments=np.zeros((1, 32), np.uint8),
            **{f"line_{name}": np.array(lines[name], np.int32) for name in ("row", "bet", "pay_table")},
            **{f"line_{name}": np.array(lines[name], amounts) for name in ("stake", "returned")},
            bets=tuple(names),
            pay_tables=tuple(digests),
        )

    return make


@pytest.fixture(scope="session")
def part_of():
    """Some rows of `Dealt`, with their lines."""
    np = pytest.importorskip("numpy", reason="audits need numpy")
    from dataclasses import fields

    def part(dealt, rows):
        rows = np.asarray(rows, np.int64)
        place_of = np.full(len(dealt), -1)
        place_of[rows] = np.arange(len(rows))
        lines = np.flatnonzero(place_of[dealt.line_row] >= 0)
        values = {}
        for name in (field.name for field in fields(dealt)):
            value = getattr(dealt, name)
            if name == "line_row":
                value = place_of[value[lines]].astype(np.int32)
            elif name.startswith("line_"):
                value = value[lines]
            elif name not in ("commitments", "bets", "pay_tables", "currencies") and value is not None:
                value = value[rows]
            values[name] = value
        return type(dealt)(**values)

    return part


@pytest.fixture(scope="session")
def result_of(tables):
    """The result of an audit of dealt rounds, as if they had been read from a file."""
    pytest.importorskip("pyarrow", reason="audits need pyarrow")
    from provably_fair_baccarat.audit import AuditResult, PairCounts
    from provably_fair_baccarat.audit.serial import SerialTally
    from provably_fair_baccarat.audit.tally import Tally

    def result(dealt, findings=(), *, counted=1, **more):
        counts = {}
        for finding in findings:
            counts[finding.code] = counts.get(finding.code, 0) + 1
        return AuditResult(
            rounds=len(dealt),
            lines=len(dealt.line_row),
            pairs=PairCounts(1, int(not findings), counted, int(not findings), 0),
            finding_counts=counts,
            findings=tuple(findings),
            tally=Tally.of(dealt, tables),
            serial=SerialTally.of(dealt.pair, dealt.nonce, dealt.winner),
            **{"manifest": {"package": "0.1.0", "inputs": [{"name": "rounds.parquet", "sha256": "ab" * 32}], "seeds": None}, **more},
        )

    return result
