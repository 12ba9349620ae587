"""What all tests share: known answers, and the promise that nothing real is skipped where it must be there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from collections.abc import Callable

VECTORS = Path(__file__).parent.parent / "vectors"

settings.register_profile("tests", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("tests")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--require-real", action="store_true", help="fail where a test would be skipped because a real part is absent")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item):
    report = yield
    return fail_if_skipped(report, item.config)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector):
    report = yield
    return fail_if_skipped(report, collector.config)


def fail_if_skipped(report, config: pytest.Config):
    """A skip becomes a failure where everything real must be there."""
    if report.skipped and config.getoption("--require-real"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"{report.nodeid} was skipped: {reason}"
    return report


@pytest.fixture(scope="session")
def vectors() -> Callable[[str], Any]:
    """Known answers by the name of their file."""
    return lambda name: json.loads((VECTORS / f"{name}.json").read_text(encoding="utf-8"))
