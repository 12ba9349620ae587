"""Hypothesis strategies for everything that goes in and out of this package (extra `testing`).

Hypothesis finds them by itself: with this package installed, `st.from_type(Coup)` works, and so do the other value types.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

try:
    from hypothesis import strategies as st
except ModuleNotFoundError as error:
    raise ImportError("provably_fair_baccarat.testing needs hypothesis: pip install 'provably-fair-baccarat[testing]'") from error

from .cards import DECK, Card, Rank, Suit
from .errors import SeedError
from .fairness.inputs import MAX_DECKS, MAX_NONCE, parse_decks
from .fairness.seed_pair import Seeds
from .fairness.seeds import ClientSeed, Commitment, ServerSeed
from .records import RoundRecord
from .rounds import Round, play_round
from .rules.bets import BANKER, SIDE_BETS
from .rules.coup import Coup, Hand, deal_coup
from .rules.pay_table import PUSH, PayTable
from .rules.ready_tables import PUNTO_BANCO
from .rules.settlement import Settlement, settle

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_USUAL_STAKE = 10**6
"""Most of the stakes that are drawn lie below this many smallest units; the rest go up to where returns still fit."""


def cards() -> st.SearchStrategy[Card]:
    """Any of the 52 cards."""
    return st.sampled_from(DECK)


def deals(decks: int = 8) -> st.SearchStrategy[tuple[Card, ...]]:
    """The six cards of positions 1 to 6, drawn from a shoe of so many decks without replacement."""
    slots = st.lists(st.integers(0, 52 * parse_decks(decks) - 1), min_size=6, max_size=6, unique=True)
    return slots.map(lambda drawn: tuple(DECK[slot % 52] for slot in drawn))


def coups() -> st.SearchStrategy[Coup]:
    """Coups as the tableau deals them."""
    return deals().map(deal_coup)


def hands() -> st.SearchStrategy[Hand]:
    """The player's or the banker's hand of a coup."""
    return coups().flatmap(lambda coup: st.sampled_from((coup.player, coup.banker)))


def stakes(step: int = 1) -> st.SearchStrategy[int]:
    """Stakes in whole smallest units and multiples of `step`; mostly usual ones, some so large that a 64-bit program breaks."""
    usual = st.integers(1, max(1, MOST_USUAL_STAKE // step))
    return (usual | st.integers(1, max(1, 10**24 // step))).map(lambda steps: steps * step)


def multipliers() -> st.SearchStrategy[str]:
    """Multipliers from 1.0 to 1000.0 as text in their one spelling."""
    millionths = st.integers(10**6, 10**9)
    return millionths.map(lambda m: f"{m // 10**6}.{f'{m % 10**6:06d}'.rstrip('0') or '0'}")


@st.composite
def pay_tables(draw: st.DrawFn) -> PayTable:
    """Pay tables with any multipliers, stake steps and side bets of the catalogue; now and then the classic one."""
    if draw(st.booleans()):
        return PUNTO_BANCO
    offered = draw(st.lists(st.sampled_from(SIDE_BETS), max_size=4, unique_by=lambda bet: bet.name))
    return PayTable(
        draw(multipliers()),
        draw(multipliers()),
        draw(multipliers()),
        draw(st.sampled_from((1, 1, 5, 20, 100))),
        banker_exceptions=draw(st.dictionaries(st.sampled_from(BANKER.payouts[1:]), multipliers() | st.just(PUSH))),
        side_bets={bet.name: {payout: draw(multipliers()) for payout in bet.payouts} for bet in offered},
    )


@st.composite
def bets(draw: st.DrawFn, pay_table: PayTable = PUNTO_BANCO) -> Mapping[str, int]:
    """Stakes on some of a table's bets, in its stake steps; sometimes on none."""
    names = st.sampled_from(sorted(pay_table.offers))
    return draw(st.dictionaries(names, stakes(pay_table.stake_step), max_size=4))


def server_seeds() -> st.SearchStrategy[ServerSeed]:
    """Server seeds of any 32 bytes."""
    return st.binary(min_size=32, max_size=32).map(ServerSeed)


def client_seeds() -> st.SearchStrategy[ClientSeed]:
    """Client seeds of any text that the protocol takes."""
    return st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=40).filter(_is_client_seed).map(ClientSeed)


def commitments() -> st.SearchStrategy[Commitment]:
    """Commitments of any 32 bytes."""
    return st.binary(min_size=32, max_size=32).map(Commitment)


def deck_counts() -> st.SearchStrategy[int]:
    """Numbers of decks, 1 to 8."""
    return st.integers(1, MAX_DECKS)


def nonces() -> st.SearchStrategy[int]:
    """Nonces from 0 to 2^53 - 1, low ones often."""
    return st.integers(0, 1000) | st.integers(0, MAX_NONCE)


def seeds() -> st.SearchStrategy[Seeds]:
    """Seeds that fit their commitment, for any number of decks."""
    return st.builds(Seeds.commit, server_seeds(), client_seeds(), deck_counts())


def rounds() -> st.SearchStrategy[Round]:
    """Rounds of any seeds and nonce."""
    return st.builds(play_round, seeds(), nonces())


@st.composite
def settlements(draw: st.DrawFn) -> Settlement:
    """Settlements of any coup and bets under any table."""
    pay_table = draw(pay_tables())
    return settle(draw(coups()), draw(bets(pay_table)), pay_table)


@st.composite
def records(draw: st.DrawFn, *, is_revealed: bool | None = None) -> RoundRecord:
    """Records that verify, of any round, bets and table; revealed or not, or as `is_revealed` says."""
    pair = draw(seeds())
    played = play_round(pair, draw(nonces()))
    pay_table = draw(pay_tables())
    reveals = draw(st.booleans()) if is_revealed is None else is_revealed
    return RoundRecord.from_round(
        played,
        settle(played.coup, draw(bets(pay_table)), pay_table),
        server_seed=pair.server_seed if reveals else None,
        client_seed_made_by=draw(st.sampled_from((None, "bettor", "operator"))),
        currency=draw(st.sampled_from((None, ("USD", 2), ("ETH", 18)))),
        settled_at=draw(st.none() | st.datetimes(timezones=st.timezones())),
    )


def _register() -> None:
    """Tell hypothesis which strategy belongs to which type. Hypothesis imports this module by itself."""
    for value_type, strategy in {
        Suit: st.sampled_from(Suit),
        Rank: st.sampled_from(Rank),
        Card: cards(),
        Hand: hands(),
        Coup: coups(),
        PayTable: pay_tables(),
        Settlement: settlements(),
        ServerSeed: server_seeds(),
        ClientSeed: client_seeds(),
        Commitment: commitments(),
        Seeds: seeds(),
        Round: rounds(),
        RoundRecord: records(),
    }.items():
        st.register_type_strategy(value_type, strategy)


def _is_client_seed(text: str) -> bool:
    try:
        ClientSeed(text)
    except SeedError:
        return False
    return True


_register()
