"""One tree of errors, each with a code, each saying what was found and what was expected."""

from __future__ import annotations

import inspect
import pickle
import re

import pytest

from provably_fair_baccarat import errors
from provably_fair_baccarat.errors import BaccaratError, Slip, StakeError, VerificationError, describe, nearest

CLASSES = [cls for _, cls in inspect.getmembers(errors, inspect.isclass) if issubclass(cls, BaccaratError)]


def test_every_class_has_a_code_of_its_own_below_its_parents():
    codes = {cls: cls.code for cls in CLASSES}
    assert len(set(codes.values())) == len(codes)
    for cls, code in codes.items():
        assert "code" in vars(cls)
        parent = cls.__mro__[1]
        if parent in codes and parent is not BaccaratError:
            assert code.startswith(f"{codes[parent]}.")


def test_the_tree_is_drawn_at_the_top_of_the_file():
    drawn = re.findall(r"^([ |`-]*)(\w+Error)\b", errors.__doc__, re.MULTILINE)
    assert [name for _, name in drawn] == [cls.__name__ for cls in sorted(CLASSES, key=lambda cls: inspect.getsourcelines(cls)[1])]
    lines: list[type] = []
    for indent, name in drawn:
        depth = len(indent) // 4
        cls = getattr(errors, name)
        assert cls.__mro__[1] is (lines[depth - 2] if depth > 1 else Exception)
        lines[depth - 1 :] = [cls]


def test_the_text_says_subject_expected_found_and_hint():
    error = StakeError("stake on tie", "an int", "float 1.0", [Slip("stake_type", "Use cents.")])
    assert str(error) == "stake on tie: expected an int, found float 1.0. Use cents."
    assert str(errors.GuardError("bet", "another one", "It is too large.")) == "bet: expected another one, found It is too large."
    assert (error.hint, [str(slip) for slip in error.slips]) == ("Use cents.", ["Use cents."])
    assert str(StakeError("a", "b", "c")) == "a: expected b, found c."
    assert StakeError("a", "b", "c").hint is None


@pytest.mark.parametrize("cls", CLASSES)
def test_errors_survive_pickling(cls):
    error = cls("subject", "this", "that", (Slip("slip", "Mend it."),))
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is cls
    assert str(again) == str(error)
    assert again.slips == error.slips


def test_verification_errors_are_told_apart_from_bad_input():
    mismatches = [cls for cls in CLASSES if issubclass(cls, VerificationError)]
    assert len(mismatches) > 10
    assert not any(issubclass(cls, errors.SeedError) for cls in mismatches)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "None"),
        (7, "7"),
        (10**50, "a whole number of 167 bits"),
        (True, "bool True"),
        ("x", "'x'"),
        ("x" * 100, "'" + "x" * 59 + "... (100 characters)"),
        (1.5, "float 1.5"),
        ([1] * 100, "list [1, 1, 1, 1, 1, 1, ...]"),
    ],
)
def test_values_are_described_briefly(value, text):
    assert describe(value) == text


def test_a_value_that_cannot_be_shown_is_described_all_the_same():
    class Broken:
        def __repr__(self):
            raise RuntimeError

    class Hopeless(str):
        __slots__ = ()

        def __len__(self):
            raise RuntimeError

    assert describe(Broken()).startswith("Broken <Broken instance")
    assert describe(Hopeless("x")) == "a value that cannot be shown"


def test_the_nearest_name_is_offered_only_when_it_is_near():
    assert [slip.sentence for slip in nearest("banke", ["player", "banker"])] == ["Did you mean 'banker'?"]
    assert nearest("roulette", ["player", "banker"]) == ()
    assert nearest("banker" * 100, ["banker"]) == ()
    assert nearest(10**5000, ["banker"]) == ()
