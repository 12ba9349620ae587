"""Settlement: whole units, one rounding, nothing lost and nothing made."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from provably_fair_baccarat import ALL_BETS, PUNTO_BANCO, Card, PayTable, Settlement, deal_coup, settle
from provably_fair_baccarat.errors import AmountError, BetError, DealError, PayTableError, StakeError, UnknownBetError
from provably_fair_baccarat.rules.settlement import MAX_AMOUNT
from provably_fair_baccarat.testing import bets, coups, pay_tables, stakes


def deal(text):
    return deal_coup(map(Card.parse, text.split()))


PLAYER_WINS, BANKER_WINS, TIE = deal("9h 2s Kh 3s"), deal("2h 9s Kh Ks"), deal("9h 9s Kh Ks")


@pytest.mark.parametrize(
    ("coup", "returns", "statuses"),
    [
        (PLAYER_WINS, (200, 0, 0), ("won", "lost", "lost")),
        (BANKER_WINS, (0, 195, 0), ("lost", "won", "lost")),
        (TIE, (100, 100, 900), ("pushed", "pushed", "won")),
    ],
)
def test_the_table_of_step_7(coup, returns, statuses):
    settlement = settle(coup, {"player": 100, "banker": 100, "tie": 100})
    lines = list(settlement.lines.values())
    assert [line.bet for line in lines] == ["player", "banker", "tie"]
    assert tuple(line.returned for line in lines) == returns
    assert tuple(line.status for line in lines) == statuses
    assert [line.net for line in lines] == [returned - 100 for returned in returns]
    assert (settlement.staked, settlement.returned, settlement.net) == (300, sum(returns), sum(returns) - 300)
    assert settlement.pay_table is PUNTO_BANCO


@pytest.mark.parametrize(("stake", "returned"), [(1, 1), (2, 3), (3, 5), (7, 13), (19, 37), (20, 39), (21, 40)])
def test_the_one_rounding_is_down(stake, returned):
    assert settle(BANKER_WINS, {"banker": stake}).returned == returned


def test_nothing_staked_is_nothing_returned():
    settlement = settle(PLAYER_WINS, {})
    assert (settlement.staked, settlement.returned, settlement.net, dict(settlement.lines)) == (0, 0, 0, {})


def test_a_multiplier_of_1_wins_the_stake_back():
    line = settle(PLAYER_WINS, {"player": 7}, PayTable(1)).lines["player"]
    assert (line.status, line.returned, line.net) == ("won", 7, 0)


def test_long_stakes_are_exact():
    stake = 12345678901234567890123456789012345678 // 2
    assert settle(BANKER_WINS, {"banker": stake}).returned == stake * 195 // 100
    assert settle(PLAYER_WINS, {"player": stake}, PayTable("1.000001")).returned == stake + stake // 10**6


@given(coups(), st.data())
def test_returns_are_the_exact_products_rounded_down(coup, data):
    table = data.draw(pay_tables())
    placed = data.draw(bets(table))
    settlement = settle(coup, placed, table)
    assert {name: line.stake for name, line in settlement.lines.items()} == dict(placed)
    for name, line in settlement.lines.items():
        payment = table.offers[name].payments[table.offers[name].bet.result(coup)]
        exact = Fraction(payment.multiplier, 10**6) * line.stake
        assert exact - 1 < line.returned <= exact
        assert line.status == payment.status
        assert line.net == line.returned - line.stake
        assert (line.status == "lost") == (line.returned == 0)
        assert line.status != "pushed" or line.returned == line.stake
    assert settlement.returned == sum(line.returned for line in settlement.lines.values())
    assert settlement.net == sum(line.net for line in settlement.lines.values())


@given(coups(), stakes(), stakes(), st.sampled_from(["player", "banker", "tie"]))
def test_splitting_a_stake_never_returns_more(coup, stake, other, bet):
    parts = settle(coup, {bet: stake}).returned + settle(coup, {bet: other}).returned
    whole = settle(coup, {bet: stake + other}).returned
    assert whole - 1 <= parts <= whole


@given(coups(), pay_tables(), st.data())
def test_each_bet_is_settled_by_itself(coup, table, data):
    placed = data.draw(bets(table))
    together = settle(coup, placed, table)
    for name, stake in placed.items():
        assert settle(coup, {name: stake}, table).lines[name] == together.lines[name]


@pytest.mark.parametrize("stake", [0, -1, 1.0, "5", True, None, MAX_AMOUNT + 1, float("nan"), [5], 2**200])
def test_what_is_no_stake_is_refused(stake):
    with pytest.raises(StakeError) as caught:
        settle(PLAYER_WINS, {"tie": stake})
    assert caught.value.subject == "stake on tie"


def test_stakes_are_multiples_of_the_tables_step():
    table = PayTable(stake_step=20)
    assert settle(BANKER_WINS, {"banker": 40}, table).returned == 78
    with pytest.raises(StakeError, match="a multiple of the table's stake step 20"):
        settle(BANKER_WINS, {"banker": 30}, table)


@pytest.mark.parametrize("bet", ["banke", "Banker", "", "dragon7", 7, None, ("player",)])
def test_unknown_bets_are_refused_by_name(bet):
    with pytest.raises(UnknownBetError) as caught:
        settle(PLAYER_WINS, {bet: 5})
    assert caught.value.expected == "one of player, banker, tie"
    assert (caught.value.hint == "Did you mean 'banker'?") is (bet in ("banke", "Banker"))


def test_an_unhashable_bet_is_no_mapping_key_but_an_odd_mapping_may_have_it():
    class Odd(dict):
        def items(self):
            return [(["player"], 5)]

    with pytest.raises(UnknownBetError):
        settle(PLAYER_WINS, Odd())
    with pytest.raises(StakeError, match=r"^stake: "):
        settle(PLAYER_WINS, {7: 1.5})


def test_an_alias_is_told_under_which_name_it_is_offered():
    with pytest.raises(UnknownBetError) as caught:
        settle(PLAYER_WINS, {"lucky6": 5}, ALL_BETS)
    assert caught.value.hint == "It is offered as 'tiger'."


def test_lines_are_copied_and_looked_at():
    lines = dict(settle(PLAYER_WINS, {"player": 5}).lines)
    settlement = Settlement(lines, PUNTO_BANCO)
    lines.clear()
    assert settlement.staked == 5
    for wrong in ({"tie": settlement.lines["player"]}, {"player": 5}, None, [1]):
        with pytest.raises(BetError):
            Settlement(wrong, PUNTO_BANCO)


@pytest.mark.parametrize("placed", [None, ["player"], "player", 5, {"player"}])
def test_bets_are_a_mapping(placed):
    with pytest.raises(BetError):
        settle(PLAYER_WINS, placed)


def test_what_is_no_coup_and_no_table():
    with pytest.raises(DealError):
        settle("coup", {"player": 5})
    with pytest.raises(PayTableError):
        settle(PLAYER_WINS, {"player": 5}, "punto_banco")


def test_no_amount_goes_above_the_bound():
    assert settle(TIE, {"player": MAX_AMOUNT}).returned == MAX_AMOUNT
    assert settle(PLAYER_WINS, {"player": MAX_AMOUNT // 2}).returned == MAX_AMOUNT - 1
    with pytest.raises(AmountError):
        settle(PLAYER_WINS, {"player": MAX_AMOUNT // 2 + 1})
    with pytest.raises(AmountError):
        settle(BANKER_WINS, {"player": MAX_AMOUNT, "tie": 1})
    with pytest.raises(AmountError):
        settle(PLAYER_WINS, {"player": MAX_AMOUNT // 2, "tie": MAX_AMOUNT // 2, "banker": 2})


def test_a_settlement_never_changes():
    settlement = settle(PLAYER_WINS, {"player": 5})
    for value, name in ((settlement, "lines"), (settlement.lines["player"], "returned"), (settlement, "net")):
        with pytest.raises((AttributeError, TypeError)):
            setattr(value, name, 10**6)
    with pytest.raises(TypeError):
        settlement.lines["tie"] = settlement.lines["player"]


@given(coups(), stakes())
def test_the_house_and_the_bettor_share_one_purse(coup, stake):
    """What the bettor gains is what the house pays: with both hands backed, a round costs at most the commission."""
    assume(stake > 1)
    settlement = settle(coup, {"player": stake, "banker": stake})
    commission = stake - (stake * 1_950_000 // 10**6 - stake)
    assert settlement.net == {"player": 0, "banker": -commission, "tie": 0}[coup.winner.value]


@pytest.mark.parametrize(
    ("name", "codes"),
    [("dragon7", ["other_table"]), ("tiger", ["other_table"]), ("lucky6", ["other_table"]), ("bankr", ["misspelt"]), ("zzz", []), (7, [])],
)
def test_an_unknown_bet_names_the_tables_that_have_it(name, codes):
    with pytest.raises(UnknownBetError) as caught:
        settle(deal_coup(map(Card.parse, "Tc 8s Kc 3d Th 7c".split())), {name: 1})
    assert [slip.code for slip in caught.value.slips] == codes
