"""The policy of the bettor's page: its own scripts and style run, by their hashes, and nothing is loaded."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from typing import Final

_POLICY: Final = (
    "default-src 'none'; script-src {scripts}; style-src {styles}; worker-src blob:; img-src data:; base-uri 'none'; form-action 'none'; "
    "require-trusted-types-for 'script'; trusted-types worker"
)
_META: Final = re.compile(r'(<meta http-equiv="Content-Security-Policy" content=")[^"]*(")')


def policy_of(text: str) -> str:
    """The Content-Security-Policy under which this page's own scripts and style run, and nothing else."""
    scripts, styles = (
        " ".join(f"'sha256-{b64encode(sha256(code.encode()).digest()).decode()}'" for code in _inner(text, tag))
        for tag in ("script", "style")
    )
    return _POLICY.format(scripts=scripts, styles=styles)


def with_policy(text: str) -> str:
    """The page with its policy written anew. Who changes a page needs this: a browser runs no script whose hash is wrong."""
    return _META.sub(lambda found: f"{found[1]}{policy_of(text)}{found[2]}", text)


def _inner(text: str, tag: str) -> list[str]:
    """What stands in each element of that name, as a browser hashes it."""
    return re.findall(rf"<{tag}(?: [^>]*)?>(.*?)</{tag}>", text, re.DOTALL)
