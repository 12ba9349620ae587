"""What an operator that signs publishes for everybody: its public keys, and its log in C2SP's tiles."""

import re
from collections.abc import Callable, Mapping
from typing import TypeAlias

from fastapi import APIRouter, Response

from ...canonical import Json
from ...errors import LogStoreError, NotFoundError, RequestError, describe
from ...receipts import KeySet
from ...receipts.log import TileLog
from ...receipts.log.tiles import WIDTH, Tile, read_bundle, write_bundle
from ..answers import GUARDED, PUBLIC
from ..operations import problem_answers
from ..teller import Teller

Keys: TypeAlias = KeySet | Callable[[], KeySet]
"""The public keys, or a function that gives those of now."""

Log: TypeAlias = TileLog | Callable[[], TileLog]
"""The log, or a function that gives it, for a backend that opens it later."""

JWK_SET = "application/jwk-set+json"

_TILE = re.compile(r"(entries|[0-9]|[1-5][0-9]|6[0-3])/((?:x[0-9]{3}/)*)([0-9]{3})(?:\.p/([1-9][0-9]{0,2}))?", re.ASCII)
_KEY: Mapping[str, Json] = {
    "alg": "Ed25519",
    "crv": "Ed25519",
    "exp": 1798761600,
    "kid": "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
    "kty": "OKP",
    "nbf": 1767225600,
    "use": "sig",
    "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
}
_CHECKPOINT = "casino.example/log\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n— casino.example/log ...\n"


def present_keys(keys: Keys) -> KeySet:
    """The public keys of now."""
    return keys if isinstance(keys, KeySet) else keys()


def present_log(log: Log) -> TileLog:
    """The log that is open now."""
    return log if isinstance(log, TileLog) else log()


def add_keys(routes: APIRouter, keys: Keys) -> None:
    """Add the endpoint of the public keys."""

    @routes.get(
        "/keys",
        operation_id="getPublicKeys",
        summary="The operator's public keys",
        response_class=Response,
        responses={
            200: {
                "description": "A JWK set (RFC 7517), the present key and all earlier ones.",
                "content": {JWK_SET: {"schema": {"type": "object"}, "example": {"keys": [_KEY]}}},
            },
            **problem_answers(()),
        },
    )
    async def get_public_keys() -> Response:
        """With these anybody verifies what the operator has signed."""
        return Response(present_keys(keys).to_jwks(), headers=PUBLIC, media_type=JWK_SET)


def add_log(routes: APIRouter, log: Log, teller: Teller) -> None:
    """Add the endpoints of the log, below `/log`: it is published in the layout of C2SP tlog-tiles."""

    @routes.get(
        "/log/checkpoint",
        operation_id="getLogCheckpoint",
        summary="The log's checkpoint",
        response_class=Response,
        responses={
            200: {
                "description": "A signed note (C2SP): origin, size and root of the log, and the signatures.",
                "content": {"text/plain; charset=utf-8": {"schema": {"type": "string"}, "example": _CHECKPOINT}},
            },
            **problem_answers(()),
        },
    )
    async def get_log_checkpoint() -> Response:
        """The checkpoint as it is now."""
        checkpoint = await teller.ask(present_log(log).read_checkpoint)
        headers = {"Cache-Control": "no-cache", **GUARDED}
        return Response(checkpoint.text, headers=headers, media_type="text/plain; charset=utf-8")

    @routes.get(
        "/log/tile/{path:path}",
        operation_id="getLogTile",
        summary="A tile of the log",
        response_class=Response,
        responses={
            200: {
                "description": "Hashes of 32 bytes, or entries, each behind its length in two bytes.",
                "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
            },
            **problem_answers((NotFoundError, RequestError)),
        },
    )
    async def get_log_tile(path: str) -> Response:
        """Level and number, like `0/x001/234`, or `entries` in place of the level; partial tiles end with `.p/` and their width."""
        try:
            content = await teller.ask(_read, present_log(log), _parse(path))
        except LogStoreError:
            raise NotFoundError("tile of the log", "one that is there", describe(path)) from None
        headers = {"Cache-Control": "public, max-age=31536000, immutable", **GUARDED}
        return Response(content, headers=headers, media_type="application/octet-stream")


def _read(log: TileLog, tile: Tile) -> bytes:
    """A tile as it is asked for, even where a wider one has taken its place."""
    data = log.read_tile(tile)
    if tile.level < 0:
        return write_bundle(read_bundle(data, tile.width)) if tile.width < WIDTH else data
    if len(data) < 32 * tile.width:
        raise LogStoreError("tile of the log", f"{tile.width} hashes", f"{len(data)} bytes")
    return data[: 32 * tile.width]


def _parse(path: str) -> Tile:
    """A tile by its path. There is one spelling for each, and no way out of the log's folder."""
    match = _TILE.fullmatch(path)
    if match is not None:
        level, higher, last, width = match.groups()
        number = int("".join(part[1:] for part in higher.split("/")) + last)
        tile = Tile(-1 if level == "entries" else int(level), number, WIDTH if width is None else int(width))
        if tile.path == f"tile/{path}" and tile.width <= WIDTH:
            return tile
    raise NotFoundError("tile of the log", "a level and a number, like 0/x001/234", describe(path))
