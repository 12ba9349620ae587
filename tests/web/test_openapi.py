"""OpenAPI says what is answered, and the page on HTTP says what OpenAPI says."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from provably_fair_baccarat import RoundRecord
from provably_fair_baccarat.receipts import KeySet, PrivateKey, VerificationKey
from provably_fair_baccarat.receipts.log import LogWriter, NoteKey, TileLog

from .conftest import make_app

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "http.md").read_text(encoding="utf-8")
PREFIX = "/baccarat"
METHODS = ("get", "put", "post", "delete")


@pytest.fixture
def openapi(house, tmp_path):
    """With everything that there is."""
    pytest.importorskip("fastapi", reason="the router needs the extra web")
    secret = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    signing = PrivateKey(secret, VerificationKey(secret.public_key().public_bytes_raw(), 0))
    key = NoteKey("casino.example/log", signing.public.raw)
    LogWriter(tmp_path / "log", key, signing).close()
    return make_app(house, keys=KeySet([signing.public]), log=TileLog(tmp_path / "log", key)).openapi()


def operations(openapi):
    for path, methods in openapi["paths"].items():
        for method in METHODS:
            if method in methods:
                yield path.removeprefix(PREFIX), method, methods[method]


def rows(heading, columns):
    text = PAGE.partition(heading)[2]
    table = re.search(r"(^\|.*\|\n)+", text, re.MULTILINE)[0].splitlines()[2:]
    return [[cell.strip().strip("`") for cell in re.split(r"(?<!\\)\|", line)[1:-1]][:columns] for line in table]


def test_the_page_lists_the_endpoints(openapi):
    told = {(path, method.lower(), name) for method, path, name in rows("## Endpoints", 3)}
    assert told == {(path, method, each["operationId"]) for path, method, each in operations(openapi)}


def test_the_page_lists_the_statuses():
    pytest.importorskip("fastapi", reason="the table is the router's, which needs the extra web")
    from provably_fair_baccarat.web.problems import STATUSES

    told = {code: int(status) for code, status in rows("<!-- problems -->", 2)}
    assert told == {cls.code: status for cls, status in STATUSES.items()}


def test_every_endpoint_is_described_with_examples(openapi):
    for path, method, each in operations(openapi):
        name = f"{method} {path}"
        assert each["summary"], name
        assert each["description"].endswith("."), name
        assert each["tags"] == ["baccarat"]
        assert "500" in each["responses"], name
        for status, answer in each["responses"].items():
            for media_type, content in answer.get("content", {}).items():
                if media_type not in ("text/event-stream", "text/html", "application/octet-stream"):
                    assert {"example", "examples"} & content.keys() or status == "200", f"{name} {status}"
                    assert content["schema"], f"{name} {status}"
        if "requestBody" in each:
            assert each["requestBody"]["content"]["application/json"]["examples"]


def test_the_examples_are_what_their_shapes_say(house):
    """Before FastAPI leaves their null members out."""
    pytest.importorskip("fastapi", reason="the router needs the extra web")
    from provably_fair_baccarat.web import router
    from provably_fair_baccarat.web.shapes import Problem

    seen = 0
    for route in router(house, current_bettor=lambda: "ann").routes:
        for answer in route.responses.values():
            for media_type, told in answer.get("content", {}).items():
                shape = Problem if media_type == "application/problem+json" else answer.get("model")
                examples = [told["example"]] if "example" in told else [example["value"] for example in told.get("examples", {}).values()]
                for example in examples:
                    shape.model_validate(example)
                    seen += 1
    assert seen > 100


def test_what_is_shown_to_be_sent_is_taken(ann, openapi):
    shown = {
        path: each["requestBody"]["content"]["application/json"]["examples"]
        for path, _, each in operations(openapi)
        if "requestBody" in each
    }
    for example in shown["/verify"].values():
        assert ann.ask("POST", "/verify", json=example["value"]).json()["verified"] is True
    pair = ann.ask("POST", "/pairs").json()["id"]
    for example in shown["/pairs/{pair}/client-seed"].values():
        assert ann.ask("PUT", f"/pairs/{pair}/client-seed", json=example["value"]).status_code == 200
    for number in range(13):
        ann.play(pair, {"player": "5"}, f"{number}")
    for name, example in shown["/pairs/{pair}/rounds"].items():
        played = ann.ask("POST", f"/pairs/{pair}/rounds", json=example["value"], headers={"Idempotency-Key": name})
        assert played.status_code == 201, played.text


def test_bets_need_their_key(openapi):
    for path in ("/pairs/{pair}/rounds", "/pairs/{pair}/acceptances"):
        parameters = openapi["paths"][PREFIX + path]["post"]["parameters"]
        (key,) = [each for each in parameters if each["name"] == "Idempotency-Key"]
        assert (key["in"], key["required"]) == ("header", True)


def test_the_record_s_shape_is_that_of_a_record(openapi):
    assert list(openapi["components"]["schemas"]["Record"]["properties"]) == list(RoundRecord.model_fields)


def test_openapi_holds_no_unrevealed_seed(openapi):
    text = json.dumps(openapi)
    assert bytes(range(1, 33)).hex() not in text
