"""`python -m provably_fair_baccarat`, and the command `pfb`."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line, or say what to install where it is missing."""
    try:
        from .cli import run  # noqa: PLC0415 (only here is it known whether the extra is installed)
    except ModuleNotFoundError as error:
        if error.name not in ("typer", "rich"):
            raise
        sys.exit(_without_extra(error.name))
    sys.exit(run())


def _without_extra(module: str) -> int:
    sys.stderr.write(f"pfb needs {module}: install it with  pip install 'provably-fair-baccarat[cli]'\n")
    return 2


if __name__ == "__main__":
    main()
