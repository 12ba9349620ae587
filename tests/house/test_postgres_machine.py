"""The whole life against a model, on PostgreSQL."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

pytest.importorskip("psycopg")

from .postgres_engine import PostgresEngine
from .test_machine import Life


class PostgresLife(Life):
    engine_name = PostgresEngine.name


TestPostgresLife = PostgresLife.TestCase
TestPostgresLife.settings = settings(
    max_examples=15, stateful_step_count=40, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)
