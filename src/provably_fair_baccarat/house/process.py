"""The process that a database was opened in, which is the only one that may use what was opened.

A fork takes memory along and leaves threads behind: a copy of a store would wait for ever for the thread that writes, or send its statements
over a connection that another process is using.
"""

from __future__ import annotations

import os

from ..errors import Slip, StoreError


class OpeningProcess:
    """The process in which this is made. `opened` is what was opened in it, as an error names it."""

    __slots__ = ("_opened", "_pid")

    def __init__(self, opened: str) -> None:
        self._opened = opened
        self._pid = os.getpid()

    @property
    def is_here(self) -> bool:
        """Whether this is that process."""
        return os.getpid() == self._pid

    def require_here(self) -> None:
        """Raise StoreError in any other process."""
        if not self.is_here:
            slip = Slip("forked", "Open the House after the fork: in the lifespan of the application, say.")
            raise StoreError(self._opened, "one that was opened in this process", "one that was opened in another process", (slip,))
