"""The house's store in one SQLite file, with nothing but the standard library."""

from ..migrations import Migration, MigrationStatus
from .store import SqliteStore

__all__ = ["Migration", "MigrationStatus", "SqliteStore"]
