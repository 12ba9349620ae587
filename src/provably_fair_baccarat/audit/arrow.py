"""pyarrow for this room. Its stubs know too little of what is called here, so that calls go by these names, of any type.

The types of tables and batches that functions take and give are pyarrow's own.
"""

from __future__ import annotations

from typing import Any, Final

import pyarrow as _pa  # noqa: ICN001 (its usual name is that of the value below)
import pyarrow.compute as _compute
import pyarrow.csv as _csv
import pyarrow.ipc as _ipc
import pyarrow.json as _json
import pyarrow.parquet as _parquet

pa: Final[Any] = _pa
pc: Final[Any] = _compute
csv: Final[Any] = _csv
ipc: Final[Any] = _ipc
jsonl: Final[Any] = _json
pq: Final[Any] = _parquet
kinds: Final[Any] = _pa.types

ArrowException: Final[type[Exception]] = _pa.ArrowException
ArrowInvalid: Final[type[Exception]] = _pa.ArrowInvalid
ArrowNotImplemented: Final[type[Exception]] = _pa.ArrowNotImplementedError
ArrowTypeError: Final[type[Exception]] = _pa.ArrowTypeError
