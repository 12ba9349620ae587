"""The tally: everything that the statistics of an audit need of its rounds, in whole numbers and in bounded size.

A tally is a commutative monoid: `Tally()` is nothing, `merge` adds. Whole numbers are added, so that any partition of the rounds, merged in
any order, gives the same tally. It knows how often something happened; what should have happened is for `statistics`.

Only sound rounds are tallied: of what does not follow from its seeds, nothing can be said.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from operator import add
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

import numpy as np

from ..canonical import canonical_json
from ..cards import DECK
from ..kernel import native_columns
from ..rules.coup import Outcome
from .bet_tally import BetTally, tally_lines
from .curve import Curve
from .facts import NO_BUCKET, json_fact
from .sums import BetKey

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Self

    from numpy.typing import NDArray

    from ..canonical import Json
    from ..rules.pay_table import PayTable
    from .dealt import Dealt
    from .facts import Fact

POSITIONS: Final = 6

_CARDS: Final = len(DECK)
_USED: Final[tuple[int, ...]] = (4, 5, 6)
_CLASSES: Final = 10 * 10 * len(_USED)
_ROWS: Final = 1 << 16  # rows at a time: what one step writes is still in the cache when the next one reads it


@dataclass(frozen=True, slots=True)
class ShoeTally:
    """How the coups of shoes of so many decks went.

    Counts lie in one row, the last index running fastest: `classes` by player's score, banker's score and cards used (4, 5, 6); `cards` by
    position and card in factory order; `cuts` by cut; `cells` by the banker's two-card score, 0 to 7, and what the player did: stood, or
    drew a card of 0 to 9 points. `rounds` is how many coups there are; a card or cut that a round does not tell is counted nowhere. A shoe
    that is dealt through was cut once, and its cut is counted with its first coup alone.
    """

    rounds: int
    classes: tuple[int, ...]
    cards: tuple[int, ...]
    cuts: tuple[int, ...]
    cells: tuple[int, ...]

    def plus(self, other: ShoeTally) -> ShoeTally:
        """Both."""
        return ShoeTally(
            self.rounds + other.rounds,
            _sum(self.classes, other.classes),
            _sum(self.cards, other.cards),
            _sum(self.cuts, other.cuts),
            _sum(self.cells, other.cells),
        )

    @property
    def outcomes(self) -> Mapping[Outcome, int]:
        """How often each side won."""
        counts = dict.fromkeys(Outcome, 0)
        for (player, banker, _), count in self._by_class():
            counts[Outcome.TIE if player == banker else Outcome.PLAYER if player > banker else Outcome.BANKER] += count
        return MappingProxyType(counts)

    @property
    def used(self) -> Mapping[int, int]:
        """How often a coup used 4, 5 and 6 cards."""
        counts: dict[int, int] = dict.fromkeys(_USED, 0)
        for (_, _, used), count in self._by_class():
            counts[used] += count
        return MappingProxyType(counts)

    @property
    def naturals(self) -> int:
        """How many coups ended with a natural: 8 or 9 in two cards."""
        return sum(count for (player, banker, used), count in self._by_class() if used == 4 and max(player, banker) >= 8)

    def cards_at(self, position: int) -> tuple[int, ...]:
        """How often each of the 52 cards lay at a position, 1 to 6."""
        return self.cards[_CARDS * (position - 1) : _CARDS * position]

    def ranks_at(self, position: int) -> tuple[int, ...]:
        """How often each rank lay at a position, ace to king."""
        cards = self.cards_at(position)
        return tuple(sum(cards[rank::13]) for rank in range(13))

    def suits_at(self, position: int) -> tuple[int, ...]:
        """How often each suit lay at a position: spades, hearts, diamonds, clubs."""
        cards = self.cards_at(position)
        return tuple(sum(cards[13 * suit : 13 * suit + 13]) for suit in range(4))

    @property
    def tableau(self) -> Mapping[tuple[int, int | None], int]:
        """How often each of the tableau's 88 cells was met: by the banker's score, and the player's third card or None."""
        return MappingProxyType({(place // 11, place % 11 - 1 if place % 11 else None): count for place, count in enumerate(self.cells)})

    def _by_class(self) -> list[tuple[tuple[int, int, int], int]]:
        return [((place // 30, place // 3 % 10, 4 + place % 3), count) for place, count in enumerate(self.classes) if count]

    def to_dict(self) -> dict[str, Json]:
        """The counts as JSON numbers, in the order that the class tells."""
        return {
            "rounds": self.rounds,
            "classes": list(self.classes),
            "cards": list(self.cards),
            "cuts": list(self.cuts),
            "cells": list(self.cells),
        }

    @classmethod
    def from_dict(cls, form: Mapping[str, Any]) -> ShoeTally:
        """What `to_dict` made."""
        return cls(form["rounds"], *(tuple(form[name]) for name in ("classes", "cards", "cuts", "cells")))


@dataclass(frozen=True, slots=True)
class Tally:
    """What an audit counted.

    `rounds` and `unsound` are how many rounds there were, and how many of them did not follow from their seeds and are counted in nothing
    else. `shoes` holds the coups by the number of decks, `bets` the lines by their keys, `pay_tables` the tables of these keys as JSON by
    digest, as far as they are known, and `curves` what was staked and returned in the course of time: by `time` of acceptance, or by
    `nonce` where that is not known.
    """

    rounds: int = 0
    unsound: int = 0
    shoes: Mapping[int, ShoeTally] = field(default_factory=lambda: MappingProxyType({}))
    bets: Mapping[BetKey, BetTally] = field(default_factory=lambda: MappingProxyType({}))
    pay_tables: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    curves: Mapping[str, Curve] = field(default_factory=lambda: MappingProxyType({}))

    @classmethod
    def of(cls, dealt: Dealt, pay_tables: Mapping[str, PayTable] = MappingProxyType({}), path: str | None = None) -> Tally:
        """Tally dealt rounds; `pay_tables` are those of their lines by digest, as far as they are known.

        `path` is one of `kernel_info().paths`.
        """
        rounds, sound = len(dealt), dealt.is_sound
        counted = int(np.count_nonzero(sound))
        decks = dealt.decks if counted == rounds else dealt.decks[sound]
        kinds = np.flatnonzero(np.bincount(decks)).tolist()
        chosen = None if counted == rounds and len(kinds) == 1 else sound
        shoes = {kind: _tally_shoe(dealt, kind, chosen, path) for kind in kinds}
        bets, curves = tally_lines(dealt, pay_tables, path)
        digests = sorted({key.pay_table for key in bets} & pay_tables.keys())
        tables = {digest: canonical_json(pay_tables[digest].to_dict()).decode() for digest in digests}
        return cls(rounds, rounds - counted, MappingProxyType(shoes), bets, MappingProxyType(tables), curves)

    def merge(self, other: Tally) -> Tally:
        """What both counted, together."""
        return Tally(
            self.rounds + other.rounds,
            self.unsound + other.unsound,
            _merge(self.shoes, other.shoes),
            _merge(self.bets, other.bets),
            MappingProxyType(dict(sorted({**self.pay_tables, **other.pay_tables}.items()))),
            _merge(self.curves, other.curves),
        )

    def to_dict(self) -> dict[str, Json]:
        """The tally as JSON, from which `from_dict` makes it again."""
        return {
            "rounds": self.rounds,
            "unsound": self.unsound,
            "shoes": {str(decks): shoe.to_dict() for decks, shoe in self.shoes.items()},
            "bets": [{**key._asdict(), **bet.to_dict()} for key, bet in self.bets.items()],
            "pay_tables": dict(self.pay_tables),
            "curves": {name: curve.to_dict() for name, curve in self.curves.items()},
        }

    def to_facts(self) -> list[Fact]:
        """The tally as facts: JSON, and each curve by itself, which is large."""
        curves: list[Fact] = [("curve", NO_BUCKET, curve.pack(name)) for name, curve in self.curves.items()]
        return [json_fact("tally", replace(self, curves={}).to_dict()), *curves]

    @classmethod
    def from_dict(cls, form: Mapping[str, Any]) -> Tally:
        """What `to_dict` made."""
        bets = {BetKey(*(each[name] for name in BetKey._fields)): BetTally.from_dict(each) for each in form["bets"]}
        return cls(
            form["rounds"],
            form["unsound"],
            MappingProxyType({int(decks): ShoeTally.from_dict(shoe) for decks, shoe in form["shoes"].items()}),
            MappingProxyType(bets),
            MappingProxyType(dict(form["pay_tables"])),
            MappingProxyType({name: Curve.from_dict(curve) for name, curve in form["curves"].items()}),
        )


def _sum(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(map(add, one, other))


class _Monoid(Protocol):
    def plus(self, other: Self) -> Self: ...


_Part = TypeVar("_Part", bound=_Monoid)


def _merge(one: Mapping[Any, _Part], other: Mapping[Any, _Part]) -> Mapping[Any, _Part]:
    """Both, in the order of their keys, so that equal tallies print alike."""
    merged = dict(one)
    for key, part in other.items():
        merged[key] = merged[key].plus(part) if key in merged else part
    return MappingProxyType(dict(sorted(merged.items())))


class _Counts:
    """How often each thing came: the parts lie one behind the other, as the kernel writes them."""

    def __init__(self) -> None:
        sizes = _CLASSES, POSITIONS * 256, 1 << 16, 1000
        self.words = np.zeros(sum(sizes), np.int64)
        self.classes, cards, self.cuts, self.situations = np.split(self.words, np.cumsum(sizes)[:-1])
        self.cards = cards.reshape(POSITIONS, 256)


def _tally_shoe(dealt: Dealt, decks: int, chosen: NDArray[np.bool_] | None, path: str | None) -> ShoeTally:
    """Count the coups of shoes of so many decks; where `chosen` is told, only these."""
    counts = _Counts()
    native = native_columns(path)
    if native is None:
        _count(dealt, decks, chosen, counts)
    else:
        columns = dealt.cards, dealt.player_score, dealt.banker_score, dealt.used, dealt.cut
        is_chosen = np.ones(len(dealt), np.bool_) if chosen is None else chosen & (dealt.decks == decks)
        native.count_coups(*map(np.ascontiguousarray, (*columns, is_chosen)), counts.words)
    parts = counts.classes, counts.cards[:, :_CARDS].ravel(), counts.cuts[: 52 * decks], _cells(counts.situations)
    return ShoeTally(int(counts.classes.sum()), *(tuple(part.tolist()) for part in parts))


def _count(dealt: Dealt, decks: int, chosen: NDArray[np.bool_] | None, counts: _Counts) -> None:
    """Count without the kernel."""
    for start in range(0, len(dealt), _ROWS):
        part: Any = slice(start, start + _ROWS)
        if chosen is not None:
            part = start + np.flatnonzero(chosen[part] & (dealt.decks[part] == decks))
        cards = np.ascontiguousarray(dealt.cards[part])
        counts.classes += np.bincount(_class_codes(dealt, part), minlength=_CLASSES)
        for place, two in enumerate(cards.view("<u2").T):  # two neighbours are counted at once, and told apart afterwards
            pairs = np.bincount(two, minlength=1 << 16).reshape(256, 256)
            counts.cards[2 * place] += pairs.sum(0)
            counts.cards[2 * place + 1] += pairs.sum(1)
        counts.cuts += np.bincount(dealt.cut[part], minlength=1 << 16)
        counts.situations += np.bincount(_situations(cards), minlength=1000)


def _class_codes(dealt: Dealt, part: Any) -> NDArray[np.uint16]:
    """The place of each coup in `ShoeTally.classes`."""
    codes: NDArray[np.uint16] = dealt.player_score[part].astype(np.uint16)
    codes *= 10
    codes += dealt.banker_score[part]
    codes *= 3
    codes += dealt.used[part]
    codes -= 4
    return codes


_POINTS: Final = np.zeros(256, np.uint8)
_POINTS[:_CARDS] = [card.points for card in DECK]
_SCORE: Final = np.arange(19, dtype=np.uint8) % 10


def _situations(cards: NDArray[np.uint8]) -> NDArray[np.uint16]:
    """What the banker decides by, as one number: the player's two-card score, the banker's, and the points at position 5, a digit each."""
    points = _POINTS[cards[:, :5]]
    codes: NDArray[np.uint16] = _SCORE[points[:, 0] + points[:, 2]].astype(np.uint16)
    codes *= 10
    codes += _SCORE[points[:, 1] + points[:, 3]]
    codes *= 10
    codes += points[:, 4]
    return codes


def _cells(situations: NDArray[np.int64]) -> NDArray[np.int64]:
    """The tableau's cells that situations belong to: a natural to none, a player who stood to the first of a row (protocol step 6)."""
    by_scores = situations.reshape(10, 10, 10)[:8, :8]
    cells = np.zeros((8, 11), np.int64)
    cells[:, 0] = by_scores[6:].sum(axis=(0, 2))
    cells[:, 1:] = by_scores[:6].sum(axis=0)
    return cells.ravel()
