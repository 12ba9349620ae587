"""The messages of the package that the bettor's page repeats: what errors mean, and the sentences of the slips.

A slip is provoked here, as a bettor would, and its sentence taken from the error; what belongs to that one case is then replaced by a
{name}. So the page says what the package says, and no sentence is written twice.
"""

from __future__ import annotations

import inspect
from base64 import b64encode
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from ... import errors
from ...canonical import parse_json
from ...cards import Card
from ...errors import BaccaratError
from ...fairness.chain import SeedChain
from ...fairness.schemes import SCHEMES
from ...fairness.seed_pair import Seeds, commit
from ...fairness.seeds import ClientSeed, ServerSeed
from ...receipts.history.layout import read_as_written
from ...receipts.history.lines import RevealLine, read_line
from ...records import RoundRecord
from ...rounds import play_round
from ...rules.bets import Bet
from ...rules.pay_table import PayTable
from ...rules.settlement import settle, unknown_bet
from ...verify import verify_record, verify_round

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ...canonical import Json

_SEED = "0123456789abcdef" * 4
_TEXT = "lucky"
_NONCE = 7
_CODES = frozenset(
    (
        *("record", "money.bet.unknown", "signing_key"),
        *(f"seed.{name}" for name in ("chain", "decks", "nonce", "scheme")),
        *(
            f"verification.{name}"
            for name in (
                *(
                    "beacon",
                    "cards",
                    "chain",
                    "client_seed",
                    "commitment",
                    "coup",
                    "cut",
                    "decks",
                    "equivocation",
                    "history",
                    "history_file",
                    "left_out",
                ),
                *("index", "link", "nonce", "not_revealed", "pay_table", "scheme", "seed_text", "server_seed", "settlement"),
                *(f"log.{name}" for name in ("checkpoint", "inclusion", "promise")),
                *(f"statement.{name}" for name in ("form", "header", "key_time", "kind", "signature", "unknown_key")),
            )
        ),
    )
)
"""The errors that the page ends with."""


def error_meanings() -> dict[str, str]:
    """What each error that the page can end with means, by its code."""
    classes = [cls for _, cls in inspect.getmembers(errors, inspect.isclass) if issubclass(cls, BaccaratError)]
    told = {cls.code: inspect.cleandoc(cls.__doc__ or "").partition("\n\n")[0] for cls in classes}
    return {code: " ".join(told[code].split()) for code in sorted(_CODES)}


def drawings() -> dict[str, str]:
    """What each scheme says of its drawing, by its name."""
    return {name: scheme.drawing for name, scheme in SCHEMES.items()}


def slip_sentences() -> dict[str, str]:
    """The sentence of each slip by its key: its code and, where it has several sentences, a point and a word that tells them apart."""
    provoked = {**_hex_slips(), **_seed_slips(), **_chain_slips(), **_replay_slips(), **_record_slips()}
    return {key: _sentence(*how) for key, how in sorted(provoked.items())}


class _Provoked(NamedTuple):
    """A call that ends with a slip; the part of its sentence that is another one the next time, and the name for what stands there."""

    call: Callable[[], object]
    part: str = ""
    name: str = ""


def _sentence(call: Callable[[], object], part: str, name: str) -> str:
    try:
        call()
    except BaccaratError as error:
        sentence = error.slips[0].sentence
        return sentence.replace(part, f"{{{name}}}") if part else sentence
    raise errors.RecordError("call of a message", "one that ends with a slip", "one that does not")


def _hex_slips() -> dict[str, _Provoked]:
    spellings = {
        "white_space": f" {_SEED}",
        "quotes": f'"{_SEED}"',
        "prefix": f"0x{_SEED}",
        "white_space_inside": f"{_SEED[:32]} {_SEED[32:]}",
        "upper_case": _SEED.upper(),
        "digits.less": _SEED[1:],
        "digits.more": f"{_SEED}0",
        "base64": b64encode(bytes(32)).decode(),
    }
    quoted = f'"{commit(ServerSeed.parse(_SEED))}"'
    return {
        **{code: _Provoked(partial(ServerSeed.parse, text)) for code, text in spellings.items()},
        "in_commitment": _Provoked(lambda: Seeds(_SEED, _TEXT, quoted), "Remove the quotes around it.", "sentence"),
        "white_space.client": _Provoked(lambda: ClientSeed(f" {_TEXT}")),
    }


def _seed_slips() -> dict[str, _Provoked]:
    server = ServerSeed.parse(_SEED)
    of_one, of_six, of_eight = (str(commit(server, decks)) for decks in (1, 6, 8))
    of_shoes = str(commit(server, scheme="pfb1-shoe"))
    return {
        "commitment_as_server_seed": _Provoked(lambda: Seeds(of_eight, _TEXT, of_eight)),
        "seeds_swapped": _Provoked(lambda: Seeds(_TEXT, _SEED, of_eight)),
        "commitment_swapped": _Provoked(lambda: Seeds(of_eight, _TEXT, _SEED)),
        "decks.one": _Provoked(lambda: Seeds(_SEED, _TEXT, of_one), "1", "decks"),
        "decks.many": _Provoked(lambda: Seeds(_SEED, _TEXT, of_six), "6", "decks"),
        "scheme.commitment": _Provoked(lambda: Seeds(_SEED, _TEXT, of_shoes), "pfb1-shoe", "scheme"),
        "decks_of_scheme": _Provoked(lambda: Seeds(_SEED, _TEXT, None, 6, scheme="stake"), "stake", "scheme"),
        "one_digit": _Provoked(lambda: Seeds(_SEED, _TEXT, f"{of_eight[:-1]}{'1' if of_eight[-1] == '0' else '0'}"), "64", "place"),
        "misspelt": _Provoked(lambda: Seeds(_SEED, _TEXT, None, scheme="stakes"), "'stake'", "match"),
    }


def _chain_slips() -> dict[str, _Provoked]:
    chain = SeedChain(ServerSeed.parse(_SEED), 3)

    def deal(link: ServerSeed) -> None:
        play_round(Seeds(link, _TEXT, chain.commitment, chain=chain.chain), 1)

    return {
        "chain": _Provoked(lambda: Seeds(_SEED, _TEXT, chain.commitment, scheme="pfb1-chain")),
        "anchor_as_link": _Provoked(lambda: deal(ServerSeed.parse(chain.chain.anchor))),
        "nonce.link": _Provoked(lambda: deal(chain.link(2).server_seed), "2", "nonce"),
    }


def _replay_slips() -> dict[str, _Provoked]:
    seeds = Seeds.commit(_SEED, _TEXT)
    record = _record_of(seeds)
    stake = play_round(Seeds.commit(_SEED, _TEXT, scheme="stake"), _NONCE)
    stake_cards = [str(card) for card in stake.cards]

    def verify_with(client_seed: str) -> None:
        verify_round(Seeds.commit(_SEED, client_seed), _NONCE, record=record)

    def verify_named(client_seed: str, dealt: str = _TEXT) -> None:
        """Verify a record that names one client seed and has the cards of another."""
        other = _record_of(Seeds.commit(_SEED, dealt))
        verify_record(_changed(other, client_seed=client_seed, client_seed_hex=client_seed.encode().hex()))

    return {
        "nonce.record_low": _Provoked(lambda: verify_round(seeds, 6, record=record), "7", "nonce"),
        "nonce.record_high": _Provoked(lambda: verify_round(seeds, 8, record=record), "7", "nonce"),
        "nonce.cards_low": _Provoked(lambda: verify_record(_changed(record, nonce=6)), "7", "nonce"),
        "nonce.cards_high": _Provoked(lambda: verify_record(_changed(record, nonce=8)), "7", "nonce"),
        "nfc": _Provoked(lambda: verify_named("Zoe\u0308", dealt="Zo\u00eb")),
        "nfd": _Provoked(lambda: verify_named("Zo\u00eb", dealt="Zoe\u0308")),
        "trimmed": _Provoked(lambda: verify_named(f"\u200b{_TEXT}")),
        "trimmed.differ": _Provoked(lambda: verify_with(f"\u200b{_TEXT}")),
        "case": _Provoked(lambda: verify_named(_TEXT.upper()), f"'{_TEXT}'", "other"),
        "case.differ": _Provoked(lambda: verify_with(_TEXT.upper())),
        "reformatted": _Provoked(lambda: read_as_written(read_line, RevealLine(_SEED, 0, _SEED).to_line().replace(b",", b", "))),
        "hex_text": _Provoked(lambda: verify_named(_TEXT.encode().hex())),
        "scheme.cards": _Provoked(lambda: verify_record(_changed(record, cards=stake_cards)), "stake", "scheme"),
        "other_offer": _Provoked(lambda: verify_record(record, pay_table=PayTable(tie_multiplier="8.0"))),
    }


def _record_slips() -> dict[str, _Provoked]:
    seeds = Seeds.commit(_SEED, _TEXT)
    own = PayTable(side_bets={"own": "2.0"}, bets=[Bet("own", lambda coup: coup.natural, "scores")])

    def refuse(name: str, *offered: str) -> None:
        raise unknown_bet(name, dict.fromkeys(offered))

    return {
        "own_bet": _Provoked(lambda: verify_record(_record_of(seeds, own))),
        "alias": _Provoked(lambda: refuse("lucky6", "tiger"), "'tiger'", "alias"),
        "other_table": _Provoked(lambda: refuse("tiger", "player"), "all_bets", "names"),
        "number_form": _Provoked(lambda: parse_json("1.5")),
        "number_as_text": _Provoked(lambda: _changed(_record_of(seeds), nonce="7")),
        "card_spelling": _Provoked(lambda: Card.parse("10h"), "'Th'", "spelling"),
    }


def _record_of(seeds: Seeds, pay_table: PayTable | None = None) -> RoundRecord:
    played = play_round(seeds, _NONCE)
    settlement = settle(played.coup, {}, pay_table or PayTable())
    return RoundRecord.from_round(played, settlement, server_seed=seeds.server_seed)


def _changed(record: RoundRecord, **values: Json) -> RoundRecord:
    told: Mapping[str, Json] = {**record.to_dict(), **values}
    return RoundRecord.model_validate(told)
