"""What an operator that signs publishes: a stranger gets the keys and the log over HTTP, and believes nothing that doesn't verify."""

from __future__ import annotations

import hashlib

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from provably_fair_baccarat.receipts import KeySet, PrivateKey, VerificationKey
from provably_fair_baccarat.receipts.log import LogEntry, LogWriter, NoteKey, TileLog, read_checkpoint
from provably_fair_baccarat.receipts.log.merkle import hash_leaf
from provably_fair_baccarat.receipts.log.tiles import Tile, TiledTree, read_bundle

SECRET = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
PRIVATE = PrivateKey(SECRET, VerificationKey(SECRET.public_key().public_bytes_raw(), 0))
KEY = NoteKey("casino.example/log", PRIVATE.public.raw)
SIZE = 600


def entry(number):
    return LogEntry("acceptance", hashlib.sha256(b"pair").hexdigest(), number, hashlib.sha256(b"%d" % number).hexdigest()).to_json()


@pytest.fixture
def writer(tmp_path):
    with LogWriter(tmp_path / "log", KEY, PRIVATE) as opened:
        opened.append([entry(number) for number in range(SIZE)])
        yield opened


@pytest.fixture
def stranger(start, house, writer, tmp_path):
    return start(house, keys=KeySet([PRIVATE.public]), log=TileLog(tmp_path / "log", KEY))("")


def test_the_keys_are_a_jwk_set(stranger):
    published = stranger.get("/keys")
    assert published.headers["content-type"] == "application/jwk-set+json"
    assert KeySet.parse_jwks(published.content) == KeySet([PRIVATE.public])


def test_keys_may_be_given_by_a_function(start, house):
    keys = [KeySet([PRIVATE.public])]
    stranger = start(house, keys=lambda: keys[0])("")
    assert len(stranger.get("/keys").json()["keys"]) == 1
    other = Ed25519PrivateKey.from_private_bytes(bytes(range(1, 33))).public_key().public_bytes_raw()
    keys[0] = KeySet([PRIVATE.public, VerificationKey(other, 5)])
    assert len(stranger.get("/keys").json()["keys"]) == 2


def test_the_log_is_read_and_proved_from_outside(stranger, writer):
    told = stranger.get("/log/checkpoint")
    assert told.headers["content-type"] == "text/plain; charset=utf-8"
    checkpoint = read_checkpoint(told.text, KEY)
    assert checkpoint.size == SIZE

    def read(tile):
        answer = stranger.get(f"/log/{tile.path}")
        assert answer.status_code == 200, tile.path
        assert "immutable" in answer.headers["cache-control"]
        return answer.content

    tree = TiledTree(checkpoint.size, read)
    assert tree.root() == checkpoint.root
    last = read_bundle(read(Tile(-1, SIZE // 256, SIZE % 256)), SIZE % 256)[-1]
    assert last == entry(SIZE - 1)
    assert hash_leaf(last) == read(Tile(0, SIZE // 256, SIZE % 256))[-32:]
    writer.append([entry(SIZE)])
    assert read_checkpoint(stranger.get("/log/checkpoint").text, KEY).size == SIZE + 1


def test_a_partial_tile_is_as_wide_as_it_was_asked_for(stranger):
    assert len(stranger.get("/log/tile/0/000.p/7").content) == 7 * 32
    assert len(read_bundle(stranger.get("/log/tile/entries/000.p/7").content, 7)) == 7
    assert len(stranger.get("/log/tile/0/000").content) == 256 * 32


@pytest.mark.parametrize(
    "path",
    [
        *(
            "0/003",
            "0/002",
            "1/001",
            "64/000",
            "00/000",
            "0/0",
            "0/0000",
            "0/x000/000",
            "0/000.p/0",
            "0/000.p/256",
            "0/000.p/07",
            "0/000.p/300",
        ),
        *("entries/", "entry/000", "0/000/", "%2e%2e/checkpoint", "0/%2e%2e/%2e%2e/lock", "0%2f..%2f..%2fcheckpoint", "0/٠٠٠"),
    ],
)
def test_what_is_no_tile_is_not_there(stranger, path):
    answer = stranger.get(f"/log/tile/{path}")
    assert answer.status_code == 404
    assert "tmp" not in answer.text


def test_who_signs_nothing_publishes_nothing(ann):
    for path in ("/keys", "/log/checkpoint", "/log/tile/0/000"):
        assert ann.get(path).status_code == 404


def test_a_log_that_was_changed_is_not_published(start, house, writer, tmp_path):
    stranger = start(house, log=TileLog(tmp_path / "log", KEY))("")
    path = tmp_path / "log" / "checkpoint"
    path.write_bytes(path.read_bytes().replace(b"\n600\n", b"\n601\n"))
    answer = stranger.get("/log/checkpoint")
    assert (answer.status_code, answer.json()["code"]) == (500, "verification.log.checkpoint")
    assert answer.json()["found"] is None
