"""A server seed that is not revealed is nowhere to be seen."""

from __future__ import annotations

import io
import json
import logging
import pickle
import traceback

import pytest

from provably_fair_baccarat import RoundRecord, Seeds, ServerSeed, play_round, settle, verify_record, verify_round
from provably_fair_baccarat.errors import BaccaratError, SecretError

CANARY = "c0ffee" * 10 + "beef"
SPELLINGS = (CANARY, CANARY.upper(), repr(bytes.fromhex(CANARY)), str(int(CANARY, 16)))


def assert_clean(text):
    for spelling in SPELLINGS:
        assert spelling not in text


def seeds():
    return Seeds.commit(ServerSeed.parse(CANARY), "lucky")


def test_in_no_text_of_a_value():
    pair = seeds()
    played = play_round(pair, 0)
    record = RoundRecord.from_round(played, settle(played.coup, {"player": 5}))
    for value in (pair.server_seed, pair, pair.origin, played, record, verify_round(pair, 0, record=record)):
        assert_clean(repr(value) + str(value) + f"{value}" + ascii(value) + "%s" % (value,) + format(value) + repr([value, {1: value}]))
    assert f"{pair.server_seed:>30}".strip() == "ServerSeed(<secret>)"


def test_in_no_public_attribute():
    pair = seeds()
    for value in (pair.server_seed, play_round(pair, 0), pair.origin):
        for name in dir(value):
            if not name.startswith("_") and not callable(getattr(value, name)):
                assert_clean(repr(getattr(value, name)))


def test_in_no_json():
    played = play_round(seeds(), 0)
    record = RoundRecord.from_round(played, settle(played.coup, {}))
    assert_clean(record.to_json().decode() + record.model_dump_json() + str(record.to_dict()))
    with pytest.raises(TypeError):
        json.dumps(seeds().server_seed)
    with pytest.raises(SecretError):
        seeds().server_seed.__getstate__()
    for name in ("server_seed", "nonce"):
        with pytest.raises(AttributeError) as caught:
            setattr(record, name, CANARY)
        assert_clean(str(caught.value))
    for call in (lambda: play_round(seeds(), CANARY), lambda: Seeds.commit(ServerSeed(bytes(32)), "x", CANARY)):
        with pytest.raises(BaccaratError) as refused:
            call()
        assert_clean(str(refused.value))


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_in_no_pickle(protocol):
    pair = seeds()
    for value in (pair.server_seed, pair, [pair], {"seed": pair.server_seed}):
        with pytest.raises(SecretError):
            pickle.dumps(value, protocol)
    if protocol >= 2:
        assert CANARY.encode() not in pickle.dumps(play_round(pair, 0), protocol)
        assert bytes.fromhex(CANARY) not in pickle.dumps(play_round(pair, 0), protocol)


def test_in_no_log():
    stream = io.StringIO()
    logger = logging.getLogger("secrets-test")
    logger.addHandler(logging.StreamHandler(stream))
    pair = seeds()
    logger.warning("dealing with %s and %r", pair, pair.server_seed)
    try:
        verify_record(RoundRecord.from_round(play_round(pair, 0), settle(play_round(pair, 0).coup, {})))
    except BaccaratError:
        logger.exception("not revealed")
    assert "not revealed" in stream.getvalue()
    assert_clean(stream.getvalue())


@pytest.mark.parametrize(
    "call",
    [
        lambda secret: ServerSeed.parse(secret.upper()),
        lambda secret: ServerSeed.parse(secret + "\n"),
        ServerSeed,
        lambda secret: Seeds(secret.upper(), "lucky", "00" * 32),
        lambda secret: Seeds(secret, "lucky", "00" * 32),
        lambda secret: Seeds(secret, " lucky", "00" * 32),
        lambda secret: Seeds(secret, "lucky", "00" * 31),
        lambda secret: Seeds(str(seeds().commitment), "lucky", secret),
        lambda secret: Seeds("lucky", secret, str(seeds().commitment)),
        lambda secret: Seeds.commit(secret.upper(), "lucky"),
        lambda secret: Seeds.commit(secret, "lucky", 9),
        lambda secret: RoundRecord.model_validate({"server_seed": secret.upper()}),
    ],
)
def test_in_no_error_and_in_no_traceback_of_ours(call):
    """Not even in a traceback that shows local variables, as far as the frames are the package's own."""
    with pytest.raises(BaccaratError) as caught:
        call(CANARY)
    error = caught.value
    assert_clean(str(error) + repr(error) + repr(error.args) + repr(vars(error)))
    assert_clean("".join(traceback.format_exception(error)))
    shown = traceback.TracebackException.from_exception(error, capture_locals=True)
    for frame in shown.stack:
        if "provably_fair_baccarat" in frame.filename and "records" not in frame.filename:
            assert_clean(repr(frame.locals))
    assert error.__cause__ is None
    if error.__context__ is not None:
        assert_clean(str(error.__context__) + repr(getattr(error.__context__, "errors", list)()))


def test_a_known_seed_is_told_only_when_asked():
    assert ServerSeed.parse(CANARY).reveal() == CANARY
    record = RoundRecord.from_round(play_round(seeds(), 0), settle(play_round(seeds(), 0).coup, {}), server_seed=seeds().server_seed)
    assert record.server_seed == CANARY
