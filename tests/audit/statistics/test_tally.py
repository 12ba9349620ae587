"""The tally: equal to a slow recount, whatever the amounts and however the rounds are parted."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from dataclasses import replace
from random import Random

import pytest

np = pytest.importorskip("numpy", reason="audits need numpy")
pa = pytest.importorskip("pyarrow", reason="audits need pyarrow")

from provably_fair_baccarat import PUNTO_BANCO, deal_coup  # noqa: E402
from provably_fair_baccarat.audit import UNKNOWN_TIME, UNUSED  # noqa: E402
from provably_fair_baccarat.audit.bet_tally import BetTally, bet_step  # noqa: E402
from provably_fair_baccarat.audit.columns import Faults  # noqa: E402
from provably_fair_baccarat.audit.currencies import MOST_CURRENCIES, OTHER, read_currencies  # noqa: E402
from provably_fair_baccarat.audit.curve import BUCKETS, Curve, level_of  # noqa: E402
from provably_fair_baccarat.audit.dealt import joined  # noqa: E402
from provably_fair_baccarat.audit.result import Collector  # noqa: E402
from provably_fair_baccarat.audit.serial import LAGS, LONGEST, SerialTally  # noqa: E402
from provably_fair_baccarat.audit.sums import BetKey, Sums, sum_lines  # noqa: E402
from provably_fair_baccarat.audit.tally import ShoeTally, Tally  # noqa: E402
from provably_fair_baccarat.cards import DECK, Rank, Suit  # noqa: E402


def add(sums, stake, returned):
    lines, staked, squared, back, hits, largest = sums
    return [lines + 1, staked + stake, squared + stake * stake, back + returned, hits + (returned > 0), max(largest, stake)]


# Coups


def test_coups_are_counted_as_one_by_one(motley):
    dealt = motley(700)
    tally = Tally.of(dealt)
    assert tally.rounds == 700
    assert tally.unsound == 700 - int(dealt.is_sound.sum()) > 0
    assert list(tally.shoes) == [1, 6, 8]
    for decks, shoe in tally.shoes.items():
        outcomes, used, naturals, ranks, suits, cards, cuts, cells = (
            Counter(),
            Counter(),
            0,
            Counter(),
            Counter(),
            Counter(),
            Counter(),
            Counter(),
        )
        rows = [row for row in range(700) if dealt.decks[row] == decks and dealt.is_sound[row]]
        for row in rows:
            drawn = [card for card in dealt.cards[row].tolist() if card != UNUSED]
            coup = deal_coup([DECK[card] for card in drawn])
            outcomes[coup.winner] += 1
            used[coup.cards_used] += 1
            naturals += coup.natural
            cuts[int(dealt.cut[row])] += 1
            for position, card in enumerate(drawn, start=1):
                cards[position, card] += 1
                ranks[position, DECK[card].rank] += 1
                suits[position, DECK[card].suit] += 1
            if not coup.natural:
                third = coup.player.cards[2].points if len(coup.player.cards) == 3 else None
                cells[sum(card.points for card in coup.banker.cards[:2]) % 10, third] += 1
        assert shoe.rounds == len(rows)
        assert shoe.outcomes == outcomes
        assert shoe.used == used
        assert shoe.naturals == naturals > 0
        assert shoe.tableau == {cell: cells[cell] for cell in shoe.tableau}
        assert len(shoe.tableau) == 88
        assert sum(shoe.tableau.values()) == len(rows) - naturals
        assert shoe.cuts == tuple(cuts[cut] for cut in range(52 * decks))
        for position in range(1, 7):
            assert shoe.cards_at(position) == tuple(cards[position, card] for card in range(52))
            assert shoe.ranks_at(position) == tuple(ranks[position, rank] for rank in Rank)
            assert shoe.suits_at(position) == tuple(suits[position, suit] for suit in Suit)


def test_a_million_coups_in_steps_are_those_in_one(fair, part_of):
    dealt = fair(70_000)  # more than one step
    whole = Tally.of(dealt)
    assert whole == Tally.of(part_of(dealt, range(65_537))).merge(Tally.of(part_of(dealt, range(65_537, 70_000))))
    assert sum(whole.shoes[8].cards) == 6 * 70_000


def test_nothing_is_the_tally_of_no_rounds(fair, part_of):
    dealt = fair(3)
    nothing = Tally.of(part_of(dealt, []))
    assert nothing == Tally()
    tally = Tally.of(dealt)
    assert nothing.merge(tally) == tally.merge(nothing) == tally


# Bets


@pytest.mark.parametrize("huge", [False, True])
def test_lines_are_summed_as_one_by_one(motley, tables, huge):
    dealt = motley(400, huge=huge)
    tally = Tally.of(dealt, tables)
    expected = defaultdict(lambda: defaultdict(lambda: [0] * 6))
    for row, bet, table, stake, returned in zip(
        dealt.line_row.tolist(), dealt.line_bet.tolist(), dealt.line_pay_table.tolist(), dealt.line_stake, dealt.line_returned, strict=True
    ):
        if dealt.is_sound[row]:
            key = dealt.bets[bet], dealt.pay_tables[table], int(dealt.decks[row]), ""
            remainder = int(stake) % bet_step(key[0], tables[key[1]])
            expected[key][remainder] = add(expected[key][remainder], int(stake), int(returned))
    assert {tuple(key): {remainder: list(sums) for remainder, sums in bet.sums.items()} for key, bet in tally.bets.items()} == expected
    assert all(type(number) is int for bet in tally.bets.values() for sums in bet.sums.values() for number in sums)
    assert max(sums.largest for bet in tally.bets.values() for sums in bet.sums.values()) > (10**30 if huge else 900_000)


def test_a_bet_step_is_where_nothing_is_rounded():
    assert [bet_step(bet, PUNTO_BANCO) for bet in ("player", "banker", "tie")] == [1, 20, 1]
    assert bet_step("banker", None) == bet_step("lottery", PUNTO_BANCO) == 10**6


def test_a_table_that_is_not_known_yet_loses_nothing(fair, tables):
    dealt = fair(3000, stakes=(1, 3, 20, 999_999))
    blind, seeing = Tally.of(dealt), Tally.of(dealt, tables)
    key = BetKey("banker", PUNTO_BANCO.digest, 8)
    assert blind.bets[key].step == 10**6
    assert blind.bets[key].plus(BetTally(20, {})) == seeing.bets[key]
    assert blind.bets[key].total == seeing.bets[key].total


def by_code(summed):
    rows = zip(*(column.tolist() for column in summed.columns), strict=True)
    return {code: list(sums) for code, sums in zip(summed.codes.tolist(), rows, strict=True)}


@pytest.mark.parametrize("top", [1, 2**18, 2**31, 2**36, 2**40, 2**52, 2**52 + 999, 2**62])
@pytest.mark.parametrize("path", [None, "python"])
def test_sums_are_exact_whatever_the_amounts(top, path):
    random = Random(top)
    values = [top - random.randrange(min(top, 1000)) for _ in range(3000)]
    codes = [random.randrange(7) for _ in values]
    expected = defaultdict(lambda: [0] * 6)
    for code, value in zip(codes, values, strict=True):
        expected[code] = add(expected[code], value, value // 2)
    arrays = np.array(codes), 7, np.array(values, np.int64), np.array(values, np.int64) // 2
    summed = sum_lines(*arrays, path)
    assert by_code(summed) == expected
    sparse = sum_lines(np.array(codes) * 1_000_003, 7_000_021, *arrays[2:])
    assert {code // 1_000_003: sums for code, sums in by_code(sparse).items()} == expected


def test_steps_that_differ_meet_at_their_greatest_common_divisor():
    """Stakes of 37 and 90 by remainders of 20, of 37 and 60 by remainders of 50: all by remainders of 10."""
    one = BetTally(20, {17: Sums(1, 37, 37**2, 0, 0, 37), 10: Sums(1, 90, 90**2, 180, 1, 90)})
    other = BetTally(50, {37: Sums(1, 37, 37**2, 74, 1, 37), 10: Sums(1, 60, 60**2, 0, 0, 60)})
    both = BetTally(10, {0: Sums(2, 150, 90**2 + 60**2, 180, 1, 90), 7: Sums(2, 74, 2 * 37**2, 74, 1, 37)})
    assert one.plus(other) == other.plus(one) == both


# Curves


def test_a_curve_has_the_sums_of_its_bets(motley, tables):
    dealt = motley(500)
    tally = Tally.of(dealt, tables)
    assert list(tally.curves) == ["nonce", "time"]
    known = dealt.accepted_at[(dealt.accepted_at != UNKNOWN_TIME) & dealt.is_sound]
    assert (tally.curves["time"].first, tally.curves["time"].last) == (known.min(), known.max())
    for key, bet in tally.bets.items():
        points = [sums for curve in tally.curves.values() for (_, of), sums in curve.points.items() if of == key]
        total = Sums()
        for sums in points:
            total = total.plus(sums)
        assert total == bet.total


@pytest.mark.parametrize(
    ("first", "last"), [(0, 0), (0, 127), (0, 128), (1, 128), (127, 128), (5, 10**12), (-(10**6), 3), (2**40 - 1, 2**40)]
)
def test_a_level_is_the_smallest_that_fits(first, last):
    level = level_of(first, last)
    assert (last >> level) - (first >> level) < BUCKETS
    assert level == 0 or (last >> level - 1) - (first >> level - 1) >= BUCKETS


# Merging


@pytest.mark.parametrize("huge", [False, True])
def test_any_partition_in_any_order_gives_the_same_tally(motley, tables, part_of, huge):
    dealt = motley(300, seed=3, huge=huge)
    whole = Tally.of(dealt, tables)
    random = Random(4)
    for parts in (2, 3, 7):
        owner = [random.randrange(parts) for _ in range(300)]
        tallies = [Tally.of(part_of(dealt, [row for row in range(300) if owner[row] == part]), tables) for part in range(parts)]
        random.shuffle(tallies)
        merged = Tally()
        for tally in tallies:
            merged = merged.merge(tally)
        assert merged == whole
        assert json.dumps(merged.to_dict()) == json.dumps(whole.to_dict())
        left, right = tallies[0].merge(tallies[1]), tallies[-1]
        assert left.merge(right) == tallies[0].merge(tallies[1].merge(right))


def test_a_tally_is_read_back_from_its_json(motley, tables):
    for huge in (False, True):
        tally = Tally.of(motley(200, huge=huge), tables)
        assert Tally.from_dict(json.loads(json.dumps(tally.to_dict()))) == tally
    assert Tally.from_dict(Tally().to_dict()) == Tally()
    nothing = {"first": 1, "last": 2, "points": []}
    assert Curve.from_dict(nothing).to_dict() == nothing
    assert ShoeTally.from_dict(tally.shoes[1].to_dict()) == tally.shoes[1]


@pytest.mark.parametrize("huge", [False, True])
def test_a_tally_is_brought_together_from_its_facts(motley, tables, huge):
    tally = Tally.of(motley(200, huge=huge), tables)
    collector = Collector()
    for kind, _, payload in tally.to_facts():
        collector.add(kind, payload)
    assert collector.tally == tally
    assert collector.tally.to_dict() == tally.to_dict()
    assert collector.tally.curves["time"] != tally.curves["nonce"]


def test_a_curve_outgrows_its_numbers():
    """Sums that fit 64 bits each, and not together."""
    key, most = BetKey("tie", "", 8), 2**63 - 1
    columns = tuple(np.array([most]) for _ in Sums._fields)
    curve = Curve(5, 5, (key,), np.zeros(1, np.int64), columns)
    ((place, sums),) = curve.plus(curve).points.items()
    assert (place, sums) == ((5, key), Sums(*[2 * most] * 5, most))
    assert Curve.unpack(curve.plus(curve).pack("time")) == ("time", curve.plus(curve))


# Winners in order


def slow_serial(rows):
    """A serial tally, from (pair, nonce, winner) in order."""
    stretches = []
    for pair, nonce, winner in rows:
        if stretches and stretches[-1][-1][:2] == (pair, nonce - 1):
            stretches[-1].append((pair, nonce, winner))
        else:
            stretches.append([(pair, nonce, winner)])
    lags = [[0] * 9 for _ in range(LAGS)]
    streaks, wins, lengths = [0] * LONGEST, Counter(), []
    for stretch in stretches:
        winners = [winner for _, _, winner in stretch]
        for lag in range(1, LAGS + 1):
            for earlier, later in zip(winners, winners[lag:], strict=False):
                lags[lag - 1][3 * earlier + later] += 1
        decided = [winner for winner in winners if winner != 2]
        wins.update(decided)
        lengths += [len(decided)] * bool(decided)
        while decided:
            length = next((place for place, winner in enumerate(decided) if winner != decided[0]), len(decided))
            streaks[min(length, LONGEST) - 1] += 1
            decided = decided[length:]
    reaching = tuple(sum(length >= least for length in lengths) for least in range(1, LONGEST + 1))
    return SerialTally(tuple(map(tuple, lags)), wins[0], wins[1], reaching, tuple(streaks))


def serial_of(rows):
    pair, nonce, winner = (np.array([row[place] for row in rows], dtype) for place, dtype in enumerate((np.int32, np.int64, np.uint8)))
    return SerialTally.of(pair, nonce, winner)


def random_rows(seed, pairs=12, longest=30):
    random = Random(seed)
    for pair in range(pairs):
        nonces = range(random.randrange(5), random.randrange(5, 5 + longest))
        for nonce in nonces:
            if random.random() < 0.95:
                yield pair, nonce, random.choices([0, 1, 2], [45, 46, 9])[0] if pair else 1


@pytest.mark.parametrize("seed", range(20))
def test_winners_are_counted_as_one_by_one(seed):
    rows = list(random_rows(seed, longest=1 + 4 * seed))
    assert serial_of(rows) == slow_serial(rows)


def test_long_streaks_are_counted_together():
    rows = [(0, nonce, 1) for nonce in range(LONGEST + 9)]
    assert serial_of(rows).streaks == (0,) * (LONGEST - 1) + (1,)
    assert serial_of(rows).runs == 1


def test_ties_alone_make_no_streak():
    serial = serial_of([(0, 0, 2), (0, 1, 2)])
    assert serial == slow_serial([(0, 0, 2), (0, 1, 2)])
    assert serial.runs == serial.stretches == 0
    assert SerialTally.of(*(np.zeros(0, np.int64) for _ in range(3))) == SerialTally()


def test_serial_tallies_of_different_pairs_are_added():
    rows = list(random_rows(5))
    first, second = ([row for row in rows if row[0] % 2 == odd] for odd in (0, 1))
    assert serial_of(first).merge(serial_of(second)) == serial_of(second).merge(serial_of(first)) == serial_of(rows)
    assert serial_of(rows).merge(SerialTally()) == serial_of(rows)
    assert SerialTally.from_dict(json.loads(json.dumps(serial_of(rows).to_dict()))) == serial_of(rows)


# Currencies


@pytest.mark.parametrize("currencies", [("EUR", "", "USD"), ("",), ("EUR",)])
def test_lines_of_each_currency_are_summed_by_themselves(motley, tables, part_of, currencies):
    """As the tallies of the rounds of each currency alone; and however they are joined and merged."""
    dealt = motley(600)
    codes = np.arange(600, dtype=np.int32) % len(currencies)
    told = replace(dealt, currency=codes, currencies=currencies)
    tally = Tally.of(told, tables)
    assert {key.currency for key in tally.bets} == set(currencies)
    for code, currency in enumerate(currencies):
        alone = Tally.of(part_of(dealt, np.flatnonzero(codes == code)), tables)
        assert {key._replace(currency=""): bet for key, bet in tally.bets.items() if key.currency == currency} == alone.bets
    parts = [part_of(told, range(250)), part_of(told, range(250, 600))]
    assert joined(parts).currency.tolist() == codes.tolist()
    assert Tally.of(joined(parts), tables) == tally
    assert Tally.of(parts[0], tables).merge(Tally.of(parts[1], tables)).bets == tally.bets
    assert Tally.from_dict(json.loads(json.dumps(tally.to_dict()))) == tally


def test_currencies_are_read_as_codes():
    faults = Faults(5)
    codes, names = read_currencies(pa.array(["USD", None, "EUR", "USD", None]), faults)
    assert (codes.tolist(), names) == ([2, 0, 1, 2, 0], ("", "EUR", "USD"))
    encoded = pa.DictionaryArray.from_arrays(pa.array([1, None, 1], pa.int32()), pa.array(["GBP", "EUR"]))
    codes, names = read_currencies(encoded, faults)
    assert (codes.tolist(), names) == ([1, 0, 1], ("", "EUR"))
    assert read_currencies(pa.nulls(3, pa.string()), faults) == (None, ())
    assert not faults.told
    codes, names = read_currencies(pa.array(["A\nB", None, "EUR", "X" * 17, ""]), faults)
    assert (codes.tolist(), names) == ([1, 0, 2, 1, 1], ("", OTHER, "EUR"))
    assert {row: found for row, (_, _, found) in faults.told.items()} == {0: "'A\\nB'", 3: "'XXXXXXXXXXXXXXXXX'", 4: "''"}


def test_very_many_currencies_are_one():
    """Whoever invents them makes no tally large."""
    many = [f"C{place}" for place in range(MOST_CURRENCIES + 1)]
    codes, names = read_currencies(pa.array(many), Faults(len(many)))
    assert (set(codes.tolist()), names) == ({0}, (OTHER,))
    codes, names = read_currencies(pa.array(many[1:]), Faults(len(many)))
    assert [names[code] for code in codes.tolist()] == many[1:]
