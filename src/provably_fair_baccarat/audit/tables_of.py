"""The tables beside the rounds, revealed seeds and refused bets: read from a file, a table in memory or a house's database."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import AuditError
from .arrow import ArrowException, csv, ipc, jsonl, pa, pq
from .databases import is_database, shown_path
from .schema import REFUSALS, SEEDS, require_columns

if TYPE_CHECKING:
    from pyarrow import Schema

    from .readers import Input


def read_seeds(given: Any, inputs: list[Input]) -> Any:
    """A table of seeds, or that of a house by its URL; where none is given, that of the houses among the inputs, or None."""
    if given is not None and not is_database(given):
        return read_table(given, SEEDS)
    databases = [given] if given is not None else [each.where for each in inputs if each.form == "database"]
    if not databases:
        return None
    from .house_reader import house_seeds  # noqa: PLC0415 (a house is loaded by those who audit one)

    return pa.concat_tables([house_seeds(url) for url in databases])


def read_refusals(given: Any, inputs: list[Input]) -> Any:
    """A table of refused bets, or that of a house by its URL; where none is given, that of the houses among the inputs, or None."""
    if given is not None and not is_database(given):
        return read_table(given, REFUSALS)
    databases = [given] if given is not None else [each.where for each in inputs if each.form == "database"]
    if not databases:
        return None
    from .house_reader import house_refusals  # noqa: PLC0415 (a house is loaded by those who audit one)

    return pa.concat_tables([house_refusals(url) for url in databases])


def read_table(given: Any, schema: Schema) -> Any:
    """A whole table in any form. Raises AuditError where it is none, or has not the columns that must be there."""
    if hasattr(given, "__arrow_c_stream__"):
        table: Any = pa.table(given)
    else:
        told = shown_path(str(given))
        if told != str(given) and not Path(given).exists():
            raise AuditError("table beside the rounds", "a file, or a house's database", told)
        try:
            table = _read_file(Path(given), schema)
        except ArrowException as error:
            raise AuditError(f"file {given}", "a table", str(error)) from None
    require_columns(table.schema, schema)
    return table


def _read_file(path: Path, schema: Schema) -> Any:
    suffix = path.suffix.lower()
    if suffix in (".parquet", ".pq"):
        return pq.read_table(path)
    if suffix in (".arrow", ".feather", ".ipc", ".arrows"):
        with pa.OSFile(str(path)) as file:
            is_file = file.read(6) == b"ARROW1"
        with pa.OSFile(str(path)) as file:
            return ipc.open_file(file).read_all() if is_file else ipc.open_stream(file).read_all()
    if suffix == ".csv":
        names = csv.open_csv(path).schema.names
        every = csv.ConvertOptions(column_types=dict.fromkeys(names, pa.string()), strings_can_be_null=True, null_values=[""])
        return csv.read_csv(path, convert_options=every)
    if suffix in (".jsonl", ".ndjson", ".json"):
        times = pa.schema([(name, pa.string()) for name in schema.names if name.endswith("_at")])  # else their zone would be dropped
        return jsonl.read_json(path, parse_options=jsonl.ParseOptions(explicit_schema=times))
    raise AuditError(f"file {path}", "a name that ends in .parquet, .arrow, .csv or .jsonl", path.suffix or "none")
