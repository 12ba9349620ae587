"""What the tests of the bettor's page share: the page's scripts in Node, and the page itself in a real browser."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from provably_fair_baccarat.web import page

PAGE = Path(page.__file__).with_name(page.PAGE_NAME)
DRIVER = Path(__file__).with_name("run_page.js")
OPERATOR = Path(__file__).parents[1] / "receipts/conftest.py"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@pytest.fixture(scope="session")
def page_file():
    """The page where it stands."""
    return PAGE


class NodePage:
    """The page's working scripts in a process of Node, a job at a time."""

    def __init__(self, node):
        self._process = subprocess.Popen(
            [node, DRIVER, PAGE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
        )

    def ask(self, kind, **job):
        self._process.stdin.write(json.dumps({"kind": kind, **job}) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        assert answer, self._process.stderr.read()
        return json.loads(answer)

    def close(self):
        self._process.stdin.close()
        self._process.wait(60)
        self._process.stdout.close()
        self._process.stderr.close()


@pytest.fixture(scope="session")
def node_page():
    """The page's scripts without a browser."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    runner = NodePage(node)
    yield runner
    runner.close()


@pytest.fixture(scope="module")
def browser():
    """A real Chromium, for one module alone: while it runs there is an event loop, in which no other test could start one of its own."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        pytest.skip("chromium is not installed")
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture(scope="session")
def make_operator():
    """The operator in memory with which the package's own histories are tested: it signs, logs and writes, and can be made to cheat."""
    found = importlib.util.spec_from_file_location("operator_in_memory", OPERATOR)
    module = importlib.util.module_from_spec(found)
    sys.modules[found.name] = module
    found.loader.exec_module(module)
    yield module.Operator
    del sys.modules[found.name]
