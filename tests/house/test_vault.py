"""The vault: seals that open for their pair and key, and for nothing else."""

from __future__ import annotations

import copy
import os
import pickle
import stat
import traceback

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provably_fair_baccarat import ServerSeed
from provably_fair_baccarat.errors import SealError, SecretError, VaultError, VaultKeyError
from provably_fair_baccarat.house import Vault, add_key
from provably_fair_baccarat.house.vault import SEAL_BYTES, Binding, Sealed

from .conftest import KEYS, make_vault

CANARY = "c0ffee" * 10 + "beef"
SEED = ServerSeed.parse(CANARY)
BINDING = Binding("ab" * 16, "pfb1:8", b"c" * 32)


def test_a_seal_opens_for_its_binding_and_tells_nothing():
    vault = make_vault()
    sealed = vault.seal(SEED, BINDING)
    assert vault.open(sealed, BINDING) == SEED
    assert (sealed.key_id, len(sealed.seal)) == ("k1", SEAL_BYTES)
    assert bytes.fromhex(CANARY) not in sealed.seal
    assert vault.seal(SEED, BINDING).seal != sealed.seal
    assert CANARY not in repr(sealed) + repr(vault) + repr(vars(type(vault)))


def test_a_vault_stays_where_it_is(tmp_path):
    add_key(tmp_path / "keys", "k", entropy=lambda size: bytes.fromhex(CANARY))
    vault = Vault.from_key_file(tmp_path / "keys")
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        with pytest.raises(SecretError):
            pickle.dumps(vault, protocol)
    with pytest.raises(SecretError):
        vault.__getstate__()
    assert copy.copy(vault) is copy.deepcopy(vault) is vault
    assert CANARY not in f"{vault} {vault!r}"


@given(st.integers(0, SEAL_BYTES * 8 - 1))
def test_one_changed_bit_does_not_open(bit):
    vault = make_vault()
    sealed = vault.seal(SEED, BINDING)
    changed = (int.from_bytes(sealed.seal, "big") ^ (1 << bit)).to_bytes(SEAL_BYTES, "big")
    with pytest.raises(SealError, match="a changed byte"):
        vault.open(Sealed("k1", changed), BINDING)


@pytest.mark.parametrize(
    "binding",
    [Binding("ac" * 16, "pfb1:8", b"c" * 32), Binding("ab" * 16, "pfb1:6", b"c" * 32), Binding("ab" * 16, "pfb1:8", b"d" * 32)],
)
def test_a_seal_of_another_pair_label_or_commitment_does_not_open(binding):
    with pytest.raises(SealError, match="the seal of another pair"):
        make_vault().open(make_vault().seal(SEED, BINDING), binding)


def test_a_wrong_key_does_not_open():
    sealed = make_vault().seal(SEED, BINDING)
    with pytest.raises(SealError):
        make_vault(keys={"k1": b"x" * 32}).open(sealed, BINDING)
    with pytest.raises(VaultKeyError, match="'k1', found none"):
        make_vault("k2", {"k2": b"2" * 32}).open(sealed, BINDING)
    with pytest.raises(SealError, match="60 bytes"):
        make_vault().open(Sealed("k1", sealed.seal[:-1]), BINDING)


def test_a_seal_is_renewed_under_a_new_key():
    old = make_vault().seal(SEED, BINDING)
    renewed = make_vault("k2").reseal(old, BINDING)
    assert renewed.key_id == "k2"
    assert make_vault("k2", {"k2": KEYS["k2"]}).open(renewed, BINDING) == SEED


@pytest.mark.parametrize("key", [b"short", "1" * 32, None, b"1" * 33])
def test_what_is_no_key(key):
    with pytest.raises(VaultKeyError, match="32 bytes"):
        Vault(lambda _: key, "k1")


@pytest.mark.parametrize("key_id", ["", " k", "k" * 65, None, "k\n", "-k"])
def test_what_is_no_key_id(key_id):
    with pytest.raises(VaultKeyError):
        Vault(lambda _: b"1" * 32, key_id)


def test_entropy_must_be_bytes():
    with pytest.raises(VaultError):
        Vault(lambda _: b"1" * 32, "k", entropy=lambda size: b"short").seal(SEED, BINDING)


def test_a_key_file_seals_with_its_last_key_and_opens_with_all(tmp_path):
    path = tmp_path / "keys"
    add_key(path, "2026-10")
    sealed = Vault.from_key_file(path).seal(SEED, BINDING)
    add_key(path, "2026-11")
    vault = Vault.from_key_file(path)
    assert (vault.key_id, vault.open(sealed, BINDING)) == ("2026-11", SEED)
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with pytest.raises(VaultKeyError, match="does not have"):
        add_key(path, "2026-10")
    with pytest.raises(VaultKeyError):
        add_key(tmp_path / "nowhere" / "keys", "k")


def test_a_key_that_cannot_be_written_whole_is_not_in_the_file(tmp_path, monkeypatch):
    """Half a line would keep a House from opening its vault."""
    path = tmp_path / "keys"
    add_key(path, "2026-10")
    before = path.read_bytes()
    with monkeypatch.context() as disk:
        disk.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError(28, "No space left on device")))
        for name in ("keys", "new"):
            with pytest.raises(VaultKeyError, match="No space left on device"):
                add_key(tmp_path / name, "2026-11")
    assert [(each.name, each.read_bytes()) for each in tmp_path.iterdir()] == [("keys", before)]
    add_key(path, "2026-11")
    assert Vault.from_key_file(path).key_id == "2026-11"


def test_a_key_is_added_behind_a_line_without_its_end(tmp_path):
    path = tmp_path / "keys"
    path.write_text(f"k1 {CANARY}")
    add_key(path, "k2")
    assert Vault.from_key_file(path).key_id == "k2"
    assert path.read_text().startswith(f"k1 {CANARY}\nk2 ")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", "an id and 64 hex digits"),
        ("# nothing\n\n", "an id and 64 hex digits"),
        (f"k1 {CANARY[:-1]}", "63 characters"),
        (f"k1 {CANARY.upper()}", "line 1"),
        (CANARY, "line 1"),
        (f"k1 {CANARY}\nk1 {CANARY}", "line 2: expected each id once"),
        (f"k1 {CANARY}\nk2 {CANARY[:-1]}", "63 characters"),
        (f"k1 {CANARY}\n-k2 {CANARY}", "id of a key: expected 1 to 64 letters"),
        (f"k\xe9 {CANARY}", "ASCII"),
    ],
)
def test_what_is_no_key_file(tmp_path, text, found):
    path = tmp_path / "keys"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(VaultKeyError, match=found) as caught:
        Vault.from_key_file(path)
    assert CANARY not in str(caught.value).lower()
    told = traceback.TracebackException.from_exception(caught.value, capture_locals=True)
    shown = [frame for frame in told.stack if frame.filename != __file__]
    assert shown
    assert not any(CANARY[:-1] in f"{frame.locals}" or f"{bytes.fromhex(CANARY)!r}" in f"{frame.locals}" for frame in shown)
    with pytest.raises(VaultKeyError):
        Vault.from_key_file(tmp_path / "nowhere")
