"""A house behind HTTP: a FastAPI router for a backend to mount, with a live feed, the verifier page, and a table to play at.

    from provably_fair_baccarat.web import router

    app.include_router(router(house, current_bettor=logged_in), prefix="/baccarat")

The backend says who the bettor is; this room never does. It knows what may be asked and how it is answered, and leaves seeds, money and
rules to the house. FastAPI, the extra `web`, is loaded when the router is asked for.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .feed import Feed
    from .routing import router

__all__ = ["Feed", "router"]


def __getattr__(name: str) -> Any:
    """`router` and `Feed`, which are loaded when they are asked for: they need the extra `web`."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        from . import feed, routing  # noqa: PLC0415 (FastAPI is an extra)
    except ModuleNotFoundError as missing:
        if missing.name not in ("fastapi", "starlette"):
            raise
        raise ImportError("The router needs an extra: pip install 'provably-fair-baccarat[web]'", name="fastapi") from missing
    return {"Feed": feed.Feed, "router": routing.router}[name]
