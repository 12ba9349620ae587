"""The simulation: every coup counted once, whatever the threads, and the statistics that textbooks say."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import islice
from math import isclose

import pytest

from provably_fair_baccarat import ALL_BETS, PUNTO_BANCO, SUPER_SIX, kernel, laboratory, settle
from provably_fair_baccarat.errors import BaccaratError, DecksError, KernelError, LaboratoryError, PayTableError
from provably_fair_baccarat.laboratory import seed_pairs, simulate, simulation
from provably_fair_baccarat.rules.coup import Outcome, deal_coup
from provably_fair_baccarat.rules.odds import CoupClass, coup_odds

KEY = bytes(range(32))


def last(*arguments, **options):
    *_, whole = simulate(*arguments, **options)
    return whole


def dealt(rounds, pairs, decks):
    """The coups that a simulation must deal, one by one."""
    for turn, seeds in enumerate(islice(seed_pairs(KEY, decks), pairs)):
        for coup in kernel.read_records(kernel.derive(seeds, range(rounds // pairs + (turn < rounds % pairs)), path="python")):
            yield deal_coup(coup.cards)


def test_every_coup_is_counted_once():
    whole = last(1003, KEY, decks=5, pairs=10)
    assert whole.rounds == 1003
    coups = list(dealt(1003, 10, 5))
    assert {share.outcome: share.count for share in whole.shares} == Counter(coup.winner for coup in coups)
    classes = Counter(CoupClass(c.player.score, c.banker.score, len(c.player.cards), len(c.banker.cards)) for c in coups)
    assert whole.classes == classes


@pytest.mark.parametrize("table", [PUNTO_BANCO, SUPER_SIX, ALL_BETS])
def test_returns_are_those_of_a_settlement(table):
    whole = last(500, KEY, decks=2, pairs=3, pay_table=table)
    unit = 10**6
    for each in whole.returns:
        bet = each.odds.bet
        paid = sum(settle(coup, {bet: unit}, table).returned for coup in dealt(500, 3, 2))
        assert (each.paid, each.observed) == (paid, Fraction(paid, 500 * unit)), bet
        assert each.exact == each.odds.expected_return
    assert {each.odds.bet for each in whole.returns} == {name for name, offer in table.offers.items() if offer.bet.needs == "scores"}


def test_threads_and_paths_change_nothing(monkeypatch):
    monkeypatch.setattr(simulation, "PIECE", 1000)
    expected = last(5000, KEY, pairs=7)
    for options in ({"threads": 2}, {"threads": 64}, {"path": "python"}):
        assert last(5000, KEY, pairs=7, **options) == expected


def test_it_grows_by_pieces_and_the_last_one_is_whole(monkeypatch):
    monkeypatch.setattr(simulation, "PIECE", 1000)
    monkeypatch.setattr(simulation, "PYTHON_PIECE", 1000)
    assert [part.rounds for part in simulate(3500, KEY, pairs=1)] == [1000, 2000, 3000, 3500]
    assert [part.rounds for part in simulate(3000, KEY, pairs=6)] == [1000, 2000, 3000]
    assert [part.rounds for part in simulate(3, KEY, pairs=1000)] == [3]


def test_the_statistics():
    """Checked by hand: 3 outcomes of 1,000 coups, 8 decks."""
    classes = {CoupClass(7, 6, 2, 2): 500, CoupClass(6, 7, 2, 2): 420, CoupClass(7, 7, 2, 2): 80}
    whole = laboratory.Simulation(8, PUNTO_BANCO, classes)
    exact = coup_odds(8)
    player, banker, tie = whole.shares
    assert [share.outcome for share in whole.shares] == list(Outcome)
    assert [share.count for share in whole.shares] == [500, 420, 80]
    assert player.probability == Fraction(2_230_518_282_592_256, 4_998_398_275_503_360)
    assert player.expected == 1000 * player.probability
    p = float(player.probability)
    assert isclose(player.z, (500 - 1000 * p) / (1000 * p * (1 - p)) ** 0.5)
    expected = [1000 * exact.probability(ways) for ways in exact.outcomes.values()]
    chi_square = sum((count - float(e)) ** 2 / float(e) for count, e in zip((500, 420, 80), expected, strict=True))
    assert isclose(whole.chi_square, chi_square)
    assert isclose(whole.chi_square, 12.1371, abs_tol=1e-3)
    assert isclose(whole.p_value, 0.0023145, abs_tol=1e-5)
    (on_player, on_banker, on_tie) = whole.returns
    assert (on_player.observed, on_banker.observed) == (Fraction(1080, 1000), Fraction(420 * 195 + 8000, 100_000))
    assert on_tie.observed == Fraction(720, 1000)
    assert isclose(on_tie.z, float(on_tie.observed - on_tie.exact) / (2.640872 / 1000**0.5), rel_tol=1e-5)
    assert tie.z < 0 < player.z
    assert banker.z < 0


def test_the_p_value_is_that_of_scipy():
    stats = pytest.importorskip("scipy.stats", reason="scipy is not installed: pip install 'provably-fair-baccarat[report]'")
    whole = last(10_000, KEY)
    assert isclose(whole.p_value, stats.chi2.sf(whole.chi_square, 2))


def test_a_million_coups_are_as_the_odds_say():
    if not kernel.kernel_info().native:
        pytest.skip(f"no native kernel: {kernel.kernel_info().reason}")
    whole = last(1_000_000, KEY, pay_table=ALL_BETS, threads=2)
    assert all(abs(share.z) < 4 for share in whole.shares)
    assert all(abs(each.z) < 4.5 for each in whole.returns)
    assert whole.p_value > 0.001


@pytest.mark.parametrize(
    ("error", "options"),
    [
        (LaboratoryError, {"rounds": 0}),
        (LaboratoryError, {"rounds": 10**15 + 1}),
        (LaboratoryError, {"rounds": 1e3}),
        (LaboratoryError, {"rounds": True}),
        (LaboratoryError, {"pairs": 0}),
        (LaboratoryError, {"key": b"short"}),
        (DecksError, {"decks": 0}),
        (KernelError, {"threads": 0}),
        (KernelError, {"path": "warp"}),
        (PayTableError, {"pay_table": "punto_banco"}),
    ],
)
def test_what_cannot_be_simulated_is_refused_at_once(error, options):
    with pytest.raises(error) as refusal:
        simulate(**{"rounds": 10, "key": KEY, **options})
    assert isinstance(refusal.value, BaccaratError)
