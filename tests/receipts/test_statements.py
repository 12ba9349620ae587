"""Signed statements: known answers, every way to be wrong, and an independent library for both directions."""

from __future__ import annotations

import copy
import json
import os
import pickle
import traceback
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from provably_fair_baccarat import PUNTO_BANCO, Commitment
from provably_fair_baccarat.errors import (
    BeaconError,
    SecretError,
    SigningKeyError,
    StatementError,
    StatementFormError,
    StatementKindError,
)
from provably_fair_baccarat.receipts import (
    AcceptanceStatement,
    BeaconRound,
    KeySet,
    LogPromise,
    OpeningStatement,
    PrivateKey,
    Signer,
    VerificationKey,
    key_file,
    new_key_file,
    read_key_file,
    read_statement,
    rotate_key_file,
    round_at,
)
from provably_fair_baccarat.receipts.base64url import decode, encode
from provably_fair_baccarat.receipts.jws import MAX_STATEMENT_CHARACTERS
from provably_fair_baccarat.receipts.log import LogWriter, NoteKey

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)
PACKAGE = Path(key_file.__file__).parents[1]


@pytest.fixture(scope="module")
def known(vectors):
    return vectors("receipts")


@pytest.fixture(scope="module")
def keys(known):
    return KeySet.from_dict(known["jwks"])


@pytest.fixture(scope="module")
def signer(known):
    secrets = [Ed25519PrivateKey.from_private_bytes(bytes.fromhex(secret)) for secret in known["secret_keys"][:2]]
    times = [(key["nbf"], key.get("exp")) for key in known["jwks"]["keys"]]
    return Signer(PrivateKey(secret, VerificationKey(public(secret), *time)) for secret, time in zip(secrets, times, strict=True))


def public(secret):
    return secret.public_key().public_bytes_raw()


def test_a_vector_file_has_nothing_that_nobody_looks_at(known):
    assert known.keys() == {"about", "secret_keys", "jwks", "valid", "invalid", "invalid_keys", "beacons"}


def test_statements_of_another_program_are_read(known, keys):
    for case in known["valid"]:
        assert case.keys() == {"name", "kind", "statement", "payload", "digest", "entry"}
        signed = read_statement(case["statement"], keys)
        assert (signed.statement.kind, signed.digest) == (case["kind"], case["digest"]), case["name"]
        assert signed.statement.to_json().decode() == case["payload"]
        assert signed.entry.to_json().decode() == case["entry"]
        assert read_statement(case["statement"], keys, case["kind"]) == signed
        other = next(kind for kind in ("opening", "closing") if kind != case["kind"])
        with pytest.raises(StatementKindError):
            read_statement(case["statement"], keys, other)
        assert pickle.loads(pickle.dumps(signed.statement)) == signed.statement
        assert hash(pickle.loads(pickle.dumps(signed.statement))) == hash(signed.statement)


def test_the_same_statements_are_written_to_the_last_byte(known, keys, signer):
    for case in known["valid"]:
        assert signer.sign(read_statement(case["statement"], keys).statement) == case["statement"], case["name"]


def test_what_must_be_refused_is_refused_with_its_code(known, keys):
    assert len({case["name"] for case in known["invalid"]}) == len(known["invalid"]) > 60
    for case in known["invalid"]:
        assert case.keys() == {"name", "statement", "error"}
        with pytest.raises(StatementError) as refused:
            read_statement(case["statement"], keys)
        assert refused.value.code == case["error"], case["name"]


def test_every_single_character_counts(known, keys):
    """Whatever character of a statement is exchanged or left out, and wherever one is put in, it is another text, and none of the signer's."""
    text = next(case["statement"] for case in known["valid"] if case["kind"] == "closing")
    for place in range(len(text)):
        exchanged = "A" if text[place] != "A" else "B"
        for wrong in (text[:place] + exchanged + text[place + 1 :], text[:place] + text[place + 1 :], text[:place] + "A" + text[place:]):
            if wrong != text:
                with pytest.raises(StatementError):
                    read_statement(wrong, keys)


def test_base64url_has_one_spelling_for_all_bytes():
    """What a lenient reader drops or ignores would let anybody make a second text of a statement."""
    for size in range(70):
        data = bytes(range(200, 200 + size)) if size < 56 else b"\xff\xfb" * (size // 2)
        text = encode(data)
        assert decode(text) == data
        wrong = [
            text + "=",
            text + "A" * (-len(text) % 4 + 1),
            f"{text}!!!!",
            f"!!!!{text}",
            f"{text}\n",
            f" {text}",
            f"{text}AAA\u00e9",
            f"{text}====",
        ]
        wrong += [text.replace(ours, theirs) for ours, theirs in ("-+", "_/") if ours in text]
        assert [each for each in wrong if decode(each) == data] == []
        assert [each for each in wrong if set(each) & set("=!+/ \n\u00e9") and decode(each) is not None] == []


def test_the_longest_payload_is_read_and_no_longer_one(keys, signer):
    texts = [signer.sign(acceptance(bets={f"b{number:063}": "1" for number in range(count)})) for count in (900, 1000)]
    assert len(read_statement(texts[0], keys).statement.bets) == 900
    assert len(texts[1]) < MAX_STATEMENT_CHARACTERS
    with pytest.raises(StatementFormError, match="at most 65,536 bytes"):
        read_statement(texts[1], keys)


def test_what_is_no_text_or_too_long_is_refused(keys):
    for wrong in (None, b"a.b.c", 3, "a" * (MAX_STATEMENT_CHARACTERS + 1), "é.é.é", "\ud800"):
        with pytest.raises(StatementFormError):
            read_statement(wrong, keys)
    with pytest.raises(SigningKeyError):
        read_statement("a.b.c", {"keys": []})


def test_keys_that_prove_nothing_are_refused(known):
    assert len(known["invalid_keys"]) > 25
    for case in known["invalid_keys"]:
        with pytest.raises(SigningKeyError):
            pytest.fail(f"{case['name']}: {KeySet.from_dict({'keys': [case['jwk']]})}")


def test_a_key_of_small_order_would_sign_everything(known):
    """Why they are refused: `cryptography` itself takes such a key, and one signature of it fits many texts."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    raw = decode(known["invalid_keys"][0]["jwk"]["x"])
    forged = raw + bytes(32)
    for message in (b"the player wins", b"the banker wins"):
        Ed25519PublicKey.from_public_bytes(raw).verify(forged, message)


def test_a_key_set_has_one_spelling_for_each_key(known, keys):
    text = keys.to_jwks()
    assert KeySet.parse_jwks(text) == keys
    assert json.loads(text) == known["jwks"]
    assert pickle.loads(pickle.dumps(keys)) == keys
    assert hash(KeySet.parse_jwks(json.dumps(known["jwks"], indent=2))) == hash(keys)
    jwk = known["jwks"]["keys"][0]
    for wrong in ({"keys": []}, {"keys": [jwk, jwk]}, {"keys": {}}, {"keys": [3]}, {"keys": [jwk], "more": 1}, [], None):
        with pytest.raises(SigningKeyError):
            KeySet.from_dict(wrong)


def test_the_thumbprint_is_that_of_rfc_8037():
    key = VerificationKey(decode("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"), 0)
    assert key.kid == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"


def test_the_key_whose_time_it_is_signs(signer, keys):
    statement = acceptance(time=datetime(2026, 6, 30, 23, 59, 59, 999999, tzinfo=UTC))
    old, new = sorted(keys.keys.values(), key=lambda key: key.not_before)
    assert read_statement(signer.sign(statement), keys).key == old
    assert read_statement(signer.sign(acceptance(time=datetime(2026, 7, 1, tzinfo=UTC))), keys).key == new
    with pytest.raises(SigningKeyError, match="none"):
        signer.sign(acceptance(time=datetime(2025, 12, 31, 23, 59, 59, tzinfo=UTC)))


def test_private_keys_stay_where_they_are(known, signer, tmp_path):
    key = new_key_file(tmp_path / "keys", NOW)
    secret = key.reveal_bytes()
    told = [repr(key), str(key), f"{key}", repr(signer), str(signer), repr(vars(type(signer)))]
    assert not any(secret.hex() in text or repr(secret) in text or known["secret_keys"][0] in text for text in told)
    public = NoteKey("casino.example/log", key.public.raw)
    with LogWriter(tmp_path / "log", public, key) as log:
        assert secret.hex() not in repr(log)
        with pytest.raises(SecretError):
            pickle.dumps(log)
    for value in (key, signer):
        with pytest.raises(SecretError):
            pickle.dumps(value)
        with pytest.raises(SecretError):
            value.__getstate__()
        assert copy.copy(value) is copy.deepcopy(value) is value
        with pytest.raises(AttributeError):
            value.public = None
    (tmp_path / "keys").write_text(f"2026-01-01T00:00:00Z - {secret.hex()[:-1]}g\n")
    with pytest.raises(SigningKeyError) as refused:
        read_key_file(tmp_path / "keys")
    assert secret.hex()[:16] not in str(refused.value)


def test_a_key_file_is_its_owners_alone_and_rotates(tmp_path):
    path = tmp_path / "signing.keys"
    first = new_key_file(path, NOW)
    assert path.stat().st_mode & 0o777 == 0o600
    with pytest.raises(SigningKeyError):
        new_key_file(path, NOW)
    second = rotate_key_file(path, NOW + timedelta(days=30))
    assert path.stat().st_mode & 0o777 == 0o600
    assert [key.public.kid for key in read_key_file(path)] == [first.public.kid, second.public.kid]
    keys = Signer.from_key_file(path).key_set.keys
    assert keys[first.public.kid].not_after == keys[second.public.kid].not_before
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(SigningKeyError):
        rotate_key_file(path, NOW - timedelta(days=1))
    with pytest.raises(SigningKeyError):
        rotate_key_file(path, NOW.replace(tzinfo=None))


@pytest.mark.parametrize(
    "text", ["", "# nothing\n", "a b c\n", f"2026-01-01T00:00:00Z {'00' * 32}\n", f"2026-01-01 - {'00' * 32}\n", "é\n"]
)
def test_what_is_no_key_file_is_refused(tmp_path, text):
    (tmp_path / "keys").write_text(text, encoding="utf-8")
    with pytest.raises(SigningKeyError):
        read_key_file(tmp_path / "keys")
    with pytest.raises(SigningKeyError, match="no such file"):
        read_key_file(tmp_path / "none")
    with pytest.raises(SigningKeyError, match="Is a directory"):
        read_key_file(tmp_path)


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("2026-11-29T12:00:00Z 2026-11-28T12:00:00Z {}", "line 2, time of a key: expected an end after its beginning"),
        ("1969-11-29T12:00:00Z - {}", "line 2, nbf of a key"),
        ("2026-1-9T1:0:0Z - {}", "line 2: expected times like 2026-11-29T12:00:00Z"),
        ("2026-11-29T12:00:00Z {}", "line 2: expected two times and 64 hex digits"),
    ],
)
def test_a_line_that_is_refused_is_named_and_its_key_stays_out_of_the_traceback(tmp_path, line, what):
    """Programs that report errors send local variables along."""
    (tmp_path / "keys").write_text(f"# keys\n{line.format('ab' * 32)}\n")
    with pytest.raises(SigningKeyError, match=what) as refused:
        read_key_file(tmp_path / "keys")
    frames = [frame for frame, _ in traceback.walk_tb(refused.tb) if frame.f_code.co_filename.startswith(str(PACKAGE))]
    assert len(frames) >= 1
    assert not [name for frame in frames for name, value in frame.f_locals.items() if "ab" * 32 in repr(value)]


def test_a_key_file_that_cannot_be_written_whole_is_not_there(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "fsync", full_disk)
    with pytest.raises(SigningKeyError):
        new_key_file(tmp_path / "keys", NOW)
    assert not list(tmp_path.iterdir())


def full_disk(_):
    raise OSError(28, "No space left on device")


def test_keys_that_are_refused_can_be_shown():
    """A debugger shows the values of a traceback, the half-made ones too."""
    for make in (lambda: VerificationKey(bytes(32), 0), lambda: NoteKey("a b", bytes(32)), lambda: NoteKey("a", bytes(32), "judge")):
        with pytest.raises(SigningKeyError) as refused:
            make()
        assert all(repr(value) for frame, _ in traceback.walk_tb(refused.tb) for name, value in frame.f_locals.items() if name == "self")


def test_a_private_key_has_its_own_public_one(known, keys):
    secret = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(known["secret_keys"][2]))
    with pytest.raises(SigningKeyError, match="private key"):
        PrivateKey(secret, next(iter(keys.keys.values())))


def test_the_last_microsecond_of_a_key_is_its_own(known):
    """In the year 9999 a float has no room for it, and would round it up to the key's end."""
    secret = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(known["secret_keys"][0]))
    last = datetime(9999, 12, 31, 23, 59, 58, 999999, tzinfo=UTC)
    signer = Signer(
        [PrivateKey(secret, VerificationKey(public(secret), 0, int(datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC).timestamp())))]
    )
    text = signer.sign(acceptance(time=last))
    assert read_statement(text, signer.key_set).statement.time == last
    with pytest.raises(SigningKeyError):
        signer.sign(acceptance(time=last + timedelta(microseconds=1)))


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda: BeaconRound(chain="00", round=1), BeaconError),
        (lambda: BeaconRound(chain="00" * 32, round=0), BeaconError),
        (lambda: LogPromise(key="no key", maximum_delay=1), StatementFormError),
        (lambda: acceptance(log={"key": "no key", "maximum_delay": 1}), StatementFormError),
        (lambda: acceptance(time=datetime(2026, 11, 29)), StatementFormError),
        (lambda: round_at(0, 0, 0), BeaconError),
    ],
)
def test_what_is_no_part_of_a_statement_is_refused_in_our_words(make, error):
    with pytest.raises(error):
        make()


def test_an_independent_library_checks_ours_and_we_check_its(known, keys, signer):
    pytest.importorskip("joserfc", reason="needs joserfc")
    from joserfc import jws
    from joserfc.jwk import OKPKey
    from joserfc.jws import JWSRegistry

    registry = JWSRegistry(algorithms=["Ed25519"])
    statement = acceptance()
    text = signer.sign(statement)
    kid = read_statement(text, keys).key.kid
    jwk = next(key for key in json.loads(keys.to_jwks())["keys"] if key["kid"] == kid)
    theirs = OKPKey.import_key({name: jwk[name] for name in ("kty", "crv", "x")})
    opened = jws.deserialize_compact(text, theirs, registry=registry)
    assert opened.payload == statement.to_json()
    assert opened.protected == {"alg": "Ed25519", "kid": kid, "typ": "pfb-acceptance+jws"}
    assert theirs.thumbprint() == kid

    secret = OKPKey.import_key({"kty": "OKP", "crv": "Ed25519", "x": jwk["x"], "d": encode(bytes.fromhex(known["secret_keys"][1]))})
    made = jws.serialize_compact(
        {"alg": "Ed25519", "kid": kid, "typ": "pfb-acceptance+jws"}, statement.to_json(), secret, registry=registry
    )
    assert made == text
    assert read_statement(made, keys).statement == statement


TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=128)


@given(
    st.fixed_dictionaries(
        {
            "bettor": TEXTS,
            "key": TEXTS,
            "nonce": st.integers(0, 2**53 - 1),
            "bets": st.integers(1, 10**38 - 1).map(lambda stake: {"tie": str(stake)}),
            "time": st.datetimes(datetime(2026, 7, 1), datetime(2199, 1, 1), timezones=st.just(UTC)),
        }
    )
)
def test_what_is_signed_is_read(signer, keys, drawn):
    statement = acceptance(**drawn)
    assert read_statement(signer.sign(statement), keys).statement == statement


@pytest.mark.parametrize(
    "change",
    [
        {"bettor": "a\nb"},
        {"bettor": ""},
        {"bettor": "a" * 129},
        {"nonce": -1},
        {"bets": {}},
        {"bets": {"Tie": "1"}},
        {"time": datetime(2026, 11, 29)},
        {"client_seed_made_by": "nobody"},
        {"log": {"key": "no key", "maximum_delay": 1}},
        {"nothing": 1},
    ],
)
def test_there_are_no_wrong_statements(change):
    with pytest.raises(StatementFormError, match="acceptance"):
        acceptance(**change)


def acceptance(**change):
    members = {
        "time": NOW,
        "bettor": "Zoë",
        "commitment": Commitment(bytes(32)),
        "nonce": 14,
        "client_seed": "lucky 8s",
        "client_seed_made_by": "bettor",
        "bets": {"banker": "333"},
        "key": "bet 1",
        "pay_table_digest": PUNTO_BANCO.digest,
        "dealt": False,
        "log": None,
    }
    return AcceptanceStatement.make(**{**members, **change})


def test_an_opening_says_which_one_it_is():
    members = {
        "time": NOW, "bettor": "Zoë", "scheme": "pfb1", "label": "pfb1:8", "decks": 8, "commitment": Commitment(bytes(32)), "chain": None,
        "pay_table_digest": PUNTO_BANCO.digest, "cap": 10, "currency": None, "number": 0, "previous": None, "beacon": None, "log": None,
    }  # fmt: skip
    assert OpeningStatement.make(**members).coup is None
    with pytest.raises(StatementFormError, match="previous"):
        OpeningStatement.make(**{**members, "number": 1})
