"""The pictures of the docs show what the package says today."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

for needed in ("matplotlib", "pyarrow", "scipy"):
    pytest.importorskip(needed, reason=f"the pictures are drawn with {needed}")

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    """All pictures, drawn anew."""
    folder = tmp_path_factory.mktemp("pictures")
    for name in ("draw", "draw_bias"):
        spec = importlib.util.spec_from_file_location(name, PICTURES / f"{name}.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        module.draw_all(folder)
    return folder


def texts(path):
    return re.findall(r"<text[^>]*>([^<]*)</text>", path.read_text(encoding="utf-8"))


def test_every_picture_is_drawn_and_kept(drawn):
    assert {path.name for path in PICTURES.glob("*.svg")} == {path.name for path in drawn.glob("*.svg")}


def test_every_picture_says_what_is_so(drawn):
    for path in drawn.glob("*.svg"):
        assert texts(path) == texts(PICTURES / path.name), f"draw {path.name} again"


def test_no_picture_loads_anything():
    for path in PICTURES.glob("*.svg"):
        text = path.read_text(encoding="utf-8")
        assert "<script" not in text
        assert not re.search(r'(?:href|src)="(?!#)', text)
