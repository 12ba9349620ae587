"""The audit as a function: batches of rounds in, batches of facts out.

It keeps nothing between calls, opens no file and needs no other rows than those it gets, so that threads, processes and clusters can run it
over any division of the rounds. What only shows when rounds come together is left to `reduce_facts`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from ..errors import AuditError
from .arrow import pa
from .chains import Chains
from .checking import check_rows
from .dealt import joined
from .facts import facts_batch, finding_fact, json_fact
from .held import Held
from .refusal_tally import RefusalTally
from .rows import read_rows
from .schema import ROUNDS, require_columns
from .settling import Settler
from .tally import Tally

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pyarrow import RecordBatch

    from ..canonical import Json
    from ..rules.pay_table import PayTable
    from .dealt import Dealt
    from .refusal_tally import Refused
    from .seed_book import SeedBook

AT_ONCE: Final = 1 << 17
"""How many rounds are looked at together."""

LARGE: Final = 1 << 15
"""So many rounds are worth being looked at by themselves."""

_Part: TypeAlias = "tuple[Dealt, dict[str, PayTable]]"

TALLIED: Final = 1 << 18
"""How many rounds are tallied together."""

BUCKETS: Final = 64
"""How many buckets the commitments go into unless told: all rounds of a pair are in one."""

MAX_BUCKETS: Final = 1 << 15


def audit_batches(
    batches: Iterable[RecordBatch],
    *,
    settler: Settler | None = None,
    seeds: SeedBook | None = None,
    refused: Refused | None = None,
    buckets: int = BUCKETS,
    source: str | None = None,
    first_row: int = 1,
    path: str | None = None,
) -> Iterator[RecordBatch]:
    """Audit batches of rounds (schema `ROUNDS`) and give facts (schema `FACTS`).

    `settler` knows the operator's own pay tables and bets, `seeds` the revealed seeds that the rounds lack, and
    `refused` the bets that were refused at nonces which these rounds may have. `source` and `first_row` say
    where the first row comes from, unless the batches have columns of these names. `path` is one of `kernel_info().paths`. Raises AuditError
    for batches of another schema.
    """
    if not 1 <= buckets <= MAX_BUCKETS:
        raise AuditError("buckets", f"1 to {MAX_BUCKETS}", str(buckets))
    settler = Settler() if settler is None else settler
    rounds = lines = 0
    counts: dict[str, int] = {}
    tally, refusals = Tally(), RefusalTally()
    to_tally: list[_Part] = []
    held = Held(buckets, path)
    chains = Chains()
    for block in _blocks(batches):
        checked = check_rows(read_rows(block, source, first_row, path), settler, seeds, path, chains)
        first_row += block.num_rows
        rounds += block.num_rows
        lines += len(checked.rows.lines.row)
        for code, count in checked.counts.items():
            counts[code] = counts.get(code, 0) + count
        to_tally.append((checked.dealt, checked.pay_tables))
        if sum(len(part) for part, _ in to_tally) >= TALLIED:
            tally, to_tally = tally.merge(_tally(to_tally, path)), []
        if refused:
            refusals = refusals.merge(RefusalTally.of(refused, checked.dealt, checked.pay_tables))
        facts = [*held.add(checked), *map(finding_fact, checked.findings)]
        if facts:
            yield facts_batch(facts)
    tally = tally.merge(_tally(to_tally, path))
    told: dict[str, Json] = {"rounds": rounds, "lines": lines, "findings": dict(counts)}
    last = [json_fact("counts", told), *tally.to_facts()]
    if refused:
        last.append(json_fact("refused", refusals.to_dict()))
    yield facts_batch([*held.flush(), *last])


def _tally(parts: list[_Part], path: str | None) -> Tally:
    """The tally of some batches: of all their rounds at once where their codes mean the same, since small tallies take long to merge."""
    tally = Tally()
    while parts:
        first, tables = parts[0]
        alike = [part for part, _ in parts if part.names == first.names]
        parts = [each for each in parts if each[0].names != first.names]
        tally = tally.merge(Tally.of(joined(alike), tables, path))
    return tally


def _blocks(batches: Iterable[RecordBatch]) -> Iterator[Any]:
    """Batches of a size that is looked at together: large ones as they are, small ones joined, since joining copies every column."""
    held: list[Any] = []
    size, known = 0, None
    for batch in batches:
        if batch.schema != known:
            require_columns(batch.schema, ROUNDS)
            known = batch.schema
        for start in range(0, batch.num_rows, AT_ONCE):
            part = batch.slice(start, AT_ONCE)
            if part.num_rows >= LARGE and not held:
                yield part
                continue
            if held and (size + part.num_rows > AT_ONCE or held[0].schema != part.schema):
                yield _joined(held)
                held, size = [], 0
            held.append(part)
            size += part.num_rows
    if held:
        yield _joined(held)


def _joined(parts: list[Any]) -> Any:
    if len(parts) == 1:
        return parts[0]
    table: Any = pa.Table.from_batches(parts).unify_dictionaries().combine_chunks()
    return table.to_batches()[0]


__all__ = ["AT_ONCE", "BUCKETS", "audit_batches"]
