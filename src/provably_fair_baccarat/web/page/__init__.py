"""The bettor's page: a verifier that anybody can open, in one HTML file that asks nobody for anything.

It is the second implementation of the protocol, written from its text in JavaScript, so that a bettor needs neither this package nor
trust in it. Python never runs it; `writing` puts the tables and messages into it that both have in common.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Final

__all__ = ["PAGE_NAME", "read_page"]

PAGE_NAME: Final = "verifier.html"
"""The name of the page's file in this package."""


def read_page() -> bytes:
    """The page as it is shipped: UTF-8 HTML that works from a disk, from any server and without a network."""
    return files(__name__).joinpath(PAGE_NAME).read_bytes()
