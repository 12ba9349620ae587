"""Which paths there are: those of the native kernel that proved themselves, and Python.

The extension is looked for once, when this is loaded, and takes the place of the scheme's own source of coups.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from ..cards import DECK
from ..errors import ClientSeedError, KernelError, SchemeError, ServerSeedError, describe, nearest
from ..fairness.hex_form import describe_secret
from ..fairness.inputs import parse_decks, parse_nonce
from ..fairness.schemes.pfb1 import FASTER_SOURCES
from ..fairness.seeds import ClientSeed, ServerSeed
from .proof import fault_of_columns, fault_of_path
from .reference import LABELS, python_source

if TYPE_CHECKING:
    from .._kernel import PreparedSeeds
    from ..fairness.schemes import Source

PYTHON: Final = "python"
"""The path that is always there."""

_EXTENSION: Final = f"{__name__.split('.', maxsplit=1)[0]}._kernel"
_OFFERED: Final = ("PATHS", "PreparedSeeds", "add_amounts", "count_coups", "derive_rows", "hash_rows", "read_cards", "sum_lines")
"""What is asked of the extension. One that was built before some of it came cannot be used."""


@dataclass(frozen=True, slots=True)
class KernelInfo:
    """What derives coups here.

    `native` says whether it is the C kernel; `path` is what runs unless another is asked for; `paths` are all that can be asked for, the
    fastest first and `python` always last; `reason` says why something is missing, or is None.
    """

    native: bool
    path: str
    paths: tuple[str, ...]
    reason: str | None


def kernel_info() -> KernelInfo:
    """Which paths there are, and which one runs: `shani`, `avx2`, `armv8` and `portable` are native, `python` is not."""
    return _INFO


def coup_source(server_seed: ServerSeed, label: str, client_seed: ClientSeed, decks: int) -> Source:
    """A function from a nonce to the cut and the six cards of its coup (protocol steps 3 to 5), as fast as it goes here.

    `label` is that of a way of dealing coups, like `pfb1:8` (protocol step 1) or `pfb1-chain:8` (step 8). What the function returns is what
    the scheme's own source returns. It raises NonceError unless the nonce is a whole number from 0 to 2^53 - 1.
    """
    if not isinstance(server_seed, ServerSeed):
        raise ServerSeedError("server seed", "a ServerSeed", type(server_seed).__name__)
    if not isinstance(client_seed, ClientSeed):
        raise ClientSeedError("client seed", "a ClientSeed", type(client_seed).__name__)
    labels = tuple(f"{way}:{parse_decks(decks)}" for way in LABELS)
    if label not in labels:
        raise SchemeError("label", " or ".join(map(repr, labels)), describe_secret(label))
    prepared = prepare_natively(server_seed, label, client_seed, decks)
    return python_source(server_seed, label, client_seed, decks) if prepared is None else prepared.coup


def prepare_natively(
    server_seed: ServerSeed, label: str, client_seed: ClientSeed, decks: int, path: str | None = None
) -> PreparedSeeds | None:
    """Seeds for the native kernel, with all hashed that comes before the nonce in the message of protocol step 3; None on the Python path."""
    path, native = read_path(path), _NATIVE
    if native is None or path == PYTHON:
        return None
    prepared: PreparedSeeds = native.PreparedSeeds(
        server_seed.reveal_bytes(), f"{label}:".encode() + client_seed.utf8 + b":", decks, DECK, parse_nonce, path
    )
    return prepared


def native_columns(path: str | None = None) -> Any:
    """The functions of the C kernel that read and count whole columns of a table, or None where only Python can, or is asked for.

    `path` is that of `derive`. What each of them does, its docstring says; whoever calls one has the same in Python or numpy.
    """
    return None if read_path(path) == PYTHON else _NATIVE


def read_path(path: str | None) -> str:
    """The path that is asked for, if it is here; the fastest one for None."""
    path = _INFO.path if path is None else path
    if path not in _INFO.paths:
        raise KernelError("path", f"one of {', '.join(_INFO.paths)}", describe(path), nearest(path, _INFO.paths))
    return path


def find_kernel() -> tuple[Any, KernelInfo]:
    """The extension, if it is there, whole, and right; where it is wrong, it is turned off with a warning."""
    try:
        extension: Any = import_module(_EXTENSION)
    except ImportError as error:
        return None, _without(f"the extension was not built: {error}")
    if missing := [name for name in _OFFERED if not hasattr(extension, name)]:
        fault: str | None = f"the extension was built from other source files: it has no {', '.join(missing)}"
    else:
        fault = fault_of_columns(extension)
    if fault is not None:
        warnings.warn(f"The native kernel is turned off: {fault}.", RuntimeWarning, stacklevel=2)
        return None, _without(fault)
    faults = {path: fault_of_path(extension, path) for path in extension.PATHS}
    passing = [path for path, fault in faults.items() if fault is None]
    reason = "; ".join(f"the path {path}: {fault}" for path, fault in faults.items() if fault is not None) or None
    if reason is not None:
        warnings.warn(f"The native kernel is turned off where it is wrong: {reason}.", RuntimeWarning, stacklevel=2)
    paths = (*passing, PYTHON)
    return extension if passing else None, KernelInfo(native=bool(passing), path=paths[0], paths=paths, reason=reason)


def _without(reason: str) -> KernelInfo:
    return KernelInfo(native=False, path=PYTHON, paths=(PYTHON,), reason=reason)


_NATIVE, _INFO = find_kernel()
if _INFO.native:
    FASTER_SOURCES["coup"] = coup_source
