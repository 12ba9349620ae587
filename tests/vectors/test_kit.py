"""The kit of known answers: every file fits its schema, nothing unknown is taken, and what says it was generated is generated."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path

import pytest

VECTORS = Path(__file__).parents[2] / "vectors"
FILES = sorted(path.stem for path in VECTORS.glob("*.json"))
NAMED_OTHERWISE = ["receipts", "log"]
GENERATED = ["words", "draws", "settlements", "odds", "records", "refusals"]


@pytest.fixture(scope="module")
def made():
    """What the generator makes now, and how it writes it."""
    sys.path.insert(0, str(VECTORS))
    try:
        spec = importlib.util.spec_from_file_location("generate", VECTORS / "generate.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return {name: module.text_of(content) for name, content in module.files().items()}
    finally:
        sys.path.remove(str(VECTORS))


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def test_the_generator_makes_the_same_files_again(made):
    assert sorted(made) == sorted(GENERATED)
    for name, text in made.items():
        assert text == (VECTORS / f"{name}.json").read_text(encoding="utf-8"), name


@pytest.mark.parametrize("name", ["generate", "second_opinion"])
def test_the_generator_shares_nothing_with_the_package(name):
    text = (VECTORS / f"{name}.py").read_text(encoding="utf-8")
    assert "provably_fair_baccarat" not in text
    assert "import pfb" not in text


@pytest.mark.parametrize("name", FILES)
def test_a_file_fits_its_schema_and_takes_nothing_unknown(name):
    jsonschema = pytest.importorskip("jsonschema", reason="the extra test-all has jsonschema")
    schema = read(VECTORS / "schema" / f"{name}.json")
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    content = read(VECTORS / f"{name}.json")
    validator.validate(content)
    content = {key: value[:1] if isinstance(value, list) else value for key, value in content.items()}
    tried = 0
    for place in places(content):
        for wrong in ({**place, "no such key": 0}, {key: place[key] for key in list(place)[1:]}):
            kept = dict(place)
            place.clear()
            place.update(wrong)
            tried += "no such key" in wrong
            is_valid = validator.is_valid(content)
            place.clear()
            place.update(kept)
            assert not is_valid or ("no such key" not in wrong and open_mapping(name, kept)), (name, list(wrong))
    assert tried >= 2


def open_mapping(name, place):
    """Whether an object is a mapping whose keys are names, so that one may be missing: conventions, stakes, payouts, ways."""
    return all(isinstance(value, str) for value in place.values()) or name in ("settlements", "odds")


def places(value):
    """The objects of a file: of each list, those of the first thing in it. A key to be refused may be anything."""
    if isinstance(value, dict):
        yield value
        for key, inner in value.items():
            if key != "jwk":
                yield from places(inner)
    elif isinstance(value, list) and value:
        yield from places(value[0])


def test_every_vector_has_an_id_of_its_own():
    for name in FILES:
        for key, listed in read(VECTORS / f"{name}.json").items():
            if isinstance(listed, list) and isinstance(listed[0], dict) and name not in NAMED_OTHERWISE:
                assert len({vector["id"] for vector in listed}) == len(listed), (name, key)


def test_the_page_describes_every_file():
    page = (VECTORS / "README.md").read_text(encoding="utf-8")
    for name in FILES:
        assert f"| `{name}.json` |" in page
        assert f"- **`{name}.json`**" in page
        assert (VECTORS / "schema" / f"{name}.json").exists()
