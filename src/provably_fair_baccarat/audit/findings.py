"""Findings: what an audit holds against a round, a seed pair or a file, and where.

A finding never repeats a server seed, revealed or not: seeds are told by what they do not lead to.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from ..canonical import canonical_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..canonical import Json

CODES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "file": "A file cannot be read, or is no table of rounds.",
        "unreadable": "A row has a value that cannot be what its column is for.",
        "scheme": "The scheme is not audited, or the label is not that of the scheme and the decks.",
        "client_seed": "The client seed is none, its text and its hex differ, or it is not the one in the table of seeds.",
        "not_revealed": "There is no server seed to replay from.",
        "commitment": "The server seed, or the seed chain, is not the one that was committed to.",
        "link": "The link of a seed chain, in a row or in the table of seeds, does not lead to the anchor.",
        "not_followed": "A link is too many hashes away from what is proved of its chain.",
        "nonce": "The nonce, or the place in a shoe, is one that this commitment or shoe does not have.",
        "cut": "The seeds give another cut.",
        "cards": "The seeds give other cards.",
        "hands": "The cards give other hands.",
        "score": "The cards give another score.",
        "natural": "The cards say otherwise whether there was a natural.",
        "winner": "The cards give another winner.",
        "pay_table": "The pay table is none, is not in its one spelling, or is not the one of its digest.",
        "bet": "A bet that the pay table does not offer, or a stake that it does not take.",
        "status": "A bet was won, pushed or lost otherwise.",
        "returned": "A bet returned another amount.",
        "totals": "The sums of the bets are others.",
        "time": "A round was settled before it was accepted, or accepted or settled after its server seed was revealed, whichever row tells it.",
        "nonce_missing": "Nonces were spent and have no round.",
        "nonce_twice": "A nonce, or a place in a shoe, has more than one round.",
        "nonce_beyond": "A round has a nonce that was never spent.",
        "coup_missing": "A shoe has coups that have no round.",
        "client_seed_twice": "A nonce has more than one client seed.",
        "time_order": "A round was accepted before one with a lower nonce.",
        "two_server_seeds": "A commitment has more than one server seed, in its rows or in the table of seeds.",
        "server_seed_reused": "A server seed, or a link of a chain, serves more than one commitment, or lies in another chain.",
        "pay_table_changed": "A commitment has more than one pay table.",
        "currency_changed": "A commitment has more than one currency, or one with different decimals.",
    }
)
"""Every kind of finding by its stable code."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong: its code, what was expected and found, and where.

    `source` and `row` are the file and its row, from 1; None where a finding is about a pair or the row is not known. `commitment` is hex;
    `hint` names the likely slip where one was tried and fits.
    """

    code: str
    expected: str
    found: str
    source: str | None = None
    row: int | None = None
    commitment: str | None = None
    nonce: int | None = None
    index: int | None = None
    hint: str | None = None

    def to_dict(self) -> dict[str, Json]:
        """The finding as JSON; every key is always there."""
        return {name: getattr(self, name) for name in self.__slots__}

    def to_json(self) -> bytes:
        """One line of canonical JSON."""
        return canonical_json(self.to_dict())

    @classmethod
    def parse_json(cls, text: bytes) -> Finding:
        """What `to_json` wrote."""
        parts: dict[str, Any] = json.loads(text)
        return cls(**parts)

    def __str__(self) -> str:
        told = [] if self.source is None else [self.source if self.row is None else f"{self.source}, row {self.row}"]
        if self.commitment is not None:
            told.append(f"commitment {self.commitment[:16]}...")
        if self.nonce is not None:
            told.append(f"nonce {self.nonce}")
        if self.index is not None:
            told.append(f"coup {self.index}")
        hint = "" if self.hint is None else f" {self.hint}"
        return f"{', '.join(told)}: {self.code}: expected {self.expected}, found {self.found}.{hint}"
