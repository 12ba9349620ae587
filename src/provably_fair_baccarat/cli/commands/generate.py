"""`pfb generate`: a table of rounds to test an audit with, and what the audit must find in it."""

from typing import TYPE_CHECKING, Annotated

import typer

from ...canonical import canonical_json
from ...durable import refuse_existing
from ...fairness.seeds import operating_system_entropy
from ..failures import OK, misused
from ..files import write_lines_to
from ..options import Entropy, Json, read_count
from ..screen import progress_bar, show_fields, write_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pyarrow import RecordBatch

    from ...audit.specimens import Plan, Planted
    from ...canonical import Json as JsonValue

EXAMPLES = """\b
Examples:
  pfb generate --rounds 1e6 --out rounds.parquet
  pfb generate --rounds 1e5 --faults 3 --chains 5 --out faulty.parquet --expected faults.jsonl
  pfb generate --rounds 1e5 --shoes 50 --faults 3 --out faulty.parquet --seeds seeds.parquet --expected faults.jsonl
  pfb generate --rounds 1e5 --fault card --fault missing --out two.csv --expected two.jsonl
"""


def generate(
    *,
    rounds: Annotated[int, typer.Option(parser=read_count, metavar="N", help="How many rounds: 1000000, 1_000_000 or 1e6.")],
    out: Annotated[str, typer.Option(metavar="FILE", help="The new file; it ends in .parquet, .arrow, .csv or .jsonl.")],
    pairs: Annotated[
        int | None, typer.Option(parser=read_count, metavar="N", help="Seed pairs; one for 100 rounds unless told.", show_default=False)
    ] = None,
    chains: Annotated[int, typer.Option(metavar="N", help="Make each N-th pair a seed chain; 0 makes none.")] = 0,
    shoes: Annotated[int, typer.Option(metavar="N", help="Behind the rounds, those of so many shoes dealt through.")] = 0,
    faults: Annotated[
        int | None, typer.Option(metavar="N", help="How often each kind of fault is planted; not at all unless told.", show_default=False)
    ] = None,
    fault: Annotated[list[str] | None, typer.Option(metavar="KIND", help="Only this kind, once unless told; may be repeated.")] = None,
    expected: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="A new file for the planted faults and their findings, a JSON line each.", show_default=False),
    ] = None,
    seeds: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="A new Parquet file: how many nonces each commitment has spent.", show_default=False),
    ] = None,
    entropy: Entropy = None,
    json: Json = False,
) -> int:
    """Make a table of rounds to test an audit with.

    It is honest or has faults. The rounds are dealt from new seeds and have bets on several pay tables. Each fault stands in a pair of its own, and the file of what is
    expected tells every finding that it must give: an audit must find these and no others. No kind of seed chains or
    shoes is planted where there are none, and `unspent`, which only --seeds tells, not without that file.
    """
    try:
        from ...audit.specimens import Plan, specimen_batches, write_seeds, write_specimen  # noqa: PLC0415 (an extra, needed here alone)
        from ...audit.specimens.faults import of_seeds  # noqa: PLC0415 (as above)
        from ...audit.specimens.plan import kinds_for  # noqa: PLC0415 (as above)
    except ImportError as missing:
        raise misused(str(missing)) from None
    for name in (out, expected, seeds):
        if name is not None:
            refuse_existing(name)
    kinds = fault or kinds_for(chains=bool(chains), shoes=bool(shoes), seeds=seeds is not None)
    if seeds is None and any(map(of_seeds, kinds)):
        raise misused("Only a table of seeds shows that a nonce was never spent: --fault unspent goes with --seeds FILE.")
    number = (1 if fault else 0) if faults is None else faults
    key = operating_system_entropy(32) if entropy is None else entropy
    of_kinds = dict.fromkeys(kinds, number) if number else {}
    plan = Plan(rounds, key, pairs=pairs or max(1, rounds // 100), chains=chains, faults=of_kinds, shoes=shoes)
    planted: list[Planted] = []
    with progress_bar("making rounds", rounds) as show_done:
        written = write_specimen(_told(specimen_batches(plan, planted), show_done), out)
    if seeds is not None:
        write_seeds(plan, seeds)
    if expected is not None:
        write_lines_to(expected, (canonical_json(_planted_json(each)) + b"\n" for each in planted))
    _tell(plan, out, written, planted, as_json=json)
    return OK


def _told(batches: "Iterable[RecordBatch]", show_done: "Callable[..., object]") -> "Iterator[RecordBatch]":
    done = 0
    for batch in batches:
        yield batch
        show_done(done := done + batch.num_rows)


def _planted_json(fault: "Planted") -> "dict[str, JsonValue]":
    findings: list[JsonValue] = [{"code": each.code, "commitment": each.commitment, "nonce": each.nonce} for each in fault.expected]
    return {"kind": fault.kind, "row": fault.row + 1, "commitment": fault.commitment, "nonce": fault.nonce, "findings": findings}


def _tell(plan: "Plan", out: str, written: int, planted: "list[Planted]", *, as_json: bool) -> None:
    told: dict[str, JsonValue] = {
        "out": out,
        "rounds": written,
        "pairs": plan.pairs,
        "faults": len(planted),
        "findings": sum(len(fault.expected) for fault in planted),
        "entropy": plan.key.hex(),
    }
    if as_json:
        write_json(told)
    else:
        show_fields({name: f"{value:,}" if isinstance(value, int) else str(value) for name, value in told.items()})
