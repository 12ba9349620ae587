"""What to do about it is said with what is wrong: hints of states, files, URLs, keys and multipliers."""

from __future__ import annotations

from uuid import UUID

import pytest

from provably_fair_baccarat import PayTable
from provably_fair_baccarat.errors import PairStateError, PayTableError, RequestError, StoreError
from provably_fair_baccarat.house import SqliteStore
from provably_fair_baccarat.house.sqlite.schema import MIGRATIONS


def slips_of(error):
    return [slip.code for slip in error.value.slips]


def test_a_pair_that_takes_no_bets_says_what_to_do(house):
    pair = house.commit("ann")
    with pytest.raises(PairStateError, match="Choose its client seed first") as error:
        house.play(pair, {"player": 5}, "1")
    assert slips_of(error) == ["not_chosen"]
    house.choose_client_seed(pair, "x")
    house.close_pair(pair)
    with pytest.raises(PairStateError) as error:
        house.play(pair, {"player": 5}, "2")
    assert slips_of(error) == ["pair_closing"]
    house.rotate(pair)
    with pytest.raises(PairStateError) as error:
        house.play(pair, {"player": 5}, "3")
    assert slips_of(error) == ["pair_revealed"]


def test_a_file_that_is_no_database_is_not_to_be_asked_again(tmp_path):
    (tmp_path / "notes.txt").write_bytes(b"not a database, " * 100)
    with pytest.raises(StoreError) as error:
        SqliteStore(tmp_path / "notes.txt")
    assert slips_of(error) == ["other_file"]


def test_a_store_takes_a_path():
    with pytest.raises(StoreError) as error:
        SqliteStore("postgresql://ann:secret@db.example/house")
    assert slips_of(error) == ["url_for_path"]
    assert "secret" not in str(error.value)


def test_a_key_is_text(house):
    pair = house.choose_client_seed(house.commit("ann"), "x")
    with pytest.raises(RequestError, match=r"Pass str\(key\)"):
        house.play(pair, {"player": 5}, UUID(int=7))


@pytest.mark.parametrize("odds", ["8:1", "8 to 1", "8/1"])
def test_odds_are_no_multiplier(odds):
    with pytest.raises(PayTableError, match=r"8 to 1 is 9\.0"):
        PayTable(tie_multiplier=odds)


def test_a_migration_is_shown_without_its_sql():
    assert all("CREATE" in step.sql and "CREATE" not in repr(step) for step in MIGRATIONS[:1])
