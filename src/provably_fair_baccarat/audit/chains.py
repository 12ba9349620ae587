"""Seed chains: which links lead to their anchors (protocol step 8), in about one pass over each chain.

The link of height h is the one that gives the anchor when it is hashed h times; the coup of nonce n has that of height n + 1. What is
proved of a chain is remembered from batch to batch, so that no stretch of it is hashed for each round again. What nobody can prove costs
no more than that either: a chain's wrong links get as many hashes as the chain is long, a batch some for each of its rounds, and links
that these do not suffice for are told as not followed.
"""

from __future__ import annotations

from bisect import bisect_left
from hashlib import sha256
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

STEPS: Final = 1 << 22
"""How many hashes a batch may take: so many, and some for each of its rounds. Rounds in the order of their nonces need one each."""

STEPS_OF_ROW: Final = 256

RIGHT: Final = 0
WRONG: Final = 1
TOO_FAR: Final = 2

_KEPT: Final = 1024  # chains that are remembered
_WAYPOINTS: Final = 256  # links of a chain that are remembered


class Link(NamedTuple):
    """A link and the height that it is said to have."""

    height: int
    link: bytes


class Chains:
    """What is proved of seed chains, from batch to batch."""

    def __init__(self) -> None:
        self._proved: dict[bytes, list[Link]] = {}  # by anchor, in the order of their heights, the anchor first
        self._left = STEPS

    def begin(self, rows: int) -> None:
        """Begin a batch of so many rounds."""
        self._left = STEPS + STEPS_OF_ROW * rows
        while len(self._proved) > _KEPT:
            del self._proved[next(iter(self._proved))]

    def follow(self, anchor: bytes, length: int, links: Sequence[Link]) -> list[int]:
        """Whether each of these links of a chain, in the order of their heights, leads to the anchor: `RIGHT`, `WRONG` or `TOO_FAR`."""
        proved = self._of(anchor)
        known = bisect_left(links, proved[-1].height + 1, key=_height)
        return [*self._compare(proved, links[:known]), *self._climb(proved, length, links[known:])]

    def height(self, anchor: bytes, length: int, newest: bytes) -> int | None:
        """The height of the newest link that was revealed, 0 if it does not lead to the anchor. None if it is not followed."""
        proved = self._of(anchor)
        known = next((each.height for each in proved if each.link == newest), None)
        if known is None and self._left >= length:
            return self._find(proved, length, newest)
        return known

    def below(self, anchor: bytes, length: int, newest: bytes, heights: Iterable[int]) -> dict[int, bytes] | None:
        """The links of these heights, from the newest one that was revealed; those above it are left out. None if it is not followed."""
        top = self.height(anchor, length, newest)
        if top is None:
            return None
        proved = self._of(anchor)
        links: dict[int, bytes] = {}
        at = Link(top, newest)
        for height in sorted({height for height in heights if height <= top}, reverse=True):
            at = self._descend(proved, at, height)
            if at.height != height:
                return None
            links[height] = at.link
        return links

    def _of(self, anchor: bytes) -> list[Link]:
        return self._proved.setdefault(anchor, [Link(0, anchor)])

    def _find(self, proved: list[Link], length: int, newest: bytes) -> int:
        """The height of the newest link, 0 if it does not lead to the anchor. Some of the links below it are remembered."""
        every = max(1, length // _WAYPOINTS)
        passed = [newest]
        digest, steps = newest, 0
        while digest != proved[0].link and steps < length:
            digest = sha256(digest).digest()
            steps += 1
            if steps % every == 0:
                passed.append(digest)
        self._left -= steps
        if digest != proved[0].link:
            return 0
        found = [Link(steps - every * place, link) for place, link in enumerate(passed) if steps > every * place]
        proved[1:] = [*reversed(found), *(each for each in proved if each.height > steps)]
        return steps

    def _descend(self, proved: list[Link], at: Link, height: int) -> Link:
        """The proved link of a height, from the nearest proved one above it; `at` itself if that is too many hashes away."""
        place = bisect_left(proved, height, key=_height)
        start = min((at, *proved[place : place + 1]), key=_height)
        steps = start.height - height
        if steps > self._left:
            return at
        self._left -= steps
        return Link(height, _hashed(start.link, steps))

    def _compare(self, proved: list[Link], links: Sequence[Link]) -> list[int]:
        """Links that are no higher than what is proved: what is proved is hashed down to them."""
        verdicts: list[int] = []
        at = proved[-1]
        for link in reversed(links):
            at = self._descend(proved, at, link.height)
            verdicts.append(TOO_FAR if at.height != link.height else RIGHT if at.link == link.link else WRONG)
        return verdicts[::-1]

    def _climb(self, proved: list[Link], length: int, links: Sequence[Link]) -> list[int]:
        """Links that are higher than what is proved: each is hashed down to the last one that was right."""
        verdicts: list[int] = []
        wrong: dict[bytes, int] = {}
        top, spare = proved[-1], length
        for place, link in enumerate(links):
            if spare <= 0:
                verdicts += self._jump(proved, top, links[place:])
                break
            if link.height - top.height > self._left:
                verdicts.append(TOO_FAR)
                continue
            digest, steps = link.link, 0
            while link.height - steps > top.height and wrong.get(digest) != link.height - steps:
                digest = sha256(digest).digest()
                steps += 1
            self._left -= steps
            if link.height - steps == top.height and digest == top.link:
                top = link
                verdicts.append(RIGHT)
            else:
                wrong[link.link] = link.height
                spare -= steps
                verdicts.append(WRONG)
        self._remember(proved, top)
        return verdicts

    def _jump(self, proved: list[Link], top: Link, links: Sequence[Link]) -> list[int]:
        """What is left once wrong links took too many hashes: the highest link may still prove all below it."""
        highest = links[-1]
        if highest.height - top.height > self._left:
            return [TOO_FAR] * len(links)
        self._left -= highest.height - top.height
        at, met = highest, {}
        for height in sorted({link.height for link in links}, reverse=True):
            at = Link(height, _hashed(at.link, at.height - height))
            met[height] = at.link
        leads = _hashed(at.link, at.height - top.height) == top.link
        if leads:
            self._remember(proved, highest)
            return [RIGHT if met[link.height] == link.link else WRONG for link in links]
        return [WRONG if met[link.height] == link.link else TOO_FAR for link in links]

    def _remember(self, proved: list[Link], link: Link) -> None:
        if link.height > proved[-1].height:
            proved.append(link)
            if len(proved) > 2 * _WAYPOINTS:
                proved[1:-1] = proved[2:-1:2]


def _height(link: Link) -> int:
    return link.height


def _hashed(link: bytes, steps: int) -> bytes:
    for _ in range(steps):
        link = sha256(link).digest()
    return link
