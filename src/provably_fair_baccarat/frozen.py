"""A fast way to build frozen values that are already known to be right.

A frozen dataclass checks what it is given, which is right for everyone outside, and too much for the one function that has just computed
the value. Such a function fills the value's open twin, a class with the same slots and no lock, and then closes it: from the moment when
`value.__class__` is the frozen class, nobody can change it any more.

    coup = OpenCoup()
    coup.player = ...
    coup.banker = ...
    coup.__class__ = Coup
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any


def open_twin(frozen: type) -> Any:
    """A class with the same slots as this frozen, slotted dataclass, whose values can be set, and then closed by giving them that class."""
    return type(f"Open{frozen.__name__}", (), {"__slots__": tuple(field.name for field in fields(frozen))})
