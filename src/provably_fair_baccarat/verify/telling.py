"""The sentences of a verification, for a bettor who has never seen a line of code."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..cards import Card
    from ..records import HandForm
    from ..rounds import Round
    from ..rules.coup import Hand
    from ..rules.pay_table import PayTable
    from ..rules.settlement import Settlement


def tell_commitment(played: Round) -> str:
    """How the server seed answers to the commitment; there is one."""
    if (chain := played.origin.chain) is None:
        return f"The server seed is the one that was committed to as {played.commitment}."
    hashes = f"{played.nonce + 1} hash{'es' * (played.nonce > 0)}"
    return f"The server seed leads in {hashes} to {chain.anchor}, the anchor of the chain that was committed to as {played.commitment}."


def tell_offer(offer: PayTable | None) -> str:
    """That the pay table is the one that was offered, if there was one to compare with."""
    return ", and it is the one that was offered" if offer is not None else ""


def tell_coup(played: Round) -> str:
    """Both hands, their scores and who won."""
    coup = played.coup
    winner = "a tie" if coup.winner.value == "tie" else f"a win for the {coup.winner.value}"
    return f"player {tell_hand(coup.player)}, banker {tell_hand(coup.banker)}: {winner}{', by a natural' if coup.natural else ''}"


def tell_cut(played: Round) -> str:
    """Where the shoe was cut, if it was."""
    return "" if played.cut is None else f"the cut {played.cut} and "


def tell_hand(hand: Hand | HandForm) -> str:
    """The cards of a hand and its score."""
    return f"{cards_text(hand.cards)} = {hand.score}"


def tell_settlement(settlement: Settlement) -> str:
    """What each bet came to."""
    if not settlement.lines:
        return "There were no bets, and nothing was returned."
    lines = ", ".join(f"{line.stake} on {line.bet} {line.status} and returned {line.returned}" for line in settlement.lines.values())
    return f"In smallest currency units: {lines}."


def cards_text(cards: tuple[Card, ...]) -> str:
    """Cards by their texts, with spaces between."""
    return " ".join(map(str, cards))
