"""Some bets in one transaction of PostgreSQL: lock, check, change.

*Lock* the accounts of those who bet, which everything else about them waits for. *Check*, in a statement of its own and so in a snapshot
that has whatever the lock was waited for: the keys, the pairs, the balances; examine and deal each bet in its turn. *Change* everything in
one statement that compares all of it once more, so that it does everything or nothing whoever else writes to the tables.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, LiteralString

from ..refusals import no_pair, reason_of, require_funds, require_open, require_room, require_same
from ..rows import RoundRow
from .decided import Account, Pair, Taken
from .legs import add_credit, known_debit, note_debit, use_debit
from .money import interfered
from .past import PostgresPast
from .rows import SELECT_ROUND, read_time, round_row, write_rows
from .saying import add_statements
from .settling import LOCK, READ_PAIRS, settle_round

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...errors import BaccaratError
    from ..rows import LegRow
    from ..store import BetOrder
    from .database import Database

_READ_KEYS: Final[LiteralString] = f"""
SELECT its.account, known.*
FROM json_to_recordset(%s) AS asked (pair bigint, key text)
JOIN house.pair AS its ON its.number = asked.pair
CROSS JOIN LATERAL (
    {SELECT_ROUND}
    WHERE round.account = its.account AND round.key = asked.key
    LIMIT 1
) AS known
"""  # noqa: S608 (all parts are constants)

# The one statement of a bet, or of many. Lock every pair that is active at the expected nonce, and every account whose money is as expected.
# If those are all of them, everything changes; otherwise nothing does, and no row comes back.
_CHANGE: Final[LiteralString] = """
WITH open_pair AS MATERIALIZED (
    SELECT pair.number, step.accepted, step.dealt, step.to_order, step.link, step.latest_at
    FROM json_to_recordset(%(pairs)s) AS step
        (pair bigint, next_nonce bigint, in_order bigint, accepted bigint, dealt bigint, to_order bigint, link text, latest_at timestamptz)
    JOIN house.pair ON pair.number = step.pair
    WHERE pair.state = 'active' AND pair.next_nonce = step.next_nonce AND pair.settled_in_order = step.in_order
    FOR NO KEY UPDATE OF pair
), funded_account AS MATERIALIZED (
    SELECT account.number, step.to_balance, step.to_exposed, step.to_owed
    FROM json_to_recordset(%(accounts)s) AS step
        (account bigint, balance numeric, exposed numeric, owed numeric, to_balance numeric, to_exposed numeric, to_owed numeric)
    JOIN house.account ON account.number = step.account
    WHERE account.balance = step.balance AND account.exposed = step.exposed AND account.owed = step.owed
    FOR NO KEY UPDATE OF account
), bet AS MATERIALIZED (
    SELECT *,
        nextval('house.transfer_id_seq') AS stake_id,
        CASE WHEN returned > 0 THEN nextval('house.transfer_id_seq') END AS return_id,
        nextval('house.round_id_seq') AS round_id
    FROM json_to_recordset(%(bets)s) AS bet (
        pair bigint, nonce bigint, account bigint, house bigint, key text, bets text, staked numeric, exposure numeric,
        after_stake numeric, accepted_at timestamptz,
        cut integer, cards text, returned numeric, after_return numeric, settled_at timestamptz
    )
    WHERE (SELECT count(*) FROM open_pair) = json_array_length(%(pairs)s)
        AND (SELECT count(*) FROM funded_account) = json_array_length(%(accounts)s)
), spent AS (
    UPDATE house.pair
    SET next_nonce = next_nonce + open_pair.accepted, latest_at = open_pair.latest_at, settled = settled + open_pair.dealt,
        settled_in_order = open_pair.to_order, newest_link = coalesce(decode(open_pair.link, 'hex'), newest_link)
    FROM open_pair
    WHERE pair.number = open_pair.number AND EXISTS (SELECT FROM bet)
), paid AS (
    UPDATE house.account
    SET balance = funded_account.to_balance, exposed = funded_account.to_exposed, owed = funded_account.to_owed
    FROM funded_account
    WHERE account.number = funded_account.number AND EXISTS (SELECT FROM bet)
), transferred AS (
    INSERT INTO house.transfer (id, payer, payee, kind, amount, balance)
    SELECT stake_id, account, house, 'stake', staked, after_stake FROM bet
    UNION ALL
    SELECT return_id, house, account, 'return', returned, after_return FROM bet WHERE return_id IS NOT NULL
), accepted AS (
    INSERT INTO house.round (id, pair, nonce, account, transfer, accepted_at, exposure, key, bets)
    SELECT round_id, pair, nonce, account, stake_id, accepted_at, exposure, key, bets FROM bet
), dealt AS (
    INSERT INTO house.coup (round, transfer, settled_at, cut, returned, cards)
    SELECT round_id, return_id, settled_at, cut, returned, cards FROM bet WHERE cards IS NOT NULL
)
SELECT round_id FROM bet
"""

_ADD_REFUSALS: Final[LiteralString] = """
INSERT INTO house.event (kind, pair, nonce, bets, key, reason, at)
SELECT 'refused', pair, nonce, bets, key, reason, at
FROM json_to_recordset(%s) AS refusal (pair bigint, nonce bigint, bets text, key text, reason text, at timestamptz)
"""


class Sitting:
    """Some bets in one transaction: each is decided in its turn, knowing those before it, and they are written together."""

    def __init__(self, database: Database, orders: Sequence[BetOrder]) -> None:
        self._database = database
        pairs = f"{{{','.join(map(str, {order.pair for order in orders}))}}}"
        database.run(LOCK, (pairs,))
        read = database.send(READ_PAIRS, (pairs,))
        known = database.send(_READ_KEYS, (write_rows([{"pair": order.pair, "key": order.key} for order in orders]),))
        accounts: dict[int, Account] = {}
        self._pairs: dict[int, Pair] = {}
        for number, id_, state, next_nonce, in_order, cap, latest_at, account, balance, exposed, owed, house, outside in read.fetchall():
            if account not in accounts:
                money = (int(balance), int(exposed), int(owed))
                accounts[account] = Account(account, house, outside, money, *money)
            self._pairs[number] = Pair(number, id_, state, next_nonce, in_order, cap, read_time(latest_at), accounts[account])
        self._known: dict[tuple[int, str], RoundRow | Taken] = {}
        for account, *columns in known.fetchall():
            row = round_row(columns)
            self._known[account, row.key] = row
        self._taken: list[Taken] = []
        self._refusals: list[dict[str, Any]] = []

    def take(self, order: BetOrder) -> RoundRow | Taken:
        """Decide a bet, or find what its key stands for. Raises what refuses it; then nothing has changed."""
        pair = self._pairs.get(order.pair)
        if pair is None:
            raise no_pair()
        account = pair.account
        if known := self._known.get((account.number, order.key)):
            return self._again(order, known)
        require_open(pair.id, pair.state, pair.next_nonce, pair.cap, order.nonce)
        order.examine(pair.next_nonce, PostgresPast(self._database, account.number, self.write))
        if order.leg is not None:
            require_room(account.balance + order.staked, account.exposed, 0)
            require_room(account.balance, account.exposed, order.exposure)
        else:
            require_funds(account.purse.free, order.staked)
            require_room(account.balance - order.staked, account.exposed, order.exposure)
        at = max(order.at, pair.latest_at)
        dealt = None if order.deal is None else order.deal(pair.next_nonce, order.bets).not_before(at)
        taken = Taken(order, pair, dealt, at)
        if order.leg is not None:
            self._bring_money(order, order.leg, account)
        self._known[account.number, order.key] = taken
        self._taken.append(taken)
        pair.tell = order.tell
        pair.latest_at = at if dealt is None else dealt.at
        if dealt is not None and pair.settled_in_order == pair.next_nonce:  # nothing before it is open
            pair.settled_in_order += 1
            pair.went_on += 1
        pair.next_nonce += 1
        pair.accepted += 1
        account.balance -= order.staked
        if dealt is None:
            account.exposed += order.exposure
            return taken
        pair.dealt += 1
        account.balance += dealt.returned
        if order.credit is not None and dealt.returned:
            account.owed += dealt.returned
            add_credit(self._database, order.credit, order, account=account.number, amount=dealt.returned, at=order.at)
        return taken

    def begin_debit(self, order: BetOrder, leg: str) -> RoundRow | LegRow:
        """Note that a wallet is about to be debited for a bet, or find what its key stands for. Raises what would refuse the bet."""
        pair = self._pairs.get(order.pair)
        if pair is None:
            raise no_pair()
        account = pair.account
        if (known := self._known.get((account.number, order.key))) and isinstance(known, RoundRow):
            require_same(order, known)
            return known
        if begun := known_debit(self._database, account.number, order):
            return begun
        require_open(pair.id, pair.state, pair.next_nonce, pair.cap, order.nonce)
        order.examine(pair.next_nonce, PostgresPast(self._database, account.number, self.write))
        require_room(account.balance, account.exposed, order.exposure)
        return note_debit(self._database, account.number, order, leg)

    def refuse(self, order: BetOrder, refusal: BaccaratError) -> None:
        """Keep a refusal (protocol step 9): with its pair and so its commitment, the nonce it would have had, bets and reason."""
        pair = self._pairs.get(order.pair)
        self._refusals.append(
            {
                "pair": None if pair is None else pair.number,
                "nonce": None if pair is None else pair.next_nonce,
                "bets": order.bets,
                "key": order.key,
                "reason": reason_of(refusal),
                "at": order.at.isoformat(),
            }
        )

    def write(self) -> None:
        """Write what was decided since the last time."""
        if self._refusals:
            self._database.run(_ADD_REFUSALS, (write_rows(self._refusals),))
            self._refusals = []
        if not self._taken:
            return
        pairs = [pair for pair in self._pairs.values() if pair.accepted]
        accounts = {pair.account.number: pair.account for pair in pairs}
        bets = [taken.columns(self._pairs[taken.pair].account) for taken in self._taken]
        changed = self._database.rows(
            _CHANGE,
            {
                "pairs": write_rows([pair.columns() for pair in pairs]),
                "accounts": write_rows([account.columns() for account in accounts.values()]),
                "bets": write_rows(bets),
            },
        )
        if len(changed) != len(bets):
            raise interfered("pairs and accounts", "what this transaction has locked and read")
        for taken, (round_id,) in zip(self._taken, changed, strict=True):
            taken.id = round_id
        add_statements(self._database, [said for taken in self._taken for said in taken.said])
        self._taken = []
        for pair in pairs:
            pair.accepted = pair.dealt = pair.went_on = 0
        for account in accounts.values():
            account.is_stored()

    def row(self, taken: Taken) -> RoundRow:
        """The round of a bet that was taken and written."""
        return taken.row(self._pairs[taken.pair].settled_in_order)

    def _again(self, order: BetOrder, known: RoundRow | Taken) -> RoundRow | Taken:
        """What a key stands for already; a round that is open is dealt if that is what is asked now."""
        require_same(order, known)
        coup = order.coup(known.nonce)
        if coup is None or (known.dealt if isinstance(known, Taken) else known.cards) is not None:
            return known
        self.write()
        settled = settle_round(self._database, coup)
        account = self._pairs[order.pair].account
        self._pairs[order.pair].settled_in_order = settled.settled_in_order
        self._pairs[order.pair].latest_at = settled.settled_at or order.at
        account.balance += settled.returned or 0
        account.exposed -= settled.exposure
        if order.credit is not None:
            account.owed += settled.returned or 0
        account.is_stored()
        self._known[account.number, order.key] = settled
        return settled

    def _bring_money(self, order: BetOrder, leg: str, account: Account) -> None:
        """Have the debit of the operator's own wallet pay for the stake."""
        self.write()
        account.balance = use_debit(self._database, leg, account.purse, order)
        account.is_stored()
