"""Scoreboards: known answers, a slow second opinion with the common faults to switch on, and what must hold for every shoe."""

from __future__ import annotations

import copy
import json
import pickle
from itertools import groupby, product
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provably_fair_baccarat.cards import Card
from provably_fair_baccarat.errors import RoadError
from provably_fair_baccarat.rules.coup import Coup, Outcome, deal_coup
from provably_fair_baccarat.rules.roads import ROWS, BeadCell, BigRoad, BigRoadCell, DerivedMarks, Entry, Mark, MarkCell, Scoreboard

Answers: TypeAlias = dict[str, Any]
Vector: TypeAlias = dict[str, Any]

BANKER, PLAYER, TIE = Outcome.BANKER, Outcome.PLAYER, Outcome.TIE
LETTER = {BANKER: "B", PLAYER: "P", TIE: "T", Mark.RED: "R", Mark.BLUE: "B"}

# ---------------------------------------------------------------------------------------------------------------- known answers

FILE_KEYS = {"about", "conventions", "roads"}
ANSWER_KEYS = {"leading_ties", "columns", "ties_after", "big_eye", "small", "cockroach", "cells", "big_eye_cells"}


def read_vectors(text: str) -> list[Vector]:
    """The vectors of a file, which must hold exactly the keys that are compared below."""
    data = json.loads(text)
    assert set(data) == FILE_KEYS
    for vector in data["roads"]:
        assert set(vector) == {"id", "seq"} | ANSWER_KEYS, vector["id"]
    return list(data["roads"])


VECTORS_TEXT = (Path(__file__).parents[2] / "vectors" / "roads.json").read_text(encoding="utf-8")
VECTORS = read_vectors(VECTORS_TEXT)


def answers(seq: str) -> Answers:
    """What the scoreboards show after a sequence, in the form of the vectors."""
    board = Scoreboard.parse(seq)
    road = board.big_road
    return {
        "leading_ties": road.leading_ties,
        "columns": [[LETTER[streak[0].entry.winner], len(streak)] for streak in road.streaks],
        "ties_after": [[cell.ties for cell in streak] for streak in road.streaks],
        "big_eye": marks(board.big_eye_boy),
        "small": marks(board.small_road),
        "cockroach": marks(board.cockroach),
        "cells": [[cell.column, cell.row, LETTER[cell.entry.winner]] for cell in road.cells],
        "big_eye_cells": [[cell.column, cell.row, LETTER[cell.mark]] for cell in board.big_eye_boy],
    }


def differences(vector: Vector, shown: Answers) -> set[str]:
    """The keys of the answers that are not as the vector says."""
    assert set(shown) == ANSWER_KEYS
    return {key for key in ANSWER_KEYS if shown[key] != vector[key]}


def marks(cells: tuple[MarkCell, ...]) -> str:
    return "".join(LETTER[cell.mark] for cell in cells)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["id"])
def test_known_answers(vector: Vector) -> None:
    assert differences(vector, answers(vector["seq"])) == set()


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["id"])
def test_known_answers_fail_where_anything_in_them_is_wrong(vector: Vector) -> None:
    shown = answers(vector["seq"])
    for key in ANSWER_KEYS:
        for wrong in wrong_answers(vector[key]):
            assert differences({**vector, key: wrong}, shown) == {key}


def wrong_answers(right: Any) -> list[Any]:
    """An answer with one thing too many, with each one left out, and with each mark in the other colour."""
    if isinstance(right, int):
        return [right - 1, right + 1]
    wrong = [right + type(right)("R")]
    wrong += [right[:place] + right[place + 1 :] for place in range(len(right))]
    if isinstance(right, str):
        wrong += [right[:place] + ("R" if mark == "B" else "B") + right[place + 1 :] for place, mark in enumerate(right)]
    return wrong


def test_the_vectors_are_all_there() -> None:
    assert len(VECTORS) == len({vector["id"] for vector in VECTORS}) == 31


def test_unknown_and_missing_keys_fail_the_runner() -> None:
    def with_roads(**more: object) -> str:
        return json.dumps({"about": "", "conventions": {}, "roads": [{**VECTORS[0], **more}]})

    assert len(read_vectors(with_roads())) == 1
    with pytest.raises(AssertionError):
        read_vectors(with_roads(small_cells=[]))
    with pytest.raises(AssertionError):
        read_vectors(json.dumps({**json.loads(VECTORS_TEXT), "more": []}))
    with pytest.raises(AssertionError):
        read_vectors(json.dumps({**json.loads(VECTORS_TEXT), "roads": [{"id": "r", "seq": ""}]}))


# ------------------------------------------------ a second opinion, by the words of the rules and with faults to switch on

FAULTS: dict[str, str] = {
    "first column skipped": "big_eye",
    "blue wherever a cell is missing": "big_eye",
    "lengths read from the bent display": "big_eye",
    "first entry compares with the wrong column": "small",
    "small road reads at the big eye boy's distance": "small",
    "cockroach reads at the small road's distance": "cockroach",
    "colours swapped": "cockroach",
    "tie closes a column": "columns",
    "tie before a change of winner keeps the old column": "columns",
    "tie takes a cell": "cells",
    "tie counted on the first entry of its column": "ties_after",
    "leading ties counted on the first win": "ties_after",
    "leading ties lost": "leading_ties",
    "no dragon tail": "cells",
    "older tail written over": "cells",
    "next streak starts beside the tail": "cells",
    "tail turns down again": "big_eye_cells",
    "marks laid out without streaks": "big_eye_cells",
}
"""Each common fault and an answer of the vectors that must tell it apart."""


def slow_answers(seq: str, fault: str | None = None) -> Answers:
    """The answers computed from the whole sequence at once, one rule after the other, over grids of taken cells."""
    assert fault is None or fault in FAULTS
    columns: list[list[Any]] = []
    ties: list[list[int]] = []
    leading_ties = 0
    previous = ""
    for letter in seq:
        if letter == "T" and columns:
            place = 0 if fault == "tie counted on the first entry of its column" else -1
            ties[-1][place] += 1
        elif letter == "T":
            leading_ties += 1
        elif (
            columns
            and (columns[-1][0] == letter or (fault == "tie before a change of winner keeps the old column" and previous == "T"))
            and not (fault == "tie closes a column" and previous == "T")
        ):
            columns[-1][1] += 1
            ties[-1].append(0)
        else:
            columns.append([letter, 1])
            ties.append([0])
        previous = letter
    if fault == "leading ties counted on the first win" and ties:
        ties[0][0] += leading_ties
    if fault == "leading ties lost":
        leading_ties = 0
    shown = seq.lstrip("T") if fault == "tie takes a cell" else "".join(letter * length for letter, length in columns)
    cells = slow_cells(shown, fault)
    lengths = [length for _, length in columns]
    if fault == "lengths read from the bent display":
        lengths = [sum(cell[0] == column for cell in cells) for column in range(1 + max((cell[0] for cell in cells), default=-1))]
    big_eye = slow_marks(lengths, 1, fault)
    return {
        "leading_ties": leading_ties,
        "columns": columns,
        "ties_after": ties,
        "big_eye": big_eye,
        "small": slow_marks(lengths, 1 if fault == "small road reads at the big eye boy's distance" else 2, fault),
        "cockroach": slow_marks(lengths, 2 if fault == "cockroach reads at the small road's distance" else 3, fault),
        "cells": cells,
        "big_eye_cells": slow_cells(big_eye, fault),
    }


def slow_marks(lengths: list[int], k: int, fault: str | None = None) -> str:
    """The marks of the derived road that looks back k columns, by the printed rule: columns n and rows m count from 1."""
    length = dict(enumerate(lengths, start=1))
    red, blue = "BR" if fault == "colours swapped" else "RB"
    start = (k + 1, 2) if length.get(k + 1, 1) >= 2 else (k + 2, 1)
    if fault == "first column skipped":
        start = (k + 2, 2) if length.get(k + 2, 1) >= 2 else (k + 3, 1)
    found = ""
    for n, entries in length.items():
        for m in range(1, entries + 1):
            if (n, m) < start:
                continue
            if m == 1:
                other = n - k if fault == "first entry compares with the wrong column" else n - 1 - k
                found += red if length[n - 1] == length[other] else blue
                continue
            p = length[n - k]
            if m <= p:
                found += red
            elif m == p + 1:
                found += blue
            else:
                found += blue if fault == "blue wherever a cell is missing" else red
    return found


def slow_cells(shown: str, fault: str | None = None) -> list[list[Any]]:
    """Where the display shows each of these letters, over a grid of taken cells."""
    taken: dict[tuple[int, int], str] = {}
    cells: list[list[Any]] = []
    start = -1
    streaks = list(shown) if fault == "marks laid out without streaks" else ["".join(streak) for _, streak in groupby(shown)]
    for streak in streaks:
        start += 1
        if fault == "next streak starts beside the tail":
            start = 1 + max((column for column, _ in taken), default=-1)
        while (start, 0) in taken:
            start += 1
        column, row, turned = start, 0, False
        for count, letter in enumerate(streak):
            if count:
                below = (column, row + 1)
                free = fault == "older tail written over" or below not in taken
                inside = fault == "no dragon tail" or row + 1 < 6
                if inside and free and (not turned or fault == "tail turns down again"):
                    row += 1
                else:
                    column, turned = column + 1, True
            taken[column, row] = letter
            cells.append([column, row, letter])
    return cells


TOLD_BY_PICTURE = {"tail turns down again"}
"""The one fault that no sequence of the vectors shows: `test_pictures` has it."""


@pytest.mark.parametrize("fault", sorted(set(FAULTS) - TOLD_BY_PICTURE))
def test_the_vectors_tell_every_common_fault(fault: str) -> None:
    assert any(FAULTS[fault] in differences(vector, slow_answers(vector["seq"], fault)) for vector in VECTORS)


def test_the_second_opinion_agrees_with_the_vectors() -> None:
    for vector in VECTORS:
        assert differences(vector, slow_answers(vector["seq"])) == set(), vector["id"]


def test_every_short_shoe_agrees_with_the_second_opinion() -> None:
    for length in range(9):
        for letters in product("BPT", repeat=length):
            seq = "".join(letters)
            assert answers(seq) == slow_answers(seq), seq


def test_every_shoe_of_few_streaks_agrees_with_the_second_opinion() -> None:
    for count in range(1, 6):
        for lengths in product((1, 2, 5, 6, 7, 12), repeat=count):
            seq = "".join("BP"[place % 2] * length for place, length in enumerate(lengths))
            assert answers(seq) == slow_answers(seq), seq


WINNERS = st.text("BPT", max_size=120)
STREAKY = st.lists(st.tuples(st.sampled_from("BBPPT"), st.integers(1, 20)), max_size=24).map(
    lambda runs: "".join(letter * (length if letter != "T" else 1) for letter, length in runs)[:120]
)
SHOES = WINNERS | STREAKY
ENTRIES = st.lists(st.builds(Entry, st.sampled_from(Outcome), st.booleans(), st.booleans(), st.booleans()), max_size=80)


@given(SHOES)
def test_long_shoes_agree_with_the_second_opinion(seq: str) -> None:
    assert answers(seq) == slow_answers(seq)


# ----------------------------------------------------------------------------------------------------------------------- displays

PICTURES: dict[str, tuple[str, str]] = {
    "six wins fill a column and the seventh turns right": (
        "B8 P1",
        """
        BP.
        B..
        B..
        B..
        B..
        BBB
        """,
    ),
    "a tail stops a streak above it": (
        "B8 P7 B1",
        """
        BPB.
        BP..
        BP..
        BP..
        BPPP
        BBB.
        """,
    ),
    "a tail keeps right where it could go down again": (
        "B8 P8",
        """
        BP...
        BP...
        BP...
        BP...
        BPPPP
        BBB..
        """,
    ),
    "a streak goes all the way down beside the end of a tail": (
        "B7 P1 B7",
        """
        BPB.
        B.B.
        B.B.
        B.B.
        B.B.
        BBBB
        """,
    ),
    "tails on every row, and a streak that starts past the one in the first row": (
        "B12 P11 B10 P9 B8 P7 B2 P1",
        """
        BPBPBPPPPPPPBP
        BPBPBBBBBBB.B.
        BPBPPPPPPP....
        BPBBBBBBB.....
        BPPPPPPP......
        BBBBBBB.......
        """,
    ),
}


def sequence(streaks: str) -> str:
    return "".join(streak[0] * int(streak[1:]) for streak in streaks.split())


def picture(cells: tuple[BigRoadCell, ...]) -> list[str]:
    grid = [["."] * (1 + max(cell.column for cell in cells)) for _ in range(ROWS)]
    for cell in cells:
        grid[cell.row][cell.column] = LETTER[cell.entry.winner]
    return ["".join(row) for row in grid]


@pytest.mark.parametrize("name", PICTURES)
def test_pictures(name: str) -> None:
    streaks, drawn = PICTURES[name]
    assert picture(Scoreboard.parse(sequence(streaks)).big_road.cells) == drawn.split()


@pytest.mark.parametrize("fault", sorted(TOLD_BY_PICTURE))
def test_the_pictures_tell_the_fault_that_the_vectors_do_not(fault: str) -> None:
    shoes = [sequence(streaks) for streaks, _ in PICTURES.values()]
    assert any(slow_answers(seq, fault)["cells"] != answers(seq)["cells"] for seq in shoes)


@given(SHOES)
def test_every_entry_has_one_cell_of_its_own_on_every_display(seq: str) -> None:
    board = Scoreboard.parse(seq)
    wins = [entry for entry in board.entries if entry.winner is not TIE]
    assert [cell.entry for cell in board.bead_plate] == list(board.entries)
    assert [cell.entry for cell in board.big_road.cells] == wins
    displays: tuple[tuple[BeadCell | BigRoadCell | MarkCell, ...], ...] = (
        board.bead_plate,
        board.big_road.cells,
        board.big_eye_boy,
        board.small_road,
        board.cockroach,
    )
    for cells in displays:
        places = [(cell.column, cell.row) for cell in cells]
        assert len(set(places)) == len(places)
        assert all(column >= 0 and 0 <= row < ROWS for column, row in places)


@given(SHOES)
def test_derived_roads_are_laid_out_like_the_big_road(seq: str) -> None:
    board = Scoreboard.parse(seq)
    for cells in (board.big_eye_boy, board.small_road, board.cockroach):
        same = Scoreboard.of(PLAYER if cell.mark is Mark.BLUE else BANKER for cell in cells).big_road.cells
        assert [(cell.column, cell.row) for cell in cells] == [(cell.column, cell.row) for cell in same]


def test_the_bead_plate_goes_down_each_column() -> None:
    plate = Scoreboard.parse("BPT" * 5).bead_plate
    assert [(cell.column, cell.row) for cell in plate] == [(place // 6, place % 6) for place in range(15)]
    assert plate[14] == BeadCell(2, 2, Entry(TIE))


def test_there_is_no_end_to_the_right() -> None:
    last = Scoreboard.parse("B" * 1000).big_road.cells[-1]
    assert (last.column, last.row) == (994, 5)


# ---------------------------------------------------------------------------------------------------------------------------- ties


def test_ties_are_counted_on_the_latest_win() -> None:
    road = Scoreboard.parse("TTBTTBPTP").big_road
    assert road == BigRoad(
        (
            (BigRoadCell(0, 0, Entry(BANKER), 2), BigRoadCell(0, 1, Entry(BANKER))),
            (BigRoadCell(1, 0, Entry(PLAYER), 1), BigRoadCell(1, 1, Entry(PLAYER))),
        ),
        leading_ties=2,
    )


def test_a_shoe_of_ties_alone() -> None:
    board = Scoreboard.parse("T" * 80)
    assert board.big_road == BigRoad((), leading_ties=80)
    assert board.big_eye_boy == board.small_road == board.cockroach == ()
    assert len(board.bead_plate) == 80
    assert board.ask(BANKER) == board.ask(PLAYER) == DerivedMarks(None, None, None)


@given(SHOES)
def test_ties_change_no_road_but_their_count(seq: str) -> None:
    with_ties, without = answers(seq), answers(seq.replace("T", ""))
    counted = with_ties.pop("leading_ties") + sum(map(sum, with_ties.pop("ties_after")))
    assert counted == seq.count("T")
    del without["leading_ties"], without["ties_after"]
    assert with_ties == without


# -------------------------------------------------------------------------------------------------------------- pairs and naturals


def coup(cards: str) -> Coup:
    return deal_coup(map(Card.parse, cards.split()))


PAIR_THEN_THIRD = coup("2s Kh 2h 7d Ac")
"""The player pairs twos and draws an ace to 5, and the banker wins with 7."""


def test_entry_of_a_coup() -> None:
    assert Entry.from_coup(PAIR_THEN_THIRD) == Entry(BANKER, player_pair=True)
    assert Entry.from_coup(coup("9s Kh Kd Kc")) == Entry(PLAYER, banker_pair=True, natural=True)
    assert Entry.from_coup(coup("4s 4h 4d 4c")) == Entry(TIE, player_pair=True, banker_pair=True, natural=True)
    assert Entry.from_coup(coup("2s Kh 3h Qd 2c 7c")) == Entry(TIE)


def test_pair_marks_stay_after_third_cards_and_ties() -> None:
    board = Scoreboard.of([PAIR_THEN_THIRD, TIE])
    assert board.bead_plate[0] == BeadCell(0, 0, Entry(BANKER, player_pair=True))
    assert board.big_road.cells == (BigRoadCell(0, 0, Entry(BANKER, player_pair=True), ties=1),)


def test_the_pair_of_a_tie_is_on_the_bead_plate_and_on_no_win() -> None:
    tie = Entry(TIE, player_pair=True, banker_pair=True, natural=True)
    board = Scoreboard.of([tie, BANKER, tie])
    assert [cell.entry for cell in board.bead_plate] == [tie, Entry(BANKER), tie]
    assert board.big_road == BigRoad(((BigRoadCell(0, 0, Entry(BANKER), ties=1),),), leading_ties=1)


@given(ENTRIES)
def test_marks_of_coups_do_not_move_any_road(entries: list[Entry]) -> None:
    bare = Scoreboard.of(entry.winner for entry in entries)
    board = Scoreboard.of(entries)
    assert [(cell.column, cell.row, cell.ties) for cell in board.big_road.cells] == [
        (cell.column, cell.row, cell.ties) for cell in bare.big_road.cells
    ]
    assert (board.big_eye_boy, board.small_road, board.cockroach) == (bare.big_eye_boy, bare.small_road, bare.cockroach)


# -------------------------------------------------------------------------------------------------------------------- ask the road


def test_ask_the_road_in_words() -> None:
    board = Scoreboard.parse("BBPPT")
    # a third player win outruns the two banker wins by one; a banker win ends a streak as long as the one before
    assert board.ask(PLAYER) == DerivedMarks(Mark.BLUE, None, None)
    assert board.ask(BANKER) == DerivedMarks(Mark.RED, None, None)
    assert board.ask(TIE) == DerivedMarks(None, None, None)


def shown_marks(board: Scoreboard) -> list[list[Mark | None]]:
    return [[cell.mark for cell in cells] for cells in (board.big_eye_boy, board.small_road, board.cockroach)]


@given(SHOES)
def test_asking_tells_what_adding_marks(seq: str) -> None:
    board = Scoreboard.parse(seq)
    before = shown_marks(board)
    asked = {winner: board.ask(winner) for winner in Outcome}
    assert shown_marks(board) == before
    for winner in Outcome:
        added = Scoreboard.parse(seq)
        added.add(winner)
        marked = [old + [mark] * (mark is not None) for old, mark in zip(before, asked[winner], strict=True)]
        assert shown_marks(added) == marked
    for banker, player in zip(asked[BANKER], asked[PLAYER], strict=True):
        assert {banker, player} in ({None}, {Mark.RED, Mark.BLUE})


@given(SHOES)
def test_derived_roads_do_not_care_which_hand_wins(seq: str) -> None:
    assert shown_marks(Scoreboard.parse(seq)) == shown_marks(Scoreboard.parse(seq.translate(str.maketrans("BP", "PB"))))


# ------------------------------------------------------------------------------------------------------------- one by one, and values


def everything(board: Scoreboard) -> tuple[object, ...]:
    asked = tuple(board.ask(winner) for winner in Outcome)
    return (board.entries, board.bead_plate, board.big_road, board.big_eye_boy, board.small_road, board.cockroach, asked)


@given(ENTRIES)
def test_one_by_one_equals_all_at_once_at_every_prefix(entries: list[Entry]) -> None:
    board = Scoreboard()
    seen = [everything(board)]
    for entry in entries:
        board.add(entry)
        seen.append(everything(board))
    # what was read on the way has not changed since
    assert seen == [everything(Scoreboard.of(entries[:length])) for length in range(len(entries) + 1)]


def test_coups_entries_and_outcomes_may_be_mixed() -> None:
    mixed: list[Coup | Entry | Outcome] = [PAIR_THEN_THIRD, Entry(PLAYER, natural=True), TIE]
    board = Scoreboard.of(iter(mixed))
    assert board.entries == (Entry(BANKER, player_pair=True), Entry(PLAYER, natural=True), Entry(TIE))


def test_copies_go_their_own_way() -> None:
    board = Scoreboard.parse("BBPBPPPBBTB")
    for twin in (copy.deepcopy(board), pickle.loads(pickle.dumps(board))):
        assert everything(twin) == everything(board)
        twin.add(PLAYER)
        board_and_one = Scoreboard.of([*board.entries, PLAYER])
        assert everything(twin) == everything(board_and_one)
    assert len(board.entries) == 11


# ---------------------------------------------------------------------------------------------------------------------------- JSON


def test_json_form() -> None:
    board = Scoreboard.of([TIE, Entry(BANKER, banker_pair=True), PLAYER, Entry(PLAYER, natural=True), TIE])
    no = {"player_pair": False, "banker_pair": False, "natural": False}
    banker = {"winner": "banker", "player_pair": False, "banker_pair": True, "natural": False}
    natural = {"winner": "player", "player_pair": False, "banker_pair": False, "natural": True}
    assert board.to_dict() == {
        "rows": 6,
        "bead_plate": [
            {"column": 0, "row": 0, "winner": "tie", **no},
            {"column": 0, "row": 1, **banker},
            {"column": 0, "row": 2, "winner": "player", **no},
            {"column": 0, "row": 3, **natural},
            {"column": 0, "row": 4, "winner": "tie", **no},
        ],
        "big_road": {
            "leading_ties": 1,
            "streaks": [
                [{"column": 0, "row": 0, **banker, "ties": 0}],
                [
                    {"column": 1, "row": 0, "winner": "player", **no, "ties": 0},
                    {"column": 1, "row": 1, **natural, "ties": 1},
                ],
            ],
        },
        "big_eye_boy": [{"column": 0, "row": 0, "mark": "blue"}],
        "small_road": [],
        "cockroach": [],
        "ask": {
            "player": {"big_eye_boy": "red", "small_road": None, "cockroach": None},
            "banker": {"big_eye_boy": "blue", "small_road": None, "cockroach": None},
        },
    }


@given(ENTRIES)
def test_json_form_is_plain_stable_and_complete(entries: list[Entry]) -> None:
    board = Scoreboard.of(entries)
    form = board.to_dict()
    assert json.loads(json.dumps(form)) == form
    assert json.dumps(board.to_dict()) == json.dumps(form)
    assert list(form) == list(Scoreboard().to_dict())
    board.add(PLAYER)
    assert Scoreboard.of(entries).to_dict() == form


# ------------------------------------------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize("text", ["b", "BPX", "BP T", "BPT\n", "\u0412", 7, None, b"BPT", ["B"]])
def test_text_that_is_refused(text: Any) -> None:
    with pytest.raises(RoadError, match="B, P and T"):
        Scoreboard.parse(text)


def test_refused_text_is_told_with_its_place() -> None:
    with pytest.raises(RoadError, match="'X' at place 3"):
        Scoreboard.parse("BPX")


@pytest.mark.parametrize("wrong", ["B", "banker", None, 1, object(), Outcome])
def test_what_cannot_be_added_changes_nothing(wrong: Any) -> None:
    board = Scoreboard.parse("BPT")
    before = everything(board)
    with pytest.raises(RoadError):
        board.add(wrong)
    assert everything(board) == before


@pytest.mark.parametrize("wrong", ["BPT", None, 5, [None], ["B"]])
def test_what_no_scoreboard_is_of(wrong: Any) -> None:
    with pytest.raises(RoadError):
        Scoreboard.of(wrong)


def test_text_is_sent_to_parse() -> None:
    takes_no_text: tuple[Any, ...] = (Scoreboard.of, Scoreboard().add)
    for refuse in takes_no_text:
        with pytest.raises(RoadError, match=r"Scoreboard\.parse reads") as caught:
            refuse("BPT")
        assert [slip.code for slip in caught.value.slips] == ["winners_text"]


@pytest.mark.parametrize("wrong", ["banker", None, True, Entry(BANKER)])
def test_what_no_road_can_be_asked(wrong: Any) -> None:
    with pytest.raises(RoadError, match="an Outcome"):
        Scoreboard.parse("BPBP").ask(wrong)


@pytest.mark.parametrize("arguments", [("banker",), (None,), (BANKER, 1), (BANKER, False, "yes"), (BANKER, False, False, None)])
def test_what_is_no_entry(arguments: Any) -> None:
    with pytest.raises(RoadError):
        Entry(*arguments)


def test_only_a_coup_makes_an_entry() -> None:
    wrong: Any = BANKER
    with pytest.raises(RoadError, match="a Coup"):
        Entry.from_coup(wrong)
