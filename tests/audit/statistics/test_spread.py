"""Bounds of what luck does: never less than the exact tail, counted outcome by outcome, and not much more."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import e, exp, inf, sqrt
from random import Random

import pytest

np = pytest.importorskip("numpy", reason="audits need numpy")
pytest.importorskip("pyarrow", reason="audits need pyarrow")
pytest.importorskip("scipy", reason="statistics need scipy")

from scipy import stats  # noqa: E402

from provably_fair_baccarat import ALL_BETS, DRAGON_BONUS, PUNTO_BANCO, PayTable  # noqa: E402
from provably_fair_baccarat.audit.bet_tally import BetTally, bet_step  # noqa: E402
from provably_fair_baccarat.audit.statistics.hits import Hits  # noqa: E402
from provably_fair_baccarat.audit.statistics.house import pool_house, returned_covariances, together  # noqa: E402
from provably_fair_baccarat.audit.statistics.returns import NINE_IN_TEN, Return, pool  # noqa: E402
from provably_fair_baccarat.audit.statistics.scope import Scope  # noqa: E402
from provably_fair_baccarat.audit.statistics.spread import Spread  # noqa: E402
from provably_fair_baccarat.audit.sums import BetKey, Sums  # noqa: E402
from provably_fair_baccarat.rules.odds import mix_odds, odds  # noqa: E402


def return_of(bet, table, stakes, decks=8, currency=""):
    """A return of lines with these stakes; nothing came back."""
    step, sums = bet_step(bet, table), {}
    for stake in stakes:
        sums[stake % step] = sums.get(stake % step, Sums()).plus(Sums(1, stake, stake**2, 0, 0, stake))
    return Return.of(BetKey(bet, table.digest, decks, currency), BetTally(step, sums), table)


def distribution(bet, table, stakes, decks=8):
    """What comes back of all stakes together, with its probability: exactly."""
    figures = odds(bet, table, decks)
    sums = {0: Fraction(1)}
    for stake in stakes:
        more = {}
        for total, weight in sums.items():
            for answer, probability in figures.probabilities.items():
                back = total + stake * figures.payments[answer].multiplier // 10**6
                more[back] = more.get(back, 0) + weight * probability
        sums = more
    return sums


# Bennett's inequality


def test_bennett_by_hand():
    """V = 100, b = 1 and t = 20: u is 0.2, and 1.2 ln 1.2 - 0.2 = 0.0187858682."""
    spread = Spread(Fraction(100), inf, inf, 1.0, 1.0)
    assert spread.method == "bennett"
    assert spread.p_value(20) == spread.p_value(-20) == pytest.approx(2 * exp(-1.87858682), rel=1e-7)
    assert Spread(Fraction(100), inf, inf, 100 * (e - 1) / 20, 1.0).p_value(20) == pytest.approx(2 * exp(-100 / (5 * (e - 1)) ** 2))
    assert spread.p_value(0) == spread.p_value(0.1) == 1
    assert Spread(Fraction(0), 0.0, 0.0, 0.0, 0.0).p_value(5) == 1
    assert spread.p_value(1e6) == 0


@pytest.mark.parametrize(("bet", "stakes"), [("tie", [20] * 12), ("player", [1, 3, 20, 7, 7, 2, 50]), ("banker", [19, 7, 3, 3, 3])])
def test_bennett_is_no_less_than_the_exact_tail(bet, stakes):
    figure, exact = return_of(bet, PUNTO_BANCO, stakes), distribution(bet, PUNTO_BANCO, stakes)
    assert figure.spread.method == "bennett"
    assert sum(back * weight for back, weight in exact.items()) == figure.expected
    for back in exact:
        off = back - figure.expected
        tail = sum(weight for other, weight in exact.items() if (other >= back if off > 0 else other <= back))
        assert figure.spread.p_value(float(off)) >= min(1, 2 * tail) * (1 - 1e-12)
    most, least = max(exact), min(exact)
    assert figure.spread.up >= max(stakes) * 0.99 * (most - figure.expected) / sum(stakes)
    assert figure.spread.down <= max(stakes) * 1.1 + 1
    assert least == 0


def test_a_shortfall_of_a_rare_payout_is_judged_sharply():
    """Of 2,000 ties of 100: below, Bennett is hardly worse than the tail exp(-z^2 / 2); above, luck goes further."""
    figure = return_of("tie", PUNTO_BANCO, [100] * 2000)
    off = 4 * figure.spread.deviation
    wins = int((float(figure.expected) - off) // 900)
    exact = 2 * stats.binom.cdf(wins, 2000, float(odds("tie").statuses["won"]))
    assert exact < figure.spread.p_value(-off) < 1.1 * 2 * exp(-8)
    assert figure.spread.p_value(off) > 1.5 * figure.spread.p_value(-off)


@pytest.mark.parametrize("p_value", [0.5, 0.05, 1e-2, 1e-5, 1e-30])
@pytest.mark.parametrize(("up", "down"), [(1.0, 1.0), (1e-6, 1e-3), (300.0, 5.0)])
def test_limits_are_where_the_p_value_is(p_value, up, down):
    spread = Spread(Fraction(100), inf, inf, up, down)
    low, high = spread.limits(p_value)
    assert spread.p_value(-low) == pytest.approx(p_value, rel=1e-4)
    assert spread.p_value(high) == pytest.approx(p_value, rel=1e-4)
    normal = Spread(Fraction(100), 0.0, 1.0, up, down)
    assert normal.p_value(normal.limits(p_value)[1]) == pytest.approx(p_value)
    assert normal.limits(p_value) == spread.limits(p_value, as_normal=True) == pytest.approx((stats.norm.isf(p_value / 2) * 10,) * 2)


# The normal distribution, where it is near enough


def test_where_a_sum_counts_as_normal_its_tail_is_the_exact_one_nearly():
    """Ties of one size, as few as may count as normal: two-sided, down to 1 in 10,000, the exact tail is at most a third larger."""
    count = next(n for n in range(2000, 5000, 50) if return_of("tie", PUNTO_BANCO, [1] * n).spread.is_normal)
    figure, probability = return_of("tie", PUNTO_BANCO, [1] * count), float(odds("tie").statuses["won"])
    assert 2500 < count < 3200
    compared = 0
    for wins in range(count):
        found = figure.spread.p_value(9 * wins - float(figure.expected))
        if 1e-4 < found < 0.5:
            off = abs(wins - count * probability)
            exact = stats.binom.cdf(count * probability - off, count, probability) + stats.binom.sf(
                count * probability + off - 1e-9, count, probability
            )
            compared += 1
            assert exact < 1.35 * found
    assert compared > 80


def test_one_heavy_stake_is_not_normal_in_a_pool():
    """A small table with one huge stake makes a pool of many small ones not normal, too."""
    many, one = return_of("player", PUNTO_BANCO, [10] * 5000), return_of("player", DRAGON_BONUS, [200], 6)
    (pooled,) = pool([many, one])
    assert many.spread.is_normal
    assert not pooled.spread.is_normal
    assert pooled.spread.variance == many.spread.variance + one.spread.variance
    assert pooled.spread.up == one.spread.up


# Hits


def poisson_binomial(probabilities):
    """How likely each number of hits is."""
    weights = np.array([1.0])
    for probability in probabilities:
        weights = np.convolve(weights, [1 - probability, probability])
    return weights


@pytest.mark.parametrize("probabilities", [[0.3] * 40, [0.05] * 30 + [0.9] * 30, [0.0951] * 100 + [0.0955] * 100])
def test_hits_are_no_less_than_the_exact_tail(probabilities):
    """By Hoeffding (1956), and exact where all are alike; so no level is missed more often than it says."""
    weights = poisson_binomial(probabilities)
    expected = sum(map(Fraction, probabilities))
    found = [Hits(len(probabilities), hits, expected).p_value for hits in range(len(weights))]
    for hits, p_value in enumerate(found):
        tail = weights[: hits + 1].sum() if hits < expected else weights[hits:].sum()
        assert p_value >= min(1, 2 * tail) * (1 - 1e-9)
        if len(set(probabilities)) == 1 and abs(hits - expected) >= 1:
            assert p_value == pytest.approx(min(1, 2 * tail))
    for level in (0.2, 0.05, 0.01, 1e-4):
        assert weights[np.array(found) <= level].sum() <= level


def test_hits_agree_with_the_binomial_test():
    hits = Hits(10_000, 5100, Fraction(5360))
    assert hits.p_value == pytest.approx(2 * stats.binomtest(5100, 10_000, 0.536, alternative="less").pvalue)
    assert Hits(10_000, 5600, Fraction(5360)).p_value == pytest.approx(
        2 * stats.binomtest(5600, 10_000, 0.536, alternative="greater").pvalue
    )


# Pools


def test_a_pool_is_the_sum_of_its_parts():
    parts = [
        return_of("tie", PUNTO_BANCO, [5, 9, 1000]),
        return_of("tie", DRAGON_BONUS, [7], 6),
        return_of("tie", PUNTO_BANCO, [3], 8, "EUR"),
        return_of("player", PUNTO_BANCO, [3, 4]),
    ]
    pooled = pool(parts)
    assert [str(each.scope) for each in pooled] == ["player", "tie", "tie, EUR"]
    tie = pooled[1]
    assert (tie.expected, tie.spread.variance) == (
        parts[0].expected + parts[1].expected,
        parts[0].spread.variance + parts[1].spread.variance,
    )
    assert (tie.sums.lines, tie.sums.staked, tie.sums.largest) == (4, 1021, 1000)
    assert tie.expected_hits == 3 * odds("tie").hit_frequency + odds("tie", DRAGON_BONUS, 6).hit_frequency


def test_parts_of_a_return_are_its_shares():
    figure = return_of("player", PUNTO_BANCO, [10] * 300 + [20] * 100)
    parts = [figure.part(return_of("player", PUNTO_BANCO, stakes).sums) for stakes in ([10] * 300, [20] * 100)]
    whole = parts[0].plus(parts[1], figure.scope)
    assert float(whole.expected) == pytest.approx(float(figure.expected))
    assert float(whole.spread.variance) == pytest.approx(float(figure.spread.variance))
    assert (whole.spread.up, whole.spread.down, whole.spread.heaviest) == pytest.approx(
        (figure.spread.up, figure.spread.down, figure.spread.heaviest)
    )
    assert parts[0].spread.up == pytest.approx(figure.spread.up / 2)


def test_scopes_are_told_apart():
    assert str(Scope()) == "all bets"
    assert str(Scope("tie", PUNTO_BANCO.digest, 1, "EUR")) == f"tie, 1 deck, table {PUNTO_BANCO.digest[:8]} (punto_banco), EUR"
    assert str(Scope("tie", "ab" * 32, 8)) == "tie, 8 decks, table abababab"


# The house


def test_covariances_are_those_of_mixes():
    bets = ["player", "banker", "tie", "dragon_bonus_player", "egalite_3", "super6"]
    found = returned_covariances(bets, ALL_BETS, 8)
    for one, other in combinations(range(len(bets)), 2):
        unit = 10**6  # at which no return of these bets is rounded
        alone = [mix_odds({bets[each]: unit}, ALL_BETS, 8).variance for each in (one, other)]
        both = mix_odds({bets[one]: unit, bets[other]: unit}, ALL_BETS, 8).variance
        assert found[one, other] == found[other, one] == (both - sum(alone)) / 2 / unit**2
    assert found[2, 2] == odds("tie").variance


ROUNDING = PayTable("2.017", "1.953", "8.5", side_bets={"big": "1.54", "player_pair": "12.0", "either_pair": "6.0"})


@pytest.mark.parametrize(("table", "seed"), [(PUNTO_BANCO, 1), (DRAGON_BONUS, 2), (ROUNDING, 3), (ROUNDING, 4)])
def test_the_deviation_of_all_bets_is_no_less_than_the_exact_one(table, seed):
    """Rounds with several bets at once, each with the exact variance of its mix."""
    random, exact, stakes_of = Random(seed), Fraction(0), {}
    bets = list(table.offers)
    for _ in range(12):
        stakes = {bet: random.choice([1, 7, 20, 333]) for bet in random.sample(bets, random.randint(1, min(4, len(bets))))}
        exact += mix_odds(stakes, table, 8).variance
        for bet, stake in stakes.items():
            stakes_of.setdefault(bet, []).append(stake)
    parts = [return_of(bet, table, stakes) for bet, stakes in stakes_of.items()]
    whole = together(parts, table, 8)
    assert (
        exact
        <= whole.spread.variance
        <= sum(each.spread.deviation for each in parts) ** 2 * (1 + 1e-6) + sum(sqrt(each.sums.lines) for each in parts) ** 2 + 1
    )
    assert not whole.spread.is_normal
    assert whole.spread.up == pytest.approx(sum(each.spread.up for each in parts))


def test_bets_that_win_together_on_every_coup_are_counted_so():
    """The worst case is reached: the same stake on `player` and on `dragon_bonus_player` in every round."""
    parts = [return_of(bet, DRAGON_BONUS, [1000] * 50) for bet in ("player", "dragon_bonus_player")]
    exact = 50 * mix_odds({"player": 1000, "dragon_bonus_player": 1000}, DRAGON_BONUS, 8).variance
    found = together(parts, DRAGON_BONUS, 8).spread.variance
    assert exact <= found <= exact * (1 + 1e-8) + 1


def test_rounding_may_add_half_a_unit_to_the_deviation_of_a_line():
    """Of nine lines whose returns are rounded, and of none whose are not, by hand."""
    rounded, exact = ([return_of("player", table, [1] * 9)] for table in (ROUNDING, PUNTO_BANCO))
    unit = float(odds("player", ROUNDING).variance)
    assert float(together(rounded, ROUNDING, 8).spread.variance) == pytest.approx((3 * sqrt(unit) + 1.5) ** 2, abs=1)
    assert float(together(exact, PUNTO_BANCO, 8).spread.variance) == pytest.approx(9 * float(odds("player").variance), abs=1)


def test_the_house_is_one_for_each_currency_with_several_bets():
    parts = [return_of(bet, table, [20] * 9, decks, currency) for bet, table, decks, currency in (
        ("player", PUNTO_BANCO, 8, "EUR"), ("tie", PUNTO_BANCO, 8, "EUR"), ("tie", DRAGON_BONUS, 6, "EUR"), ("tie", DRAGON_BONUS, 6, "USD"),
    )]  # fmt: skip
    (euros,) = pool_house(parts, {PUNTO_BANCO.digest: PUNTO_BANCO, DRAGON_BONUS.digest: DRAGON_BONUS})
    assert euros.scope == Scope(currency="EUR")
    assert euros.expected == sum(each.expected for each in parts[:3])
    assert float(euros.spread.variance) == pytest.approx(float(sum(each.spread.variance for each in parts[:3])), rel=0.02)


# Power


def test_a_bias_of_the_size_that_would_be_found_is_found_nine_times_in_ten():
    figure = return_of("player", PUNTO_BANCO, [10] * 5000)
    low, _ = figure.smallest_bias(1e-4)
    limit = -figure.spread.limits(1e-4)[0]
    mean = -low * figure.sums.staked
    assert stats.norm.cdf((limit - mean) / figure.spread.deviation) == pytest.approx(0.9)
    assert pytest.approx(stats.norm.isf(0.1)) == NINE_IN_TEN
