"""What a bettor sees of coups and money: cards, hands, winners, bets and amounts, as rich text that is readable without its colours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich import box
from rich.table import Table
from rich.text import Text

from ..cards import Suit
from ..rules.coup import Hand, Outcome, deal_coup
from .screen import spells_symbols

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from ..cards import Card
    from ..records import BetForm, RoundRecord
    from ..rules.coup import Coup
    from ..rules.settlement import SettledBet

STYLES: Final[Mapping[Outcome, str]] = {Outcome.PLAYER: "bright_blue", Outcome.BANKER: "bright_red", Outcome.TIE: "green"}
"""The colours of the table: blue for the player, red for the banker, green for a tie."""

_STATUS_STYLES = {"won": "green", "pushed": "yellow", "lost": "dim"}


def dollars(cents: int) -> str:
    """An amount in cents as people write it: $50.00, -$5.00."""
    return f"{'-' * (cents < 0)}${abs(cents) // 100:,}.{abs(cents) % 100:02}"


def card_text(card: Card) -> Text:
    """A card as people print it, hearts and diamonds in red."""
    return Text(card.symbol if spells_symbols() else str(card), "red" if card.suit in (Suit.HEARTS, Suit.DIAMONDS) else "")


def cards_text(cards: Iterable[Card]) -> Text:
    """Cards in a row."""
    return Text(" ").join(map(card_text, cards))


def hand_text(hand: Hand) -> Text:
    """A hand in one line, its third card behind a plus, or told as a natural: `8♠ 3♥ + K♦`, `8♠ K♥ natural`."""
    text = cards_text(hand.cards[:2])
    if hand.is_natural:
        return text.append(" natural", "bold")
    return text.append(" + ").append_text(card_text(hand.cards[2])) if len(hand.cards) == 3 else text


def coup_text(coup: Coup) -> Text:
    """A coup as it is called at the table, in three lines: what each hand did, and who won."""
    lines = [_hand_line(name, hand, coup) for name, hand in (("Player", coup.player), ("Banker", coup.banker))]
    return Text("\n").join([*lines, _announcement(coup)])


def bets_text(bets: Mapping[str, SettledBet] | Mapping[str, BetForm], amount: Callable[[int], str]) -> Text:
    """A line for each bet: what was staked, what became of it and what came back."""
    if not bets:
        return Text("No bets.", "dim")
    names, stakes = max(map(len, bets)), max(len(amount(bet.stake)) for bet in bets.values())
    return Text("\n").join(
        Text.assemble(
            f"{name:<{names}}  {amount(bet.stake):>{stakes}}  ",
            (f"{bet.status:<6}", _STATUS_STYLES[bet.status]),
            f"  returned {amount(bet.returned)}",
        )
        for name, bet in bets.items()
    )


def rounds_table(records: Iterable[RoundRecord]) -> Table:
    """Rounds with their bets in dollars, a line for each round."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("nonce", justify="right", style="dim", no_wrap=True)
    for hand in ("player", "banker"):
        table.add_column(hand, no_wrap=True)
        table.add_column("", no_wrap=True)
    for name in ("winner", "bet"):
        table.add_column(name, no_wrap=True)
    table.add_column("returned", justify="right", no_wrap=True)
    for record in records:
        coup = deal_coup(record.cards)
        table.add_row(
            str(record.nonce),
            hand_text(coup.player),
            _score(coup, Outcome.PLAYER),
            hand_text(coup.banker),
            _score(coup, Outcome.BANKER),
            Text(coup.winner.value, STYLES[coup.winner]),
            "\n".join(f"{name} {dollars(bet.stake)}" for name, bet in record.bets.items()),
            Text("\n").join(Text(dollars(bet.returned), _STATUS_STYLES[bet.status]) for bet in record.bets.values()),
        )
    return table


def _score(coup: Coup, side: Outcome) -> Text:
    hand = coup.player if side is Outcome.PLAYER else coup.banker
    return Text(str(hand.score), f"bold {STYLES[side]}" if coup.winner is side else "")


def _hand_line(name: str, hand: Hand, coup: Coup) -> Text:
    text = Text.assemble(f"{name}  ", cards_text(hand.cards[:2]))
    score = Hand(hand.cards[:2]).score
    text.append(" " * (17 - text.cell_len)).append(f"= {score}   ")
    if hand.is_natural:
        return text.append("a natural", "bold")
    if len(hand.cards) == 3:
        return text.append("draws ").append_text(card_text(hand.cards[2])).append(f" and has {hand.score}")
    return text.append("no third card" if coup.natural else f"stands on {score}", "dim")


def _announcement(coup: Coup) -> Text:
    player, banker = coup.player.score, coup.banker.score
    natural = ", by a natural" if coup.natural else ""
    if coup.winner is Outcome.TIE:
        return Text(f"A tie, {player} to {banker}{natural}.", f"bold {STYLES[Outcome.TIE]}")
    return Text(f"The {coup.winner.value} wins, {max(player, banker)} to {min(player, banker)}{natural}.", f"bold {STYLES[coup.winner]}")
