"""The catalogue of bets: for each, what it says happened in a coup.

A bet's event is fixed by the rules and told here, once; what it pays is data of a pay table, since houses differ. An event answers with
one word: `LOST`, `PUSHED` (the stake comes back), or the name of what is paid, `WON` where there is just one such thing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, get_args

from ..cards import Rank
from ..errors import PayTableError, describe
from .coup import Coup, Outcome

if TYPE_CHECKING:
    from ..cards import Card
    from .coup import Hand

LOST: Final = "lost"
PUSHED: Final = "pushed"
WON: Final = "won"

Event: TypeAlias = Callable[[Coup], "str | bool"]
"""What happened, from a coup: one of the bet's payouts, `LOST` or `PUSHED`; True stands for `WON` and False for `LOST`."""

Needs: TypeAlias = Literal["scores", "points", "ranks", "suits"]
"""What an event looks at, so that its odds can be counted without dealing every order of every card.

`scores`: both hands' scores and numbers of cards, no more. `points`: the points of each card too. `ranks`: the ranks of the first two
cards of each hand. `suits`: their ranks and suits.
"""

Kind: TypeAlias = Callable[["Card", "Card"], Hashable]
"""What of a hand's first two cards, in order, an event looks at: it can't tell hands of one kind apart."""

_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Bet:
    """One thing to bet on.

    `name` is its key in bets, pay tables and records: `[a-z][a-z0-9_]*`, up to 64 characters. `event` is a pure function from a coup to
    what happened, `needs` what the event looks at, and `payouts` the things that it may say are to be paid. Where that is `ranks` or
    `suits`, `kind` may say that the event sees less: a function from a hand's first two cards to what it sees of them, like whether they
    are of one suit. The odds are the same, and are counted in milliseconds and not in seconds. Raises PayTableError for anything else.
    """

    name: str
    event: Event
    needs: Needs
    payouts: tuple[str, ...] = (WON,)
    kind: Kind | None = None

    def __post_init__(self) -> None:
        if not (isinstance(self.name, str) and _NAME.fullmatch(self.name)):
            raise PayTableError("name of a bet", "a letter, then letters, digits and _, all lower-case ASCII", describe(self.name))
        if not callable(self.event):
            raise PayTableError(f"event of bet {self.name}", "a function of a coup", describe(self.event))
        if self.needs not in get_args(Needs):
            raise PayTableError(f"needs of bet {self.name}", " or ".join(get_args(Needs)), describe(self.needs))
        payouts = self.payouts
        if not (isinstance(payouts, tuple) and payouts and all(isinstance(name, str) and _NAME.fullmatch(name) for name in payouts)):
            raise PayTableError(f"payouts of bet {self.name}", "a tuple of names", describe(payouts))
        if LOST in payouts or PUSHED in payouts or len(set(payouts)) < len(payouts):
            raise PayTableError(f"payouts of bet {self.name}", f"each once, and neither {LOST!r} nor {PUSHED!r}", describe(payouts))
        if self.kind is not None and not (callable(self.kind) and self.needs in ("ranks", "suits")):
            raise PayTableError(f"kind of bet {self.name}", "a function of two cards, for a bet on ranks or suits", describe(self.kind))

    def result(self, coup: Coup) -> str:
        """What happened to this bet in a coup: one of its payouts, `LOST` or `PUSHED`.

        Raises PayTableError if the event answers with anything else.
        """
        return self.read(self.event(coup))

    def read(self, answer: object) -> str:
        """Turn an answer of the event into one of the bet's payouts, `LOST` or `PUSHED`."""
        if isinstance(answer, bool):
            answer = WON if answer else LOST
        known = (*self.payouts, LOST, PUSHED)
        if not (isinstance(answer, str) and answer in known):
            raise PayTableError(f"answer of the event of bet {self.name}", " or ".join(known), describe(answer))
        return answer


def _player(coup: Coup) -> str:
    player, banker = coup.player.score, coup.banker.score
    if player > banker:
        return WON
    return PUSHED if player == banker else LOST


def _banker(coup: Coup) -> str:
    player, score = coup.player.score, coup.banker.score
    if player >= score:
        return PUSHED if player == score else LOST
    if score == 6:
        return "six"
    return "three_card_seven" if score == 7 and len(coup.banker.cards) == 3 else WON


def _tie(coup: Coup) -> str:
    return WON if coup.player.score == coup.banker.score else LOST


def _is_perfect(hand: Hand) -> bool:
    return hand.cards[0] is hand.cards[1]


def _same_rank(first: Card, second: Card) -> Hashable:
    return first.rank is second.rank


def _same_card(first: Card, second: Card) -> Hashable:
    return first is second


def _perfect_pair(coup: Coup) -> str:
    return (LOST, "one", "both")[_is_perfect(coup.player) + _is_perfect(coup.banker)]


def _tiger_pair(coup: Coup) -> str:
    pairs = coup.player.is_pair + coup.banker.is_pair
    if pairs == 2:
        return "both_same" if coup.player.cards[0].rank is coup.banker.cards[0].rank else "both"
    return "one" if pairs else LOST


_ROYAL: Mapping[tuple[str, ...], str] = {
    (): LOST,
    ("unsuited",): "unsuited",
    ("suited",): "suited",
    ("unsuited", "unsuited"): "two_unsuited",
    ("suited", "unsuited"): "suited_and_unsuited",
    ("suited", "suited"): "two_suited",
}


def _royal_match(coup: Coup) -> str:
    """Each hand's king and queen is paid by itself and the payments are added, so that every combination is a payout of its own."""
    matches: list[str] = []
    for hand in (coup.player, coup.banker):
        first, second = hand.cards[:2]
        if {first.rank, second.rank} == {Rank.KING, Rank.QUEEN}:
            matches.append("suited" if first.suit is second.suit else "unsuited")
    return _ROYAL[tuple(sorted(matches))]


def _royal_kind(first: Card, second: Card) -> Hashable:
    return {first.rank, second.rank} == {Rank.KING, Rank.QUEEN} and (first.suit is second.suit, "royal")


def _dragon_bonus(outcome: Outcome) -> Event:
    """A natural win, or another win by 4 to 9; a tie of naturals pushes, every other tie loses."""

    def event(coup: Coup) -> str:
        winner = coup.winner
        if winner is Outcome.TIE:
            return PUSHED if coup.natural else LOST
        if winner is not outcome:
            return LOST
        if coup.natural:
            return "natural"
        margin = abs(coup.player.score - coup.banker.score)
        return f"by_{margin}" if margin >= 4 else LOST

    return event


def _wins_with(outcome: Outcome, score: int, cards: int | None = None) -> Event:
    """The hand wins with this score and, if told, with so many cards."""

    def event(coup: Coup) -> bool:
        hand = coup.player if outcome is Outcome.PLAYER else coup.banker
        return coup.winner is outcome and hand.score == score and cards in (None, len(hand.cards))

    return event


def _by_cards(outcome: Outcome, score: int) -> Event:
    """The hand wins with this score, with two or with three cards."""

    def event(coup: Coup) -> str:
        hand = coup.player if outcome is Outcome.PLAYER else coup.banker
        if coup.winner is outcome and hand.score == score:
            return "two_cards" if len(hand.cards) == 2 else "three_cards"
        return LOST

    return event


def _tie_on(score: int) -> Event:
    def event(coup: Coup) -> bool:
        return coup.player.score == coup.banker.score == score

    return event


def _cards_used(*numbers: int) -> Event:
    def event(coup: Coup) -> bool:
        return coup.cards_used in numbers

    return event


_MARGINS = ("natural", *(f"by_{margin}" for margin in range(4, 10)))
_TWO_OR_THREE = ("two_cards", "three_cards")

PLAYER = Bet("player", _player, "scores")
BANKER = Bet("banker", _banker, "scores", (WON, "six", "three_card_seven"))
TIE = Bet("tie", _tie, "scores")

MAIN_BETS: tuple[Bet, ...] = (PLAYER, BANKER, TIE)
"""The three bets that every table has (protocol step 7)."""

SIDE_BETS: tuple[Bet, ...] = (
    Bet("player_pair", lambda coup: coup.player.is_pair, "ranks", kind=_same_rank),
    Bet("banker_pair", lambda coup: coup.banker.is_pair, "ranks", kind=_same_rank),
    Bet("either_pair", lambda coup: coup.player.is_pair or coup.banker.is_pair, "ranks", kind=_same_rank),
    Bet("perfect_pair", _perfect_pair, "suits", ("one", "both"), _same_card),
    Bet("perfect_pair_flat", lambda coup: _is_perfect(coup.player) or _is_perfect(coup.banker), "suits", kind=_same_card),
    Bet("big", _cards_used(5, 6), "scores"),
    Bet("small", _cards_used(4), "scores"),
    Bet("four_cards", _cards_used(4), "scores"),
    Bet("five_cards", _cards_used(5), "scores"),
    Bet("six_cards", _cards_used(6), "scores"),
    Bet("dragon_bonus_player", _dragon_bonus(Outcome.PLAYER), "scores", _MARGINS),
    Bet("dragon_bonus_banker", _dragon_bonus(Outcome.BANKER), "scores", _MARGINS),
    Bet("dragon7", _wins_with(Outcome.BANKER, 7, cards=3), "scores"),
    Bet("panda8", _wins_with(Outcome.PLAYER, 8, cards=3), "scores"),
    Bet("super6", _wins_with(Outcome.BANKER, 6), "scores"),
    Bet("tiger", _by_cards(Outcome.BANKER, 6), "scores", _TWO_OR_THREE),
    Bet("small_tiger", _wins_with(Outcome.BANKER, 6, cards=2), "scores"),
    Bet("big_tiger", _wins_with(Outcome.BANKER, 6, cards=3), "scores"),
    Bet("tiger_tie", _tie_on(6), "scores"),
    Bet("tiger_pair", _tiger_pair, "ranks", ("one", "both", "both_same")),
    Bet("lucky7", _by_cards(Outcome.PLAYER, 7), "scores", _TWO_OR_THREE),
    Bet("royal_match", _royal_match, "suits", tuple(payout for payout in _ROYAL.values() if payout != LOST), _royal_kind),
    *(Bet(f"egalite_{score}", _tie_on(score), "scores") for score in range(10)),
)
"""The side bets that a pay table may offer, in the order they are usually printed."""

CATALOGUE: Mapping[str, Bet] = MappingProxyType({bet.name: bet for bet in (*MAIN_BETS, *SIDE_BETS)})
"""Every bet of the catalogue by its name."""

ALIASES: Mapping[str, str] = MappingProxyType({"lucky6": "tiger"})
"""Other names under which a pay table may offer a bet of the catalogue."""
