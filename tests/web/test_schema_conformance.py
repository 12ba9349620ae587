"""Schemathesis asks what OpenAPI allows, and what it doesn't: every answer is as OpenAPI says, and none is a 500.

The same questions in every run. With `WEB_EXAMPLES=200` there are more of them.
"""

from __future__ import annotations

import os

import pytest

from .conftest import make_app, make_house, make_signer, served

schemathesis = pytest.importorskip("schemathesis", reason="schemathesis asks what OpenAPI allows")
pytest.importorskip("fastapi", reason="the router needs the extra web")
pytest.importorskip("uvicorn", reason="the router's tests serve it with uvicorn")
httpx = pytest.importorskip("httpx", reason="the router's tests ask over HTTP with httpx")

from hypothesis import HealthCheck, Phase, given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402
from schemathesis import GenerationMode  # noqa: E402
from schemathesis.checks import positive_data_acceptance  # noqa: E402

EXAMPLES = int(os.environ.get("WEB_EXAMPLES", "8"))
OPERATIONS = (
    *("openPair", "listPairs", "getPair", "chooseClientSeed", "closePair", "rotatePair", "playRound", "acceptBet", "dealRound"),
    *("listPairRounds", "getRound", "listRounds", "getRoads", "getBalance", "verifyRound", "getOffer", "getOdds", "getVerifier"),
    *("listStatements", "getHistoryFile", "getPublicKeys"),
)
WRONG = (
    *("listPairs", "chooseClientSeed", "playRound", "acceptBet", "dealRound", "listPairRounds", "getRound", "listRounds", "getRoads"),
    *("verifyRound", "listStatements"),
)
"""Those that take something that can be wrong."""

STREAMS = {"followRounds"}
"""They don't end."""


@pytest.fixture(scope="module")
def backend(tmp_path_factory):
    """A backend and its schema, with ann logged in, a pair of hers that is revealed and not signed, and one that is signed and played."""
    folder = tmp_path_factory.mktemp("conformance")
    house = make_house(folder)
    house.deposit("ann", 10**9, "deposit")
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    for number in range(3):
        house.play(pair, {"player": 5}, f"{number}")
    house.close()
    house = make_house(folder, signer=make_signer())
    house.rotate(pair)
    active = house.choose_client_seed(house.pairs("ann")[-1], "lucky")
    house.accept(active, {"tie": 5}, "accepted")
    app = make_app(house, keys=house.key_set)
    with served(app) as url, httpx.Client(base_url=url, headers={"X-Bettor": "ann"}, timeout=60) as client:
        yield schemathesis.openapi.from_dict(app.openapi()), client, [pair.id, active.id]
    house.close()


def test_every_operation_is_asked(backend):
    schema, _, _ = backend
    known = {operation.ok().definition.raw["operationId"] for operation in schema.get_all_operations()}
    assert known == {*OPERATIONS, *STREAMS}


@pytest.mark.parametrize(
    ("name", "mode"), [*((name, GenerationMode.POSITIVE) for name in OPERATIONS), *((name, GenerationMode.NEGATIVE) for name in WRONG)]
)
def test_answers_are_as_openapi_says(backend, name, mode):
    schema, client, pairs = backend
    operation = schema.find_operation_by_id(name)
    cases = operation.as_strategy(generation_mode=mode)

    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=cases, pair=st.sampled_from([None, *pairs]))
    def ask(case, pair):
        if pair is not None and case.path_parameters:
            case.path_parameters["pair"] = pair
        answer = case.call(base_url=str(client.base_url), headers={**(case.headers or {}), "X-Bettor": "ann"})
        case.validate_response(answer, excluded_checks=[positive_data_acceptance])  # OpenAPI knows no bets, limits or states

    ask()
