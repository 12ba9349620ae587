"""The whole life against a model, on PostgreSQL."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, Phase, settings

pytest.importorskip("psycopg")

from .postgres_engine import PostgresEngine
from .test_machine import Life


class PostgresLife(Life):
    engine_name = PostgresEngine.name


TestPostgresLife = PostgresLife.TestCase
TestPostgresLife.settings = settings(
    max_examples=15, stateful_step_count=40, deadline=None, phases=(Phase.generate,Phase.shrink), suppress_health_check=list(HealthCheck)
)
