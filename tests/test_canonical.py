"""JSON in one spelling: RFC 8785 written, strict JSON read."""

from __future__ import annotations

import contextlib
import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provably_fair_baccarat.canonical import MAX_BYTES, MAX_INTEGER, MAX_NESTING, canonical_json, parse_json
from provably_fair_baccarat.errors import PayTableError, RecordError

values = st.recursive(
    st.none() | st.booleans() | st.integers(0, MAX_INTEGER) | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(st.characters(codec="ascii")), inner, max_size=4),
    max_leaves=20,
)


def test_the_strings_of_rfc_8785():
    """The string of section 3.2.2 of the RFC, and its serialised form."""
    assert canonical_json("\u20ac$\u000f\u000aA'\u0042\u0022\u005c\\\"\u002f") == '"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"'.encode()
    assert canonical_json("\b\t\n\f\r\u0000\u001f\u007f") == b'"\\b\\t\\n\\f\\r\\u0000\\u001f\x7f"'


def test_keys_are_sorted_and_nothing_is_between():
    assert canonical_json({"b": [True, None, 0], "a": {}, "B": "1"}) == b'{"B":"1","a":{},"b":[true,null,0]}'


@given(values)
def test_what_is_written_is_read_back(value):
    text = canonical_json(value)
    assert parse_json(text) == value
    assert parse_json(text.decode()) == value
    assert canonical_json(parse_json(json.dumps(value, indent=3))) == text


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", "an empty text"),
        (" \n", "an empty text"),
        ("[1", "the end at line 1, column 3"),
        ('["a', "a string without an end at line 1, column 2"),
        ("<html>", "'<' at line 1, column 1"),
        ("1\n2", "'2' at line 2, column 1"),
        ("\ufeff1", "'\\ufeff' at line 1, column 1"),
        ('{"a":1,"b":{"c":1,"c":1}}', "'c' more than once"),
        ("1.0", "the number 1.0"),
        ("1e2", "the number 1e2"),
        ("-1", "the number -1"),
        ("-0", "the number -0"),
        ("[NaN]", "the number NaN"),
        ("-Infinity", "the number -Infinity"),
        (str(MAX_INTEGER + 1), "the number 9007199254740992"),
        ("9" * 5000, "the number 999"),
        ("01", "'1' at line 1, column 2"),
        ('"\t"', "'\\t' at line 1, column 2"),
        ("{'a':1}", '"\'" at line 1, column 2'),
        ("[" * (MAX_NESTING + 1) + "]" * (MAX_NESTING + 1), "more"),
        ("[" * 60_000, "more"),
        ('{"a":' * 10_000, "more"),
        (" " * (MAX_BYTES + 1), "more"),
        ("€" * (MAX_BYTES // 2), "more"),
        (b"\xff", "invalid start byte"),
        ("\ud800", "surrogates not allowed"),
        (None, "None"),
        (bytearray(b"1"), "bytearray"),
    ],
)
def test_what_two_readers_could_read_differently_is_refused(text, found):
    with pytest.raises(RecordError) as caught:
        parse_json(text)
    assert found in caught.value.found


def test_a_longer_text_may_be_asked_for():
    text = "1" + " " * MAX_BYTES
    assert parse_json(text, max_bytes=len(text)) == 1
    with pytest.raises(RecordError, match="at most 65,536 bytes"):
        parse_json(text, max_bytes=len(text) - 1)


def test_the_bounds_themselves_are_inside():
    assert parse_json(str(MAX_INTEGER)) == MAX_INTEGER
    assert parse_json("[" * MAX_NESTING + "]" * MAX_NESTING)
    assert parse_json("1" + " " * (MAX_BYTES - 1)) == 1


def test_brackets_in_strings_are_no_nesting():
    assert parse_json(json.dumps(['\\"' + "[" * 100])) == ['\\"' + "[" * 100]


def test_fractions_are_read_where_they_are_wanted():
    assert parse_json("[1.950, 2]", parse_fraction=Decimal) == [Decimal("1.950"), 2]


def test_the_caller_names_subject_and_error():
    with pytest.raises(PayTableError) as caught:
        parse_json("[", subject="pay table", error=PayTableError)
    assert caught.value.subject == "pay table"
    assert caught.value.code == "money.pay_table"


@given(st.text() | st.binary())
def test_no_foreign_error_escapes(text):
    with contextlib.suppress(RecordError):
        parse_json(text)


def test_long_texts_are_refused_at_once():
    """Each of these once took seconds: a string of escaped quotes that does not end, and brackets without end."""
    for text in ('"' + '\\"' * 32_000, "[" * 65_000, '{"' * 30_000):
        with pytest.raises(RecordError):
            parse_json(text)
