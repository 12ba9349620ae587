"""How far each guarantee holds for one round, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from .telling import tell_commitment
from .values import Grade, Guarantee, by_code

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..fairness.seed_pair import Seeds
    from ..records import RoundRecord
    from ..rounds import Round
    from ..rules.pay_table import PayTable
    from ..rules.settlement import Settlement


def guarantees_of(
    seeds: Seeds, played: Round, record: RoundRecord | None, settlement: Settlement | None, offer: PayTable | None
) -> Mapping[str, Guarantee]:
    """All guarantees for a verified round, by their code."""
    guarantees = (
        _seed_guarantee(played),
        _client_seed_guarantee(played, record),
        Guarantee("unbiased_cards", Grade.PROVED if seeds.way.is_unbiased else Grade.UNKNOWN, seeds.way.drawing),
        _settlement_guarantee(settlement, offer),
    )
    return by_code(guarantees)


def _seed_guarantee(played: Round) -> Guarantee:
    if played.commitment is None:
        sentence = "No commitment was given, so nothing shows that the server seed was fixed before the bet."
        return Guarantee("seed_fixed", Grade.UNKNOWN, sentence)
    return Guarantee(
        "seed_fixed",
        Grade.PROVED,
        f"{tell_commitment(played)} Once that was published, it could not be exchanged: compare it with the commitment that you were "
        "shown beforehand.",
    )


_BY_OPERATOR: Final = (
    " But it was made by the operator's side and not by the bettor, so the operator could try many and keep the one it liked."
)


def _client_seed_guarantee(played: Round, record: RoundRecord | None) -> Guarantee:
    made_by = record.client_seed_made_by if record is not None else None
    operator = _BY_OPERATOR if made_by == "operator" else ""
    if played.commitment is not None and played.client_seed.marks(played.commitment):
        sentence = "The client seed ends with the first digits of the commitment, so it was made after the commitment."
        return Guarantee("client_seed_after_commitment", Grade.PROVED, sentence + operator)
    if made_by == "bettor":
        sentence = "The record says that the bettor made the client seed; nothing in it shows that this was after the commitment."
        return Guarantee("client_seed_after_commitment", Grade.CLAIMED, sentence)
    sentence = "Nothing in this round shows that the client seed was chosen after the commitment was published."
    return Guarantee("client_seed_after_commitment", Grade.UNKNOWN, sentence + operator)


def _settlement_guarantee(settlement: Settlement | None, offer: PayTable | None) -> Guarantee:
    if settlement is None:
        return Guarantee("settlement_exact", Grade.UNKNOWN, "No record was given, so no bets and returns were verified.")
    table = "the pay table that was offered" if offer is not None else "the record's own pay table; compare that with the offer you kept"
    return Guarantee("settlement_exact", Grade.PROVED, f"Every return is exact to the last unit under {table}.")
