"""`pfb verify`: replay rounds from their revealed seeds and say what that proves."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from io import BufferedReader
from typing import Annotated, TypeVar

import typer
from rich.text import Text

from ...errors import BaccaratError, RecordError, SeedTextError
from ...fairness.chain import Chain
from ...fairness.inputs import MAX_DECKS
from ...fairness.schemes import SCHEMES, scheme_named
from ...fairness.schemes.pfb1 import PFB1
from ...fairness.seed_pair import Seeds
from ...records import RoundRecord
from ...rules.pay_table import PayTable
from ...verify import VerifiedRound, verify_record, verify_round
from ..failures import BAD_INPUT, FAILED, OK, Failure, misused
from ..files import input_name, open_input, record_texts
from ..options import Json, LogKeyOption, PayTableOption, Witnesses, read_decks, read_index, read_nonce, read_scheme
from ..proof_view import GuaranteeCount, Series, checks_view, guarantees_view, verified_json, verified_text
from ..screen import ERR, at_work, show, with_progress, write_json
from ..signed import HISTORY_START, history_json, is_history_file, read_key_set, read_note_keys, read_text, show_history

EXAMPLES = """\b
Examples:
  pfb verify pfb-demo-3e2d8157.jsonl
  pfb verify rounds.jsonl --commitment 3e2d8157...    compare with what you kept
  pfb verify ann.jsonl --keys jwks.json    a whole history, against the keys that the operator publishes
  pfb verify --server-seed 1f0c... --client-seed "lucky 8s" --commitment 3e2d... --nonce 0
  ssh casino cat rounds.jsonl | pfb verify - --pay-table offer.toml --json

\b
Exit codes: 0 all verified, 1 a round failed, 2 something is no record or cannot be read.
"""

_Kept = TypeVar("_Kept")
_Recorded = TypeVar("_Recorded")


def verify(
    *,
    files: Annotated[list[str] | None, typer.Argument(metavar="FILE", help="Records, a JSON line each.", show_default=False)] = None,
    server_seed: Annotated[str | None, typer.Option(metavar="HEX", help="The revealed server seed.")] = None,
    client_seed: Annotated[str | None, typer.Option(metavar="TEXT", help="The client seed, exactly as it was.")] = None,
    commitment: Annotated[str | None, typer.Option(metavar="HEX", help="The commitment that was shown before the client seed.")] = None,
    nonce: Annotated[int | None, typer.Option(parser=read_nonce, metavar="N", help="The number of the round, from 0.")] = None,
    decks: Annotated[
        int | None,
        typer.Option(parser=read_decks, metavar="1-8", help="The decks of the shoe; without a record 8 unless given.", show_default=False),
    ] = None,
    scheme: Annotated[
        str | None,
        typer.Option(
            parser=read_scheme, metavar="NAME", help=f"{', '.join(SCHEMES)}; without a record pfb1 unless given.", show_default=False
        ),
    ] = None,
    index: Annotated[int | None, typer.Option(parser=read_index, metavar="K", help="With pfb1-shoe, the coup of the shoe, from 0.")] = None,
    anchor: Annotated[str | None, typer.Option(metavar="HEX", help="With pfb1-chain, the anchor of the seed chain.")] = None,
    length: Annotated[int | None, typer.Option(metavar="N", help="With pfb1-chain, how many coups the chain serves.")] = None,
    pay_table: PayTableOption = None,
    keys: Annotated[
        str | None, typer.Option(metavar="FILE", help="With a history file, the keys that the operator publishes.", show_default=False)
    ] = None,
    log_key: LogKeyOption = None,
    checkpoint: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="With a history file, a checkpoint of the log had from elsewhere.", show_default=False),
    ] = None,
    witness: Witnesses = None,
    json: Json = False,
) -> int:
    """Verify rounds from records, one from its seeds, or a bettor's whole history.

    A history file, as pfb prove writes it, is recognised and stands alone. FILE is - for standard input. A file holds one record, or a
    record on each line. What you give as options is what you kept yourself: each record must agree with it, and what you do not give is
    taken from the record. Without a file, the options are the round.

    After a record that fails, the rest is verified all the same. With --json, prints a line for each record, then one with the summary.
    """
    known = History(keys, log_key, checkpoint or [], witness)
    if files and known.is_asked(files):
        if any(value is not None for value in (server_seed, client_seed, commitment, nonce, decks, scheme, index, anchor, length)):
            raise misused("A history file has its seeds in it: give --keys, --log-key, --checkpoint, --witness or --pay-table.")
        return known.verify(files, pay_table, as_json=json)
    if known != History(None, None, [], None):
        raise misused("--keys, --log-key, --checkpoint and --witness go with a history file.")
    kept = Kept(server_seed, client_seed, commitment, nonce, index, decks, scheme, _read_chain(anchor, length), pay_table)
    return _verify_files(files, kept, as_json=json) if files else _verify_options(kept, as_json=json)


@dataclass(frozen=True, slots=True)
class Kept:
    """What somebody knows of a round apart from its record; None where that is taken from the record, or has its default."""

    server_seed: str | None
    client_seed: str | None
    commitment: str | None
    nonce: int | None
    index: int | None
    decks: int | None
    scheme: str | None
    chain: Chain | None
    pay_table: PayTable | None

    def verify(self, record: RoundRecord) -> VerifiedRound:
        """Verify a record against all that is kept."""
        server_seed = _first(self.server_seed, record.server_seed)
        if server_seed is None:
            return verify_record(record, pay_table=self.pay_table)  # which says that it is not revealed
        seeds = Seeds(
            server_seed,
            _first(self.client_seed, record.client_seed),
            _first(self.commitment, record.commitment),
            _first(self.decks, record.decks) or MAX_DECKS,
            scheme=_first(self.scheme, record.scheme),
            chain=_first(self.chain, None if record.chain is None else record.chain.chain()),
        )
        nonce, index = _first(self.nonce, record.nonce), _first(self.index, record.index)
        return verify_round(seeds, nonce, index=index, record=record, pay_table=self.pay_table)

    def verify_alone(self) -> VerifiedRound:
        """Verify the round that the options name, without a record."""
        scheme = scheme_named(_first(self.scheme, PFB1.name))
        needed: dict[str, object] = {"--server-seed": self.server_seed, "--client-seed": self.client_seed}
        if scheme.needs_commitment:
            needed["--commitment"] = self.commitment
        if scheme.has_nonces:
            needed["--nonce"] = self.nonce
        if self.server_seed is None or self.client_seed is None or None in needed.values():
            raise misused(f"Name a FILE, or all of {', '.join(needed)}.")
        if self.pay_table is not None:
            raise misused("A pay table settles the bets of a record: name the record's FILE too.")
        decks = _first(self.decks, MAX_DECKS)
        seeds = Seeds(self.server_seed, self.client_seed, self.commitment, decks, scheme=scheme.name, chain=self.chain)
        return verify_round(seeds, self.nonce, index=self.index)


@dataclass(frozen=True, slots=True)
class History:
    """What somebody has kept to hold a history file against."""

    keys: str | None
    log_key: str | None
    checkpoints: list[str]
    witnesses: list[str] | None

    def is_asked(self, files: list[str]) -> bool:
        """Whether one of the files is a history."""
        for name in files:
            with suppress(OSError), open_input(name) as stream:
                if isinstance(stream, BufferedReader) and is_history_file(stream.peek(len(HISTORY_START))):
                    return True
        return False

    def verify(self, files: list[str], pay_table: PayTable | None, *, as_json: bool) -> int:
        """Verify the one history file."""
        from ...receipts.history import verify_history_file  # noqa: PLC0415 (signatures are loaded by those who look at one)

        if len(files) > 1:
            raise misused("A history file is verified alone.")
        (name,) = files
        keys = None if self.keys is None else read_key_set(self.keys)
        log = None if self.log_key is None else read_note_keys([self.log_key])[0]
        witnesses = None if self.witnesses is None else read_note_keys(self.witnesses)
        texts = [read_text(each) for each in self.checkpoints]
        bets = () if pay_table is None else pay_table.bets
        with open_input(name) as stream, at_work("verifying"):
            history = verify_history_file(stream, keys=keys, log=log, witnesses=witnesses, checkpoints=texts, own_bets=bets)
        if as_json:
            write_json(history_json(history))
        else:
            show_history(history)
        return OK


def _read_chain(anchor: str | None, length: int | None) -> Chain | None:
    if anchor is None and length is None:
        return None
    if anchor is None or length is None:
        raise misused("A seed chain has both --anchor and --length.")
    return Chain(anchor, length)


def _first(kept: _Kept | None, otherwise: _Recorded) -> _Kept | _Recorded:
    return otherwise if kept is None else kept


def _verify_options(kept: Kept, *, as_json: bool) -> int:
    verified = kept.verify_alone()
    if as_json:
        write_json({"verified": True, **verified_json(verified)})
    else:
        _show_round(verified)
        show(verified_text(1))
    return OK


def _verify_files(files: list[str], kept: Kept, *, as_json: bool) -> int:
    guarantees, series = GuaranteeCount(), Series()
    verified = failed = unreadable = 0
    latest: VerifiedRound | None = None
    for place, found in with_progress(_texts(files), "verifying", shown=not as_json):
        result = _result(place, found, kept)
        if isinstance(result, VerifiedRound):
            latest = result
            verified += 1
            guarantees.add(result)
            series.add(result)
            if as_json:
                write_json({"place": place, "verified": True, **verified_json(result)})
        else:
            failed += result.exit_code == FAILED
            unreadable += result.exit_code == BAD_INPUT
            ERR.print(result.to_line(), soft_wrap=True)
            if as_json:
                write_json({"place": place, "verified": False, "error": result.to_dict()})
    if as_json:
        counts = {"verified": verified, "failed": failed, "unreadable": unreadable}
        write_json({"summary": {**counts, "guarantees": guarantees.to_dict(), **series.to_dict()}})
    else:
        if latest is not None and verified + failed + unreadable == 1:
            _show_round(latest)
        elif verified:
            show(guarantees.view(), "", *series.remarks(), "")
        show(verified_text(verified, failed, unreadable))
    return FAILED if failed else BAD_INPUT if unreadable else OK


def _texts(files: list[str]) -> Iterator[tuple[str, bytes | Exception]]:
    """Every text that should be a record, with its place; or why there is none."""
    for name in files:
        place = input_name(name)
        number = 0
        try:
            with open_input(name) as stream:
                for number, text in record_texts(stream):
                    yield f"{place}, line {number}", text
        except OSError as error:
            yield place, error
        else:
            if not number:
                yield place, RecordError("records", "at least one record", "none")


def _result(place: str, found: bytes | Exception, kept: Kept) -> VerifiedRound | Failure:
    """What came of one text. A seed in the options that has not the form of one is no record's fault, and is raised."""
    try:
        if isinstance(found, Exception):
            raise found
        return kept.verify(RoundRecord.parse_json(found))
    except SeedTextError:
        raise
    except OSError as error:
        return Failure.of_file(error)
    except BaccaratError as error:
        return Failure.of(error, place=place, exit_code=BAD_INPUT if isinstance(error, RecordError) else FAILED)


def _show_round(verified: VerifiedRound) -> None:
    played = verified.round
    coup = "" if played.index is None else f", coup {played.index} of the shoe"
    show(Text.assemble((f"Nonce {played.nonce}{coup}, recomputed", "bold")), checks_view(verified.checks), "")
    show(Text.assemble(("What this proves", "bold")), guarantees_view(verified.guarantees), "")
