"""The statistics: known answers, independent recounts, fair rounds that are left alone, and biased ones that are not."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from itertools import groupby, pairwise, permutations, product
from math import perm, sqrt
from random import Random

import pytest

np = pytest.importorskip("numpy", reason="audits need numpy")
pytest.importorskip("pyarrow", reason="audits need pyarrow")
pytest.importorskip("scipy", reason="statistics need scipy")

from scipy import stats  # noqa: E402

from provably_fair_baccarat import ALL_BETS, PUNTO_BANCO, SUPER_SIX, Bet, PayTable, deal_coup, settle  # noqa: E402
from provably_fair_baccarat.audit.bet_tally import BetTally, bet_step  # noqa: E402
from provably_fair_baccarat.audit.refusal_tally import RefusalTally, RefusedBet, gather  # noqa: E402
from provably_fair_baccarat.audit.serial import SerialTally  # noqa: E402
from provably_fair_baccarat.audit.statistics import QUESTIONS, Cell, Comparison, Omission, Return, Statistics, holm  # noqa: E402
from provably_fair_baccarat.audit.statistics.comparison import FINE, POOLED, correct  # noqa: E402
from provably_fair_baccarat.audit.statistics.expected import natural_probability, tableau_cells  # noqa: E402
from provably_fair_baccarat.audit.statistics.frequencies import chi_square, compare_shoe, evenly, pool_rare  # noqa: E402
from provably_fair_baccarat.audit.statistics.returns import compare_returns, moments  # noqa: E402
from provably_fair_baccarat.audit.statistics.sequence import compare_runs, expected_streaks, independence, runs_moments  # noqa: E402
from provably_fair_baccarat.audit.sums import BetKey, Sums  # noqa: E402
from provably_fair_baccarat.audit.tally import Tally  # noqa: E402
from provably_fair_baccarat.cards import DECK  # noqa: E402
from provably_fair_baccarat.rules.odds import Shoe, coup_odds, mix_odds, odds  # noqa: E402

DIGEST = PUNTO_BANCO.digest


def statistics_of(dealt, tables, **more):
    return Statistics.of(Tally.of(dealt, tables), SerialTally.of(dealt.pair, dealt.nonce, dealt.winner), **more)


# Holm


def test_holm_by_hand():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx((0.03, 0.06, 0.06, 0.02))
    assert holm([0.5, 0.9]) == (1.0, 1.0)
    assert holm([0.02]) == (0.02,)
    assert holm([]) == ()


def test_a_family_is_corrected_as_one():
    family = [Comparison("cut", str(place), "chi-square", 0.0, 1, p_value, 9) for place, p_value in enumerate((0.01, 0.2, 0.001))]
    assert [each.corrected for each in correct(family)] == pytest.approx([0.02, 0.2, 0.003])


def test_each_level_of_a_family_has_its_share():
    """Nine tenths for three pooled comparisons, one tenth for two fine ones; all of it for pooled ones that are alone."""
    made = [(POOLED, 0.01), (FINE, 0.02), (POOLED, 0.2), (FINE, 0.001), (POOLED, 0.001)]
    family = [Comparison("cut", str(place), "chi-square", 0.0, 1, p_value, 9, level=level) for place, (level, p_value) in enumerate(made)]
    found = correct(family)
    assert [each.level for each in found] == [POOLED] * 3 + [FINE] * 2
    assert [each.corrected for each in found] == pytest.approx([0.02 / 0.9, 0.2 / 0.9, 0.003 / 0.9, 0.02 / 0.1, 0.002 / 0.1])
    assert [each.corrected for each in correct(each for each in family if each.level == POOLED)] == pytest.approx([0.02, 0.2, 0.003])
    statistics = Statistics(found, (), (), (), (), ())
    assert (statistics.limit(POOLED), statistics.limit(FINE)) == pytest.approx((0.009 / 3, 0.001 / 2))


# Chi-square


def test_a_chi_square_by_hand():
    """Of 60 throws of a die, 5, 8, 9, 8, 10 and 20: the sum of squares over 10 is 13.4, with 5 degrees of freedom."""
    cells = evenly(["1", "2", "3", "4", "5", "6"], [5, 8, 9, 8, 10, 20])
    compared = chi_square("cut", "a die", cells)
    assert (compared.statistic, compared.degrees, compared.count, compared.pooled) == (13.4, 5, 60, 0)
    assert compared.p_value == pytest.approx(0.019905, abs=1e-6)  # from a printed table: 13.388 at 2 %
    assert compared.p_value == pytest.approx(stats.chisquare([5, 8, 9, 8, 10, 20]).pvalue)


def test_rare_cells_are_pooled():
    cells = [Cell(*each) for each in (("a", 90, 88), ("b", 6, 6), ("c", 2, 3), ("d", 1, 2), ("e", 1, 1))]
    kept, pool = pool_rare(cells)
    assert ([cell.label for cell in kept], pool) == (["b", "a"], Cell("others", 4, 6))
    compared = chi_square("cut", "rare", cells)
    assert (compared.degrees, compared.pooled) == (2, 3)
    assert compared.statistic == pytest.approx(4 / 88 + 0 + 4 / 6)


def test_a_pool_that_is_too_rare_takes_the_next_cell():
    kept, pool = pool_rare([Cell("a", 90, 89), Cell("b", 6, 7), Cell("c", 4, 4)])
    assert ([cell.label for cell in kept], pool) == (["a"], Cell("others", 10, 11))


def test_too_few_rounds_are_not_compared():
    omitted = chi_square("ranks", "few", evenly("abc", [2, 2, 2]))
    assert isinstance(omitted, Omission)
    assert "Too few rounds" in omitted.reason


# What is expected


@pytest.mark.parametrize("decks", [1, 8])
def test_the_cells_of_the_tableau_are_counted_independently(decks):
    """All 100,000 sequences of points at positions 1 to 5, each with its falling factorials; the rule of the player written out."""
    of_points = [16 * decks, *[4 * decks] * 9]
    size = 52 * decks
    cells = Counter()
    naturals = 0
    for points in product(range(10), repeat=5):
        ways = size - 5
        for value, count in Counter(points).items():
            ways *= perm(of_points[value], count)
        player, banker = (points[0] + points[2]) % 10, (points[1] + points[3]) % 10
        if player > 7 or banker > 7:
            naturals += ways
        else:
            cells[banker, points[4] if player < 6 else None] += ways
    counted = tableau_cells(Shoe.of_decks(decks))
    assert counted == cells
    assert len(counted) == 88
    assert sum(counted.values()) + naturals == Shoe.of_decks(decks).deals
    assert naturals == coup_odds(decks).natural
    assert natural_probability(decks) == Fraction(naturals, Shoe.of_decks(decks).deals)


def test_every_cell_is_compared_with_its_expectation(fair):
    shoe = Tally.of(fair(4000)).shoes[8]
    by_name = {each.name: each for each in compare_shoe(8, shoe)}
    tableau = by_name["tableau"]
    assert len(tableau.cells) == 89
    for cells in (tableau.cells, by_name["outcomes"].cells, by_name["cards_used"].cells):
        assert sum(cell.observed for cell in cells) == sum(cell.expected for cell in cells) == 4000
    deals = Shoe.of_decks(8).deals
    assert tableau.cells[0] == Cell("0 / stood", shoe.tableau[0, None], Fraction(4000 * tableau_cells(Shoe.of_decks(8))[0, None], deals))
    assert tableau.cells[-1].observed == shoe.naturals
    assert [cell.expected for cell in by_name["outcomes"].cells] == [
        Fraction(4000 * ways, deals) for ways in coup_odds(8).outcomes.values()
    ]


def test_a_position_that_is_not_always_told_is_left_out(motley):
    shoe = Tally.of(motley(3000)).shoes[8]
    made = list(compare_shoe(8, shoe))
    omitted = {(each.name, each.subject) for each in made if isinstance(each, Omission)}
    untold = {(name, f"position {position}, 8 decks") for name in ("ranks", "suits") for position in (5, 6)}
    assert omitted == {*untold, ("cut", "8 decks")}  # 416 cuts, and less than 5 of each


# Sequence


def reaching(lengths):
    return tuple(sum(length >= least for length in lengths) for least in range(1, 26))


def runs_of(stretches):
    return sum(1 + sum(one != two for one, two in pairwise(each)) for each in stretches if each)


@pytest.mark.parametrize("lengths", [(6,), (7,), (3, 4), (1, 5), (1, 1, 4), (2, 2, 2), (1, 1, 1, 1, 1, 2)])
@pytest.mark.parametrize("wins", [1, 2, 3])
def test_the_moments_of_runs_by_every_arrangement(lengths, wins):
    n = sum(lengths)
    counts = []
    for chosen in set(permutations([0] * wins + [1] * (n - wins))):
        places = iter(chosen)
        counts.append(runs_of([[next(places) for _ in range(length)] for length in lengths]))
    mean = Fraction(sum(counts), len(counts))
    variance = Fraction(sum(count**2 for count in counts), len(counts)) - mean**2
    serial = SerialTally(player=wins, banker=n - wins, reaching=reaching(lengths))
    assert runs_moments(serial) == (mean, variance)


def test_expected_streaks_by_every_sequence():
    """Three stretches of 1, 3 and 5 wins, each win the player's with probability 1/3; every one of the 512 sequences is weighed."""
    lengths, p = (1, 3, 5), Fraction(1, 3)
    expected = [Fraction(0)] * 25
    for wins in product([0, 1], repeat=9):
        weight = p ** wins.count(0) * (1 - p) ** wins.count(1)
        places = iter(wins)
        for length in lengths:
            for _, streak in groupby([next(places) for _ in range(length)]):
                expected[len(list(streak)) - 1] += weight
    found = expected_streaks(SerialTally(player=3, banker=6, reaching=reaching(lengths)))
    assert found == pytest.approx([float(each) for each in expected])


def test_the_moments_of_one_stretch_are_those_of_the_textbooks():
    a, b = 4521, 4610
    n = a + b
    mean, variance = runs_moments(SerialTally(player=a, banker=b, reaching=reaching([n])))
    assert mean == 1 + Fraction(2 * a * b, n)
    assert variance == Fraction(2 * a * b * (2 * a * b - n), n**2 * (n - 1))


def test_runs_are_compared_with_their_mean():
    streaks = (80, 20, *(0,) * 23)
    serial = SerialTally(player=60, banker=60, reaching=reaching([120]), streaks=streaks)
    compared = compare_runs(serial)
    mean, variance = runs_moments(serial)
    assert compared.statistic == pytest.approx((100 - float(mean)) / sqrt(variance))
    assert compared.p_value == pytest.approx(2 * stats.norm.sf(abs(compared.statistic)))
    assert compared.p_value < 1e-10
    assert isinstance(compare_runs(SerialTally(player=60, banker=19, reaching=reaching([79]))), Omission)
    assert isinstance(compare_runs(SerialTally(player=60, banker=60, reaching=reaching([1] * 120))), Omission)


def test_independence_is_that_of_a_table():
    counts = [200, 210, 41, 214, 190, 52, 44, 50, 12]
    compared = independence("1 coup apart", counts)
    expected = stats.chi2_contingency(np.array(counts).reshape(3, 3), correction=False)
    assert compared.statistic == pytest.approx(expected.statistic)
    assert compared.p_value == pytest.approx(expected.pvalue)
    assert compared.degrees == expected.dof == 4
    assert sum(cell.expected for cell in compared.cells) == sum(counts)
    assert isinstance(independence("1 coup apart", [9] * 9), Omission) is False
    assert isinstance(independence("1 coup apart", [4] * 9), Omission)
    assert isinstance(independence("1 coup apart", [0] * 9), Omission)


# Returns


def tally_of(bet, table, stakes, returned=0):
    step = bet_step(bet, table)
    tally = BetTally(step, {})
    for stake in stakes:
        tally = tally.plus(BetTally(step, {stake % step: Sums(1, stake, stake**2, returned, int(returned > 0), stake)}))
    return tally


ODD_TABLE = PayTable("2.017", "1.953", "8.5", side_bets={"dragon_bonus_player": ALL_BETS.side_bets["dragon_bonus_player"], "big": "1.54"})


@pytest.mark.parametrize(("table", "decks"), [(PUNTO_BANCO, 8), (SUPER_SIX, 6), (ODD_TABLE, 1), (ALL_BETS, 8)])
def test_moments_are_those_of_every_answer_of_every_stake(table, decks):
    random = Random(1)
    stakes = [1, 2, 3, 19, 20, 21, 999, 1000, *(random.randrange(1, 10**6) for _ in range(20)), 10**30 + 7]
    for bet in table.offers:
        figures = odds(bet, table, decks)
        expected = variance = Fraction(0)
        for stake in stakes:
            returns = [(figures.probabilities[answer], stake * figures.payments[answer].multiplier // 10**6) for answer in figures.ways]
            mean = sum(probability * back for probability, back in returns)
            expected += mean
            variance += sum(probability * (back - mean) ** 2 for probability, back in returns)
        assert moments(figures, tally_of(bet, table, stakes)) == (expected, variance)


def test_moments_are_those_of_the_odds_of_mixes():
    stakes = [1, 3, 19, 333, 1000]
    mixes = [mix_odds({"banker": stake}, PUNTO_BANCO, 8) for stake in stakes]
    expected, variance = moments(odds("banker"), tally_of("banker", PUNTO_BANCO, stakes))
    assert (expected, variance) == (sum(mix.expected_return for mix in mixes), sum(mix.variance for mix in mixes))


def test_a_return_by_hand():
    """10,000 stakes of 100 on the player, 4,500 won and 900 pushed: 990,000 came back."""
    sums = Sums(10_000, 10**6, 10**8, 990_000, 5400, 100)
    figure = Return.of(BetKey("player", DIGEST, 8), BetTally(1, {0: sums}), PUNTO_BANCO)
    win, tie = (Fraction(coup_odds(8).outcomes[side], coup_odds(8).deals) for side in ("player", "tie"))
    assert figure.expected == 10**6 * (2 * win + tie)
    assert figure.spread.variance == 10**8 * (4 * win + tie - (2 * win + tie) ** 2)
    assert figure.rate == 0.99
    assert figure.expected_rate == pytest.approx(1 - 0.012351, abs=1e-6)
    assert figure.deviation == pytest.approx(0.951153 / 100, abs=1e-8)  # per unit 0.951153, over the root of 10,000
    assert figure.z == pytest.approx((0.99 - 0.987649) / 0.00951153, abs=1e-3)
    assert figure.p_value == pytest.approx(2 * stats.norm.sf(figure.z))
    assert figure.interval == pytest.approx((0.99 - 2.575829 * 0.00951153, 0.99 + 2.575829 * 0.00951153), abs=1e-7)
    assert figure.smallest_bias(1e-4) == pytest.approx(((3.890592 + 1.281552) * 0.00951153,) * 2, abs=1e-7)
    back = figure.compare("return", 1)
    assert (back.name, back.subject, back.method, back.p_value) == (
        "return",
        f"player, 8 decks, table {DIGEST[:8]} (punto_banco)",
        "normal",
        figure.p_value,
    )
    assert figure.expected_hits == 10_000 * (win + tie)


def test_where_one_stake_can_move_the_sum_bennett_decides():
    few = Return.of(BetKey("tie", DIGEST, 8), tally_of("tie", PUNTO_BANCO, [100] * 2000), PUNTO_BANCO)
    many = Return.of(BetKey("tie", DIGEST, 8), tally_of("tie", PUNTO_BANCO, [100] * 3200), PUNTO_BANCO)
    uneven = Return.of(BetKey("player", DIGEST, 8), tally_of("player", PUNTO_BANCO, [1] * 3200 + [100]), PUNTO_BANCO)
    assert [each.spread.method for each in (few, many, uneven)] == ["bennett", "normal", "bennett"]
    tie = odds("tie")
    assert (few.spread.up, few.spread.down) == pytest.approx((100 * (9 - float(tie.expected_return)), 100 * float(tie.expected_return)))
    assert few.p_value == few.spread.p_value(few.off)
    assert few.compare("return", 1).method == "bennett"


def test_a_pay_table_with_an_own_bet_is_read_with_it():
    bet = Bet("royal", lambda coup: coup.player.score == 9, "scores")
    table = PayTable(side_bets={"royal": "9.0"}, bets=[bet])
    key = BetKey("royal", table.digest, 8)
    tally = Tally(bets={key: tally_of("royal", table, [10] * 50)}, pay_tables={table.digest: json.dumps(table.to_dict())})
    assert [each.scope for each in Statistics.of(tally, SerialTally(), bets=[bet]).returns] == [key]
    blind = Statistics.of(tally, SerialTally())
    assert blind.returns == ()
    assert Omission("return", f"royal, table {table.digest[:8]}", "The pay table is not known.") in blind.omissions


def test_returns_need_a_pay_table():
    key = BetKey("player", "ab" * 32, 8)
    known, unknown = compare_returns({key: BetTally(10**6, {1: Sums(1, 1, 1, 0, 0, 1)})}, {})
    assert known == []
    assert unknown == [Omission("return", "player, table abababab", "The pay table is not known.")]


# Refusals


def test_refused_bets_are_held_against_the_coups_that_took_their_nonces(motley, tables):
    dealt = motley(60, seed=5)
    commitment = dealt.commitments[0].tobytes()
    places = [row for row in range(60) if dealt.is_sound[row]][:20]
    refusals = [RefusedBet(commitment, row, {"player": 7, "tie": 3}) for row in places]
    refusals += [RefusedBet(commitment, places[0], {"player": 13}), RefusedBet(commitment, places[1], {"lottery": 5, "banker": 0})]
    refusals += [RefusedBet(b"x" * 32, places[0], {"player": 1}), RefusedBet(commitment, 999, {"player": 1})]
    refusals += [RefusedBet(commitment, int(np.flatnonzero(~dealt.is_sound)[0]), {"player": 1})]
    tally = RefusalTally.of(gather(refusals), dealt, tables)
    returned = {"player": 0, "tie": 0}
    for row in places:
        line = int(np.flatnonzero(dealt.line_row == row)[0])
        table = tables[dealt.pay_tables[dealt.line_pay_table[line]]]
        coup = deal_coup([DECK[card] for card in dealt.cards[row].tolist() if card < 52])
        returned["player"] += settle(coup, {"player": 20 if row == places[0] else 7}, table).returned
        returned["tie"] += settle(coup, {"tie": 3}, table).returned
    assert (tally.places, tally.unsettled) == (20, 2)
    assert sum(each.total.staked for each in tally.bets.values()) == 20 * 10 + 13
    for bet, expected in returned.items():
        assert sum(each.total.returned for key, each in tally.bets.items() if key.bet == bet) == expected
    assert RefusalTally.of(gather(refusals), dealt, {}).unsettled == 20 * 2 + 2
    assert RefusalTally.of(gather([]), dealt, tables) == RefusalTally()


def test_refusal_tallies_are_added(motley, tables, part_of):
    dealt = motley(60, seed=5)
    refused = gather(RefusedBet(dealt.commitments[0].tobytes(), row, {"player": 7, "tie": 3}) for row in range(60))
    parts = [RefusalTally.of(refused, part_of(dealt, rows), tables) for rows in (range(25), range(25, 60))]
    assert parts[0].merge(parts[1]) == parts[1].merge(parts[0]) == RefusalTally.of(refused, dealt, tables)
    assert parts[0].merge(RefusalTally()) == parts[0]
    assert RefusalTally.from_dict(json.loads(json.dumps(parts[0].to_dict()))) == parts[0]


@pytest.fixture
def many_refused(fair):
    """Twenty thousand rounds, and what is refused of them: by the toss of a coin, or by who wins."""
    dealt = fair(20_000, key=7)
    commitment = dealt.commitments[0].tobytes()
    random = Random(1)
    coin = [row for row in range(20_000) if random.random() < 0.2]
    winners = [row for row in range(20_000) if dealt.winner[row] == 0 and random.random() < 0.2]
    return dealt, [gather(RefusedBet(commitment, row, {"player": 500}) for row in rows) for rows in (coin, coin[::2] + winners)]


def test_an_operator_who_refuses_winners_is_seen(many_refused, tables):
    dealt, (by_coin, by_winner) = many_refused
    honest = statistics_of(dealt, tables, refusals=RefusalTally.of(by_coin, dealt, tables))
    assert honest.comparison("refused_return").count == len(by_coin)
    assert honest.flagged == ()
    cheat = statistics_of(dealt, tables, refusals=RefusalTally.of(by_winner, dealt, tables))
    assert [each.name for each in cheat.flagged] == ["refused_return"]
    assert cheat.flagged[0].statistic > 10


# Fair rounds, and biased ones


@pytest.fixture(scope="module")
def million(fair):
    return fair(1_000_000, key=3, stakes=(1, 3, 20, 100, 2500))


def test_a_million_fair_rounds_are_left_alone(million, tables):
    found = statistics_of(million, tables)
    assert found.flagged == ()
    assert found.omissions == ()
    assert found.family == len(found.comparisons) == 29
    assert {each.name for each in found.comparisons} == QUESTIONS.keys() - {"refused_return"}
    assert min(each.p_value for each in found.comparisons) > found.alpha / found.family


def flags(cards, dealt_of, tables, *, cut=None, decks=8):
    rng = np.random.default_rng(1)
    cut = rng.integers(0, 52 * decks, len(cards)) if cut is None else cut
    found = statistics_of(dealt_of(cards, cut, decks), tables)
    return {each.name for each in found.flagged}


def test_words_of_eight_bits_are_seen(dealt_of, tables):
    """A byte scaled to 52 cards: 256 is no multiple of 52, so that some cards come 5 times in 256 and some 4 times."""
    scaled = np.random.default_rng(2).integers(0, 256, (200_000, 6)) * 52 // 256
    seen = flags(scaled, dealt_of, tables)
    assert {"ranks", "tableau"} <= seen
    assert seen.isdisjoint({"cut", "runs", "serial"})


def test_a_dealer_who_avoids_tens_is_seen(derived, dealt_of, tables):
    """One ten-valued card in twenty is turned into a nine."""
    records = derived(200_000, 4)
    cards = records["cards"].copy()
    turned = (cards % 13 >= 9) & (np.random.default_rng(3).random(cards.shape) < 0.05)
    cards[turned] = cards[turned] // 13 * 13 + 8
    assert {"ranks", "tableau", "cards_used"} <= flags(cards, dealt_of, tables, cut=records["cut"])


def test_cards_that_come_back_are_seen_in_a_shoe_of_one_deck(dealt_of, tables):
    """Each card is fair, and so is each cut: only the coups tell."""
    cards = np.random.default_rng(4).integers(0, 52, (1_000_000, 6))
    seen = flags(cards, dealt_of, tables, decks=1)
    assert {"outcomes", "tableau"} <= seen
    assert seen.isdisjoint({"ranks", "suits", "cut"})


def test_an_invented_cut_is_seen(derived, dealt_of, tables):
    records = derived(200_000, 5)
    assert flags(records["cards"], dealt_of, tables, cut=records["cut"] // 2 * 2) == {"cut"}


def test_a_suit_that_comes_too_often_is_seen(derived, dealt_of, tables):
    records = derived(200_000, 6)
    cards = records["cards"].copy()
    cards[::50, 2] = cards[::50, 2] % 13
    assert flags(cards, dealt_of, tables, cut=records["cut"]) == {"suits"}


def test_coups_that_follow_their_predecessor_are_seen(derived, dealt_of, tables):
    """Where a winner differs from the one before, one coup in ten is dealt again: outcomes stay as they are, streaks grow."""
    records = derived(220_000, 8)
    winner = records["winner"]
    kept, spare = [], iter(range(200_000, 220_000))
    for row in range(200_000):
        kept.append(next(spare) if kept and winner[row] != winner[kept[-1]] and row % 10 == 0 else row)
    assert {"serial", "runs"} <= flags(records["cards"][kept], dealt_of, tables, cut=records["cut"][kept])


def test_payments_that_are_short_are_seen(million, tables):
    from dataclasses import replace

    returned = million.line_returned.copy()
    won = np.flatnonzero((million.line_bet == 0) & (returned > 0))
    returned[won[::40]] = 0
    found = statistics_of(replace(million, line_returned=returned), tables)
    assert {(each.name, each.subject) for each in found.flagged} == {
        ("return", "player"),
        ("hits", "player"),
    }


def test_p_values_of_fair_rounds_are_spread_evenly(fair, tables):
    """Of 200 audits of 3,000 fair rounds, one in twenty has a p-value below 5 %, for each kind; and about one in a hundred is flagged."""
    below, total, flagged = Counter(), Counter(), 0
    for key in range(200):
        found = statistics_of(fair(3000, key=key, stakes=(20, 21, 25)), tables)
        flagged += bool(found.flagged)
        for each in found.comparisons:
            total[each.name, each.method] += 1
            below[each.name, each.method] += each.p_value < 0.05
    assert {name for name, _ in total} == QUESTIONS.keys() - {"refused_return"}
    for (name, method), count in total.items():
        low, high = stats.binom.interval(0.9999, count, 0.05)
        is_exact = method in ("chi-square", "normal")  # the others are upper bounds, and come less often
        assert (low if is_exact else 0) <= below[name, method] <= high, (name, method, below[name, method], count)
    assert flagged <= stats.binom.ppf(0.9999, 200, found.alpha)


def test_statistics_of_nothing_say_nothing():
    found = Statistics.of(Tally(), SerialTally())
    assert found.comparisons == found.flagged == ()
    assert len(found.omissions) == 6
    with pytest.raises(KeyError):
        found.comparison("cut")


def test_statistics_are_told_as_json(fair, tables):
    found = statistics_of(fair(3000), tables)
    form = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert form["family"] == len(form["comparisons"])
    assert form["returns"][0]["bet"] == "banker"
    assert Fraction(form["returns"][0]["expected"]) == found.returns[0].expected
