"""Every example in the documentation is run, and every output that it shows is compared.

The ```python and ```pycon blocks of a page run in order and share their names. A ```text block right behind a block is what that block
prints. A ```sh block is run if it begins with `pfb` or with `printf`, by a POSIX shell in a folder that the page has to itself; every other
one is named below, with the reason. So is a ```python block that needs what is not there; it is compiled all the same. ```json blocks must be
JSON; what they mean is compared in test_reference.py. A page whose examples need an extra says so below, and is skipped where that is absent.
"""

import doctest
import json
import os
import re
import shutil
import subprocess
import sys
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    [*ROOT.glob("*.md"), *(page for page in (ROOT / "docs").rglob("*.md") if "_build" not in page.parts)],
)
NAMES = [page.relative_to(ROOT).as_posix() for page in PAGES]

NOT_RUN = {
    "README.md: python3 -m venv .venv && .venv/bin/pip install -q '.[cli]' && .venv/bin/pfb demo": "CI runs it from a fresh clone",
    "README.md: python3 -m venv .venv && .venv/bin/pip install -q -e '.[test]' && .venv/bin/python -m pytest": "CI runs it from a fresh clone",
    "CONTRIBUTING.md: python3 -m venv .venv && .venv/bin/pip install -e '.[dev]'": "installs packages",
    "CONTRIBUTING.md: .venv/bin/python -m pytest": "runs this very test",
    "docs/explanation/mutation-testing.md: python .ci/mutation/run.py --jobs 2": "runs the tests some thousand times",
    "RELEASING.md: .ci/release": "makes a release",
    "docs/how-to/property-tests.md: pip install '.[testing]'": "installs a package",
    "docs/how-to/first-house.md: import json": "needs Django, which the project does not use",
    "docs/how-to/backup-and-restore.md: sqlite3 house.db \"VACUUM INTO 'backup.db'\"": "needs the sqlite3 shell; the same SQL is run from Python",
    'docs/how-to/backup-and-restore.md: pg_dump --format=custom --file=house.dump "$HOUSE_URL"': "needs a PostgreSQL server",
    "docs/how-to/postgres-in-production.md: pip install '.[postgres]'": "installs packages",
    "docs/how-to/postgres-in-production.md: createdb --encoding=UTF8 house": "needs a PostgreSQL server",
    "docs/how-to/postgres-in-production.md: from provably_fair_baccarat.house import House, Limits, PostgresStore, Vault": "needs a PostgreSQL server",
    "docs/how-to/postgres-in-production.md: import psycopg": "needs a PostgreSQL server",
    "docs/how-to/mount-the-router.md: pip install '.[web]' httpx": "installs packages",
    "docs/how-to/audit-on-spark.md: pip install 'provably-fair-baccarat[cli,spark]'": "installs packages",
    'docs/how-to/audit-on-spark.md: pfb audit november/ --spark "local[4]" --seeds seeds.parquet --findings findings.jsonl': "starts a Spark",
    "docs/how-to/audit-on-spark.md: from provably_fair_baccarat.audit.spark import audit_on_spark": "run in tests/audit/test_spark.py",
    "docs/how-to/audit-on-spark.md: frame = spark.read.parquet(folder)": "run in tests/audit/test_spark.py",
    "docs/tutorials/fastapi-backend.md: pip install '.[web,serve]' httpx": "installs packages",
    "docs/tutorials/fastapi-backend.md: pip install '.[postgres]'": "installs packages",
    "docs/tutorials/fastapi-backend.md: from provably_fair_baccarat.house import PostgresStore": "test_tutorial.py runs it with a server",
    "docs/tutorials/audit-a-month.md: python3 -m venv .venv && .venv/bin/pip install -q '.[cli,audit]'": "installs packages",
    "docs/tutorials/first-round.md: python3 -m venv .venv && .venv/bin/pip install -q '.[cli]'": "installs packages",
}

NEEDS: dict[str, tuple[str, ...]] = {
    "docs/how-to/audit-on-dask.md": ("numpy", "pyarrow", "dask"),
    "docs/how-to/bring-your-own-rounds.md": ("numpy", "pyarrow"),
    "docs/how-to/mount-the-router.md": ("fastapi", "httpx"),
    "docs/how-to/run-it.md": ("fastapi", "httpx"),
    "docs/tutorials/audit-a-month.md": ("pyarrow", "numpy"),
    "docs/how-to/test-an-audit.md": ("numpy", "pyarrow"),
    "docs/tutorials/fastapi-backend.md": ("fastapi", "httpx", "uvicorn"),
}
"""The modules of extras that the examples of a page need."""

BLOCK = re.compile(r"^```(?P<language>[a-z]+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
LANGUAGES = {"python", "pycon", "sh", "text", "json"}


@dataclass(frozen=True)
class Block:
    language: str
    text: str
    line: int
    output: str | None
    """What the page says that it prints."""


def blocks_of(page):
    text = page.read_text(encoding="utf-8")
    found = list(BLOCK.finditer(text))
    for match, following in zip(found, [*found[1:], None], strict=False):
        output = None
        if following and following["language"] == "text" and not text[match.end() : following.start()].strip():
            output = following["text"]
        yield Block(match["language"], match["text"], text.count("\n", 0, match.start()) + 2, output)


def run_python(block, name, names):
    code = compile("\n" * (block.line - 1) + block.text, str(ROOT / name), "exec")
    printed = StringIO()
    with redirect_stdout(printed):
        exec(code, names)
    if block.output is not None:
        assert printed.getvalue() == block.output


def run_session(block, name, names):
    test = doctest.DocTestParser().get_doctest(block.text, names, name, str(ROOT / name), block.line - 1)
    assert test.examples, "a pycon block without >>>"
    report = StringIO()
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(test, out=report.write, clear_globs=False)
    assert not runner.failures, report.getvalue()
    names.update(test.globs)


def run_shell(block, folder):
    shell = shutil.which("sh")
    tools = [tool for tool in ("sha256sum", "openssl") if tool in block.text]
    if os.name == "nt" or shell is None or not all(map(shutil.which, tools)):
        return
    script = f'pfb() {{ "{sys.executable}" -m provably_fair_baccarat "$@"; }}\n{block.text}'
    environment = {**os.environ, "NO_COLOR": "1", "COLUMNS": "120", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run([shell, "-eu", "-c", script], cwd=folder, env=environment, capture_output=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr.decode()
    if block.output is not None:
        assert done.stdout.decode() == block.output


@pytest.mark.parametrize("name", NAMES)
def test_the_examples_of_a_page_do_what_they_show(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for module in NEEDS.get(name, ()):
        pytest.importorskip(module, reason=f"the examples of this page need {module}")
    names = {"__name__": "__main__"}
    for block in blocks_of(ROOT / name):
        assert block.language in LANGUAGES, f"{name}, line {block.line}: nobody looks at {block.language} blocks"
        first = block.text.splitlines()[0]
        if f"{name}: {first}" in NOT_RUN:
            if block.language == "python":
                compile(block.text, name, "exec")
            continue
        if block.language == "pycon":
            run_session(block, name, names)
        elif block.language == "python":
            run_python(block, name, names)
        elif block.language == "json":
            json.loads(block.text)
        elif block.language == "sh" and block.text.startswith(("pfb ", "printf ")):
            run_shell(block, tmp_path)
        else:
            assert block.language == "text", f"line {block.line}: neither run nor named with a reason"


def test_every_block_that_is_not_run_exists():
    shown = {f"{name}: {block.text.splitlines()[0]}" for name in NAMES for block in blocks_of(ROOT / name)}
    assert NOT_RUN.keys() <= shown
    assert NEEDS.keys() <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_every_fence_is_read(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    directives = re.findall(r"^```\{[a-z-]+\}.*?^```$", text, re.MULTILINE | re.DOTALL)
    blocks = [match.group() for match in BLOCK.finditer(text)]
    assert text.count("```") == 2 * (len(directives) + len(blocks))


@pytest.mark.parametrize("name", NAMES)
def test_every_link_inside_the_repository_leads_somewhere(name):
    text = BLOCK.sub("", (ROOT / name).read_text(encoding="utf-8"))
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" not in target and not target.startswith("#"):
            path = (ROOT / name).parent / target.partition("#")[0]
            assert path.exists(), target


def test_the_readme_begins_with_two_commands():
    headings = ["## Watch ten coups being dealt and proved", "## Run the tests"]
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"^## .*$", text, re.MULTILINE)[:2] == headings
    assert [block.text for block in list(blocks_of(ROOT / "README.md"))[:2]] == [
        "python3 -m venv .venv && .venv/bin/pip install -q '.[cli]' && .venv/bin/pfb demo\n",
        "python3 -m venv .venv && .venv/bin/pip install -q -e '.[test]' && .venv/bin/python -m pytest\n",
    ]
