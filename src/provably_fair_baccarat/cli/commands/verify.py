"""`pfb verify`: replay rounds from their revealed seeds and say what that proves."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain, islice
from typing import IO, Annotated, Final, NamedTuple

import typer
from rich.text import Text

from ...cards import Card
from ...errors import BaccaratError, RecordError, SeedTextError, Slip
from ...fairness.chain import Chain
from ...fairness.schemes import SCHEMES
from ...records import RoundRecord
from ...rules.bets import Bet
from ...rules.pay_table import PayTable
from ...verify import VerifiedRound
from ..failures import BAD_INPUT, FAILED, OK, Failure, Failures, misused
from ..files import input_name, naming, open_input
from ..kept import Kept, KeptHistory
from ..kinds import holds_history, start_of
from ..options import BetsOption, Json, LogKeyOption, PayTableOption, Witnesses, read_decks, read_index, read_nonce, read_scheme
from ..own_bets import named_bets
from ..proof_view import GuaranteeCount, Series, checks_view, guarantees_view, verified_json, verified_text
from ..record_texts import record_texts
from ..screen import show, show_line, with_progress, write_json
from ..signed import history_json, show_history

EXAMPLES = """\b
Examples:
  pfb verify pfb-demo-3e2d8157.jsonl
  pfb verify rounds.jsonl --commitment 3e2d8157...    compare with what you kept
  pfb verify rounds.jsonl --complete    every nonce from 0 on must be there, under one pay table
  pfb verify ann.jsonl --keys jwks.json --commitment 3e2d... --commitment 71f0...    a whole history, against what you were shown
  pfb verify --server-seed 1f0c... --client-seed "lucky 8s" --commitment 3e2d... --nonce 0 --cards "8c 4h 2s Kd"
  pfb verify rounds.jsonl --bets casino_bets:OWN    bets of the operator's own, in casino_bets.py
  ssh casino cat rounds.jsonl | pfb verify - --pay-table offer.toml --json

\b
Exit codes: 0 all verified, 1 a round failed, 2 something is no record or cannot be read.
"""


def verify(
    *,
    files: Annotated[list[str] | None, typer.Argument(metavar="FILE", help="Records, a JSON line each.", show_default=False)] = None,
    server_seed: Annotated[str | None, typer.Option(metavar="HEX", help="The revealed server seed.")] = None,
    client_seed: Annotated[str | None, typer.Option(metavar="TEXT", help="The client seed, exactly as it was.")] = None,
    commitment: Annotated[
        list[str] | None,
        typer.Option(
            metavar="HEX", help="The commitment that was shown before the client seed; several with a history file.", show_default=False
        ),
    ] = None,
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
    bets: BetsOption = None,
    cards: Annotated[
        str | None,
        typer.Option(
            metavar="CARDS", help='Without a record, the cards that you saw, in dealing order: "4h 2s Qs 9d".', show_default=False
        ),
    ] = None,
    complete: Annotated[
        bool,
        typer.Option(
            "--complete",
            help="Fail where a nonce below the last one is missing, one is there twice, or a commitment's pay table or currency changes.",
        ),
    ] = False,
    signed: Annotated[
        str | None,
        typer.Option("--kept", metavar="FILE", help="With a history file, statements that you kept, one a line.", show_default=False),
    ] = None,
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
    """Verify rounds: from records, from seeds, or a whole history.

    A history file, as pfb prove writes it, is recognised and stands alone. FILE is - for standard input. A file holds one record, or a
    record on each line. What you give as options is what you kept yourself: each record must agree with it, and what you do not give is
    taken from the record. Without a file, the options are the round.

    After a record that fails, the rest is verified all the same. Missing nonces are told, and are no failure unless --complete says so: you
    may hold some of your rounds only. So is a commitment whose rounds have two pay tables or currencies. With --json, prints a line for each record, then one with the summary.
    """
    own_bets = named_bets(bets)
    history = KeptHistory(keys, log_key, checkpoint or [], witness, commitment or [], signed)
    inputs = _opened(files or ())
    first = next(inputs, None)
    if first is not None and (stream := _history_in(first)) is not None:
        if any(value is not None for value in (server_seed, client_seed, nonce, decks, scheme, index, anchor, length, cards)) or complete:
            raise misused("A history file has its seeds in it: give --commitment, --kept, --keys, --log-key, --checkpoint or --witness.")
        if files is not None and len(files) > 1:
            raise misused("A history file is verified alone.")
        return _verify_history(first.name, stream, history, pay_table, own_bets, as_json=json)
    if replace(history, commitments=[]) != KeptHistory():
        raise misused("--kept, --keys, --log-key, --checkpoint and --witness go with a history file.")
    kept = Kept(
        server_seed=server_seed,
        client_seed=client_seed,
        commitment=_read_once(commitment),
        nonce=nonce,
        index=index,
        decks=decks,
        scheme=scheme,
        chain=_read_chain(anchor, length),
        pay_table=pay_table,
        cards=_read_cards(cards),
        own_bets=own_bets,
    )
    if first is None:
        if complete:
            raise misused("--complete goes with files of records.")
        return _verify_options(kept, as_json=json)
    if kept.cards is not None:
        raise misused("--cards goes with seeds: a record has its cards.")
    return _verify_inputs(chain([first], inputs), kept, must_be_complete=complete, as_json=json)


class _Input(NamedTuple):
    """An input by its name, open, or why it cannot be opened. It is opened once: a pipe gives what it holds only once."""

    name: str
    stream: IO[bytes] | OSError


def _opened(files: Iterable[str]) -> Iterator[_Input]:
    """Inputs one after the other, each open until the next one is asked for."""
    for name in files:
        try:
            with open_input(name) as stream:
                yield _Input(name, stream)
        except OSError as error:
            yield _Input(name, error)


def _history_in(given: _Input) -> IO[bytes] | None:
    """The stream of an input that is a history file."""
    try:
        return given.stream if not isinstance(given.stream, OSError) and holds_history(start_of(given.stream)) else None
    except OSError:  # whoever reads it says why
        return None


def _read_once(commitment: list[str] | None) -> str | None:
    if commitment is not None and len(commitment) > 1:
        raise misused("Several commitments go with a history file: records are held against one.")
    return commitment[0] if commitment else None


def _read_chain(anchor: str | None, length: int | None) -> Chain | None:
    if anchor is None and length is None:
        return None
    if anchor is None or length is None:
        raise misused("A seed chain has both --anchor and --length.")
    return Chain(anchor, length)


def _read_cards(text: str | None) -> tuple[Card, ...] | None:
    return None if text is None else tuple(map(Card.parse, text.replace(",", " ").split()))


def _verify_options(kept: Kept, *, as_json: bool) -> int:
    try:
        verified = kept.verify_alone()
    except BaccaratError as error:
        return Failure.of(error, sources=kept.name_sources(error)).report(as_json=as_json)
    if as_json:
        write_json({"verified": True, "cards_compared": kept.cards is not None, **verified_json(verified)})
    else:
        _show_round(verified)
        if kept.cards is None:
            show_line(Text("Recomputed: compare these cards with those that you saw. --cards does.", "bold yellow"))
        else:
            show_line(Text("Verified: these are the cards that you saw.", "bold green"))
    return OK


def _verify_history(
    name: str, stream: IO[bytes], kept: KeptHistory, pay_table: PayTable | None, own_bets: tuple[Bet, ...], *, as_json: bool
) -> int:
    with naming(name):
        history = kept.verify(stream, pay_table, own_bets)
    if as_json:
        write_json(history_json(history))
    else:
        show_history(history, are_commitments_compared=bool(kept.commitments))
    return OK


def _verify_inputs(inputs: Iterable[_Input], kept: Kept, *, must_be_complete: bool, as_json: bool) -> int:
    guarantees, series, failures = GuaranteeCount(), Series(must_be_complete=must_be_complete), Failures()
    verified = failed = unreadable = 0
    latest: VerifiedRound | None = None
    for place, result in with_progress(_results(inputs, kept, series), "verifying", shown=not as_json):
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
            failures.tell(result)
            if as_json:
                write_json({"place": place, "verified": False, "error": result.to_dict()})
    failures.tell_more()
    if as_json:
        counts = {"verified": verified, "failed": failed, "unreadable": unreadable}
        write_json({"summary": {**counts, "guarantees": guarantees.to_dict(), **series.to_dict()}})
    else:
        if latest is not None and verified + failed + unreadable == 1:
            _show_round(latest)
        elif verified:
            show(guarantees.view(), "", *series.remarks(), *guarantees.remarks(), "")
        show_line(verified_text(verified, failed, unreadable, series))
    return FAILED if failed or series.is_incomplete else BAD_INPUT if unreadable else OK


def _results(inputs: Iterable[_Input], kept: Kept, series: Series) -> Iterator[tuple[str, VerifiedRound | Failure]]:
    """What came of every text that should be a record, with its place. An input that begins without any record is given up."""
    for each in inputs:
        results = ((place, _result(place, found, kept, series)) for place, found in _texts(each))
        first = list(islice(results, _MOST_UNREADABLE))
        failures = [result for _, result in first if isinstance(result, Failure) and result.exit_code == BAD_INPUT]
        if len(failures) < _MOST_UNREADABLE:
            yield from first
            yield from results
        else:
            hint = f"This is no file of records: none of its first {_MOST_UNREADABLE} lines is one, and the rest was not read."
            yield first[0][0], replace(failures[0], hint=hint)


_MOST_UNREADABLE: Final = 20
"""How many texts in a row may be unreadable at the beginning of an input."""


def _texts(given: _Input) -> Iterator[tuple[str, bytes | Exception]]:
    """Every text of an input that should be a record, with its place; or why there is none."""
    name = input_name(given.name)
    place = None
    try:
        for place, text in _records_in(given):
            yield f"{name}, {place}", text
    except (RecordError, OSError) as error:
        yield name, error
    else:
        if place is None:
            yield name, RecordError("records", "at least one record", "none")


def _records_in(given: _Input) -> Iterator[tuple[str, bytes | RecordError]]:
    if isinstance(given.stream, OSError):
        raise given.stream
    if _history_in(given) is not None:
        slip = Slip("file_kind", "A history file is verified alone.")
        raise RecordError("records", "JSON records, one on each line", "a history file", (slip,))
    return record_texts(given.stream)


def _result(place: str, found: bytes | Exception, kept: Kept, series: Series) -> VerifiedRound | Failure:
    """What came of one text. A seed in the options that has not the form of one is no record's fault, and is raised."""
    try:
        if isinstance(found, Exception):
            raise found
        record = RoundRecord.parse_json(found)
        series.note(record)
        return kept.verify_record(record)
    except SeedTextError:
        raise
    except OSError as error:
        return Failure.of_file(error)
    except BaccaratError as error:
        exit_code = BAD_INPUT if isinstance(error, RecordError) else FAILED
        return Failure.of(error, place=place, exit_code=exit_code, sources=kept.name_sources(error))


def _show_round(verified: VerifiedRound) -> None:
    played = verified.round
    coup = "" if played.index is None else f", coup {played.index} of the shoe"
    show(Text.assemble((f"Nonce {played.nonce}{coup}, recomputed", "bold")), checks_view(verified.checks), "")
    show(Text.assemble(("What this proves", "bold")), guarantees_view(verified.guarantees), "")
