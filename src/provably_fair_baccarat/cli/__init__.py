"""The command line `pfb`: parse, call one function, print."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import typer

from ..errors import BaccaratError
from .app import GROUPS, app, name_called
from .failures import BAD_INPUT, BROKEN_PIPE, INTERRUPTED, OK, Failure, UsageError
from .screen import ERR, prepare_streams, silence_output

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["run"]


def run(arguments: Sequence[str] | None = None) -> int:
    """Run `pfb` with these arguments, or those of the process, and return its exit code; no error that a person can cause goes further."""
    prepare_streams()
    try:
        code = _run(list(sys.argv[1:] if arguments is None else arguments) or ["--help"])
        sys.stdout.flush()
    except KeyboardInterrupt:
        ERR.print("\npfb: interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        silence_output()
        return BROKEN_PIPE
    except OSError as error:
        silence_output()
        with suppress(OSError):
            ERR.print(f"pfb: standard output: {error.strerror}")
        return BAD_INPUT
    return code


def _run(words: list[str]) -> int:
    as_json = "--json" in words
    if len(words) == 1 and words[0] in GROUPS:
        words = [*words, "--help"]
    try:
        with typer.main.get_command(app).make_context("pfb", words) as context:
            return context.command.invoke(context) or OK
    except typer.Exit as done:
        return done.exit_code
    except BrokenPipeError:
        raise
    except BaccaratError as error:
        return Failure.of(error).report(as_json=as_json)
    except UsageError as error:
        return Failure.of_usage(error, name_called(words)).report(as_json=as_json)
    except OSError as error:
        return Failure.of_file(error).report(as_json=as_json)
    except Exception as error:  # noqa: BLE001 (a fault of this program must not look like a failed verification)
        return Failure.of_defect(error).report(as_json=as_json)
