"""The pictures of the docs show what the package says today."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

pytest.importorskip("matplotlib", reason="the pictures are drawn with matplotlib")

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"


@pytest.fixture(scope="module")
def drawing():
    spec = importlib.util.spec_from_file_location("draw", PICTURES / "draw.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def texts(path):
    return re.findall(r"<text[^>]*>([^<]*)</text>", path.read_text(encoding="utf-8"))


def test_every_picture_is_drawn_and_kept(drawing):
    assert {path.stem for path in PICTURES.glob("*.svg")} == set(drawing.DRAWINGS)


def test_every_picture_says_what_is_so(drawing, tmp_path):
    for name in drawing.DRAWINGS:
        assert texts(drawing.draw(name, tmp_path)) == texts(PICTURES / f"{name}.svg"), f"draw {name} again"


def test_no_picture_loads_anything():
    for path in PICTURES.glob("*.svg"):
        text = path.read_text(encoding="utf-8")
        assert "<script" not in text
        assert not re.search(r'(?:href|src)="(?!#)', text)
