"""Pages: files that are read once, and served with a policy under which nothing but they themselves is loaded."""

from __future__ import annotations

from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from fastapi import APIRouter, Request, Response

from .answers import GUARDED
from .operations import problem_answers
from .page import PAGE_NAME, read_page
from .page.policy import policy_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

TABLE_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)
"""What the table's page may load: its own files, and the house's answers."""

MEDIA_TYPES: Final = {"html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}

TABLE_FILES: Final = ("index.html", "table.css", "table.js", "asking.js", "proof.js", "view.js", "icon.svg")


def read_table() -> Mapping[str, bytes]:
    """The files of the table's page, by their names."""
    folder = files("provably_fair_baccarat.web").joinpath("table")
    return {name: folder.joinpath(name).read_bytes() for name in TABLE_FILES}


def add_verifier(routes: APIRouter) -> None:
    """Add the bettor's page, which verifies rounds in the browser and asks nobody for anything."""
    page = read_page()
    show = shows(page, "text/html", f"{policy_of(page.decode())}; frame-ancestors 'none'")

    @routes.get(
        f"/{PAGE_NAME}",
        operation_id="getVerifier",
        summary="The page that verifies in the browser",
        response_class=Response,
        responses={
            200: {"description": "One HTML file with everything in it.", "content": {"text/html": {"schema": {"type": "string"}}}},
            304: {"description": "The browser has it already."},
            **problem_answers(()),
        },
    )
    async def get_verifier(request: Request) -> Response:
        """The verifier for bettors. A round may stand behind `#` in its address; that part goes to no server."""
        return show(request)


def shows(content: bytes, media_type: str, policy: str) -> Callable[[Request], Response]:
    """A function that answers a request with a file, or tells a browser that it has the file already."""
    headers = {
        **GUARDED,
        "Cache-Control": "no-cache",
        "Content-Security-Policy": policy,
        "Cross-Origin-Opener-Policy": "same-origin",
        "ETag": f'"{sha256(content).hexdigest()[:32]}"',
    }

    def show(request: Request) -> Response:
        if request.headers.get("if-none-match") == headers["ETag"]:
            return Response(status_code=304, headers=headers)
        return Response(content, headers=headers, media_type=media_type)

    return show


def add_file(routes: APIRouter, path: str, content: bytes, policy: str) -> None:
    """Serve a file under a path, which ends as its media type says."""
    show = shows(content, MEDIA_TYPES[path.rpartition(".")[2]], policy)

    @routes.get(path, include_in_schema=False)
    async def get_file(request: Request) -> Response:
        return show(request)
