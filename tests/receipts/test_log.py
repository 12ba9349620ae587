"""The log: RFC 6962's trees, C2SP's notes and tiles, by known answers that others published; and one on disk."""

from __future__ import annotations

import os
import pickle
import random
import shutil
from base64 import b64decode, b64encode

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from provably_fair_baccarat.errors import (
    CheckpointError,
    ConsistencyError,
    InclusionError,
    LogError,
    LogStoreError,
    SigningKeyError,
    SplitViewError,
    StatementFormError,
)
from provably_fair_baccarat.receipts import PrivateKey, VerificationKey, new_key_file
from provably_fair_baccarat.receipts.ed25519_key import is_signed
from provably_fair_baccarat.receipts.log import (
    Checkpoint,
    LogEntry,
    LogWriter,
    NoteKey,
    TileLog,
    cosign_checkpoint,
    read_checkpoint,
    require_same_log,
    sign_checkpoint,
)
from provably_fair_baccarat.receipts.log import files as files_module
from provably_fair_baccarat.receipts.log.merkle import (
    EMPTY_ROOT,
    InclusionVerifier,
    hash_leaf,
    hash_node,
    root_of,
    verify_consistency,
    verify_inclusion,
)
from provably_fair_baccarat.receipts.log.tiles import Tile, TiledTree, edge_of, read_bundle, write_bundle

SECRET = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
PRIVATE = PrivateKey(SECRET, VerificationKey(SECRET.public_key().public_bytes_raw(), 0))
KEY = NoteKey("casino.example/log", PRIVATE.public.raw)


@pytest.fixture(scope="module")
def known(vectors):
    return vectors("log")


@pytest.fixture
def writer(tmp_path):
    with LogWriter(tmp_path / "log", KEY, PRIVATE) as opened:
        yield opened


def hashes(texts):
    return [bytes.fromhex(text) for text in texts]


def entries_of(count, seed=1):
    chance = random.Random(seed)
    return [chance.randbytes(chance.choice((0, 1, 5, 40))) for _ in range(count)]


# Trees


def test_hashes_and_roots_are_the_published_ones(known):
    assert EMPTY_ROOT.hex() == known["hashes"]["empty_root"]
    assert hash_leaf(bytes.fromhex(known["hashes"]["leaf"][0])).hex() == known["hashes"]["leaf"][1]
    left, right, node = hashes(known["hashes"]["node"])
    assert hash_node(left, right) == node
    leaves = [hash_leaf(leaf) for leaf in hashes(known["leaves"])]
    assert [root_of(leaves[: size + 1]).hex() for size in range(8)] == known["roots"]
    assert root_of([]) == EMPTY_ROOT


def test_published_inclusion_proofs_are_made_and_verified(known):
    leaves = [hash_leaf(leaf) for leaf in hashes(known["leaves"])]
    for case in known["inclusion"]:
        index, size, proof = case["index"], case["size"], hashes(case["proof"])
        root = bytes.fromhex(known["roots"][size - 1])
        verify_inclusion(leaves[index], index, size, proof, root)
        assert tree_of(leaves).inclusion_proof(index, size) == proof
        for wrong in broken_inclusions(leaves[index], index, size, proof, root):
            with pytest.raises(InclusionError):
                verify_inclusion(*wrong)


def broken_inclusions(leaf, index, size, proof, root):
    some = bytes.fromhex("abacaba000000000000000000000000000000000000000000060061e00123456")
    yield from ((leaf, other, size, proof, root) for other in (index - 1, index + 1, index ^ 2, -1, True, None))
    yield from ((leaf, index, other, proof, root) for other in (size * 2, size // 2, 0, 2**63))
    yield from ((other, index, size, proof, root) for other in (b"WrongLeaf", some, b""))
    yield from ((leaf, index, size, proof, other) for other in (EMPTY_ROOT, some, b""))
    yield from ((leaf, index, size, other, root) for other in ([*proof, b""], [*proof, root], [b"", *proof], [root, *proof]))
    for place in range(len(proof)):
        yield leaf, index, size, [*proof[:place], bytes([proof[place][0] ^ 8]) + proof[place][1:], *proof[place + 1 :]], root
    if proof:
        yield leaf, index, size, proof[:-1], root
    if len(proof) > 1:
        yield leaf, index, size, [proof[0], some, *proof[1:]], root


def test_published_consistency_proofs_are_made_and_verified(known):
    leaves = [hash_leaf(leaf) for leaf in hashes(known["leaves"])]
    for case in known["consistency"]:
        old, size, proof = case["old_size"], case["size"], hashes(case["proof"])
        old_root, root = (bytes.fromhex(known["roots"][each - 1]) for each in (old, size))
        verify_consistency(old, old_root, size, root, proof)
        assert tree_of(leaves).consistency_proof(old, size) == proof
        if proof:
            for wrong in broken_consistencies(old, old_root, size, root, proof):
                with pytest.raises(ConsistencyError):
                    verify_consistency(*wrong)


def broken_consistencies(old, old_root, size, root, proof):
    yield from ((other, old_root, size, root, proof) for other in (old - 1, old + 1, old ^ 2, size + 1))
    yield from ((old, old_root, other, root, proof) for other in (size * 2, size // 2))
    yield from ((old, b"WrongRoot", size, root, proof), (old, old_root, size, b"WrongRoot", proof), (old, root, size, old_root, proof))
    more = [*proof, b""], [*proof, old_root], [*proof, root], [b"", *proof], [old_root, *proof], [root, *proof], [proof[0], *proof]
    yield from ((old, old_root, size, root, other) for other in ([], *more, proof[:-1]))
    for place in range(len(proof)):
        yield old, old_root, size, root, [*proof[:place], bytes([proof[place][0] ^ 16]) + proof[place][1:], *proof[place + 1 :]]


def test_many_proofs_under_one_root_are_verified_like_each_alone():
    chance = random.Random(4)
    for size in (1, 2, 7, 64, 100):
        leaves = [hash_leaf(bytes([number])) for number in range(size)]
        tree, root = tree_of(leaves), root_of(leaves)
        verifier = InclusionVerifier(size, root)
        for _ in range(400):
            index = chance.randrange(size)
            proof = tuple(tree.inclusion_proof(index))
            wrong = [
                (leaves[index], (index + 1) % (size + 1), proof),
                (hash_leaf(b"x"), index, proof),
                (leaves[index], index, (*proof, root)),
            ]
            if proof:
                place = chance.randrange(len(proof))
                changed = bytes([proof[place][0] ^ 1]) + proof[place][1:]
                wrong += [(leaves[index], index, (*proof[:place], changed, *proof[place + 1 :])), (leaves[index], index, proof[:-1])]
            for leaf, at, path in wrong:
                with pytest.raises(InclusionError):
                    verify_inclusion(leaf, at, size, path, root)
                with pytest.raises(InclusionError):
                    verifier.verify(leaf, at, b"".join(path))
            verifier.verify(leaves[index], index, b"".join(proof))
            for negative in (index - size, ~(index ^ 1), -1):
                with pytest.raises(InclusionError):
                    verifier.verify(leaves[index], negative, b"".join(proof))
    verifier.verify(leaves[0], 0, b"".join(tree.inclusion_proof(0)))
    for wrong in (leaves[1], leaves[0]):
        with pytest.raises(InclusionError):
            verifier.verify(wrong, -1, b"".join(tree.inclusion_proof(1)))


def test_trees_that_are_always_or_never_consistent():
    one, two = b"1" * 32, b"2" * 32
    for fine in ((0, EMPTY_ROOT, 0, EMPTY_ROOT), (0, EMPTY_ROOT, 1, two), (1, two, 1, two)):
        verify_consistency(*fine, [])
    for wrong in (
        (0, EMPTY_ROOT, 0, two, []),
        (0, two, 0, EMPTY_ROOT, []),
        (0, two, 0, two, []),
        (0, one, 1, two, []),
        (1, one, 1, two, []),
        (1, one, 0, two, []),
        (2, one, 1, two, []),
        (1, one, 2, two, []),
        (0, EMPTY_ROOT, 1, two, [one]),
    ):
        with pytest.raises(ConsistencyError):
            verify_consistency(*wrong)


def test_every_proof_of_a_small_tree_verifies_and_no_other_index_does():
    leaves = [hash_leaf(bytes([number])) for number in range(33)]
    roots = [root_of(leaves[:size]) for size in range(34)]
    tree = tree_of(leaves)
    for size in range(1, 34):
        assert tree.root(size) == roots[size]
        for index in range(size):
            proof = tree.inclusion_proof(index, size)
            verify_inclusion(leaves[index], index, size, proof, roots[size])
            with pytest.raises(InclusionError):
                verify_inclusion(leaves[index], (index + 1) % size if size > 1 else 1, size, proof, roots[size])
        for old in range(size + 1):
            proof = tree.consistency_proof(old, size)
            verify_consistency(old, roots[old], size, roots[size], proof)
            if proof:
                with pytest.raises(ConsistencyError):
                    verify_consistency(old, roots[old - 1], size, roots[size], proof)
    for wrong in (lambda: tree.inclusion_proof(33), lambda: tree.inclusion_proof(-1), lambda: tree.consistency_proof(34)):
        with pytest.raises(LogStoreError):
            wrong()


def tree_of(leaves):
    """A tree in memory, one tile wide."""
    return TiledTree(len(leaves), lambda tile: b"".join(leaves) if tile.level == 0 else b"")


# Notes and checkpoints


def test_a_checkpoint_that_sigstore_published_is_read_with_its_witnesses(known):
    case = known["rekor"]
    witnesses = [NoteKey.parse(text) for text in case["witnesses"]]
    checkpoint = read_checkpoint(case["checkpoint"], NoteKey.parse(case["log"]), witnesses)
    assert (checkpoint.origin, checkpoint.size) == ("log2025-1.rekor.sigstore.dev", 114_068_855)
    assert [each.witness for each in checkpoint.cosignatures] == witnesses
    assert {each.time for each in checkpoint.cosignatures} == {case["time"]}
    assert not read_checkpoint(case["checkpoint"], NoteKey.parse(case["log"])).cosignatures


def test_go_s_example_key_and_note_verify(known):
    key = NoteKey.parse(known["key_texts"]["valid"])
    assert (key.name, str(key)) == ("PeterNeumann", known["key_texts"]["valid"])
    signature = b64decode(known["note"]["signature"])
    assert signature[:4] == key.id
    assert is_signed(key.point, signature[4:], known["note"]["text"].encode())
    for text in (*known["key_texts"]["invalid"], "", None, key):
        with pytest.raises(SigningKeyError):
            NoteKey.parse(text)


def test_every_part_of_a_key_text_counts(known):
    text = known["key_texts"]["valid"]
    for begin in range(len(text)):
        for end in range(begin + 1, len(text) + 1):
            if (begin, end) != (0, len(text)):
                with pytest.raises(SigningKeyError):
                    NoteKey.parse(text[begin:end])


def test_checkpoints_are_read_and_written_as_known(known):
    case = known["checkpoint"]
    log, witness = NoteKey.parse(case["log"]), NoteKey.parse(case["witness"])
    checkpoint = read_checkpoint(case["text"], log, [witness])
    assert (checkpoint.size, checkpoint.root.hex()) == (8, known["roots"][7])
    assert [(each.witness, each.time) for each in checkpoint.cosignatures] == [(witness, case["time"])]
    secrets = [Ed25519PrivateKey.from_private_bytes(bytes.fromhex(text)) for text in SECRETS]
    private = [PrivateKey(secret, VerificationKey(secret.public_key().public_bytes_raw(), 0)) for secret in secrets]
    written = sign_checkpoint(8, checkpoint.root, log, private[0])
    assert cosign_checkpoint(written, witness, private[1], case["time"]) == case["text"]
    assert pickle.loads(pickle.dumps(checkpoint)) == checkpoint


SECRETS = (
    "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
    "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
)


def test_wrong_checkpoints_are_refused(known):
    log, witness = (NoteKey.parse(known["checkpoint"][name]) for name in ("log", "witness"))
    assert len(known["invalid_checkpoints"]) > 20
    for case in known["invalid_checkpoints"]:
        with pytest.raises(CheckpointError):
            pytest.fail(f"{case['name']}: {read_checkpoint(case['text'], log, [witness])}")
    with pytest.raises(CheckpointError):
        read_checkpoint(b"bytes", log)


def test_signed_text_is_refused_where_c2sp_has_none_like_it(writer):
    """Well signed, but with a control character in the text, or a time that no clock tells."""
    body = writer.checkpoint.text.partition("\n\n")[0]
    for line, is_fine in (("an extension", True), ("an ext\tension", False), ("\x00", False)):
        signed = f"{body}\n{line}\n"
        told = f"{signed}\n\N{EM DASH} {KEY.name} {b64encode(KEY.id + PRIVATE.sign(signed.encode())).decode()}\n"
        if is_fine:
            assert read_checkpoint(told, KEY).size == 0
        else:
            with pytest.raises(CheckpointError, match="control characters"):
                read_checkpoint(told, KEY)
    other = Ed25519PrivateKey.from_private_bytes(bytes(32))
    private = PrivateKey(other, VerificationKey(other.public_key().public_bytes_raw(), 0))
    witness = NoteKey("witness.example/w1", private.public.raw, "witness")
    for time in (0, 2**63 - 1):
        assert (
            read_checkpoint(cosign_checkpoint(writer.checkpoint.text, witness, private, time), KEY, [witness]).cosignatures[0].time == time
        )
    with pytest.raises(CheckpointError, match="signature of witness"):
        read_checkpoint(cosign_checkpoint(writer.checkpoint.text, witness, private, 2**63), KEY, [witness])


def test_a_leaf_is_a_hash():
    """The tree of one leaf has it as its root, so that anything would be a leaf of the tree whose root it is."""
    verify_inclusion(bytes(32), 0, 1, [], bytes(32))
    for wrong in (b"", b"x", bytes(33)):
        with pytest.raises(InclusionError):
            verify_inclusion(wrong, 0, 1, [], wrong)


def test_one_key_is_one_witness_and_a_log_none_of_its_own(writer):
    """Whoever has a key can cosign under as many names as it likes."""
    other = Ed25519PrivateKey.from_private_bytes(bytes(32))
    private = PrivateKey(other, VerificationKey(other.public_key().public_bytes_raw(), 0))
    one, two = (NoteKey(f"witness.example/{name}", private.public.raw, "witness") for name in ("w1", "w2"))
    own = NoteKey("witness.example/w3", KEY.raw, "witness")
    text = cosign_checkpoint(cosign_checkpoint(writer.checkpoint.text, one, private, 5), two, private, 5)
    assert len(read_checkpoint(text, KEY, [one, one]).cosignatures) == 1
    assert [each.witness for each in read_checkpoint(text, KEY, [two]).cosignatures] == [two]
    with pytest.raises(
        SigningKeyError, match=r"key of witness witness.example/w2: expected one of its own, found that of witness witness.example/w1"
    ):
        read_checkpoint(text, KEY, [one, two])
    with pytest.raises(SigningKeyError, match=r"found that of log casino.example/log"):
        read_checkpoint(cosign_checkpoint(text, own, PRIVATE, 5), KEY, [one, own])
    with pytest.raises(SigningKeyError, match="that of a log"):
        read_checkpoint(text, KEY, [NoteKey("other.example", private.public.raw)])
    with pytest.raises(SigningKeyError, match="role"):
        NoteKey("other.example", private.public.raw, "judge")


def test_two_views_of_one_log_are_told():
    leaves = [hash_leaf(bytes([number])) for number in range(9)]
    forked = [*leaves[:4], hash_leaf(b"forged"), *leaves[5:]]
    tree, fork = tree_of(leaves), tree_of(forked)

    def at(view, size):
        return Checkpoint(KEY.name, size, view.root(size), "")

    require_same_log(at(tree, 9), at(tree, 4), tree.consistency_proof(4, 9))
    require_same_log(at(tree, 4), at(fork, 9), fork.consistency_proof(4, 9))  # the fork begins behind them
    with pytest.raises(SplitViewError):
        require_same_log(at(tree, 9), at(fork, 9))
    for proof in (tree.consistency_proof(6, 9), fork.consistency_proof(6, 9), []):
        with pytest.raises(ConsistencyError):
            require_same_log(at(tree, 6), at(fork, 9), proof)
    with pytest.raises(CheckpointError):
        require_same_log(at(tree, 9), Checkpoint("other.example", 9, tree.root(), ""))


# Tiles


def test_tiles_have_the_paths_that_c2sp_says(known):
    for case in known["tiles"]:
        assert Tile(case["level"], case["number"], case["width"]).path == case["path"]
    assert edge_of(known["edge"]["size"]) == [Tile(*tile) for tile in known["edge"]["tiles"]]
    assert edge_of(256) == [Tile(1, 0, 1)]
    assert edge_of(0) == []


def test_bundles_hold_entries_behind_their_lengths():
    entries = [b"", b"a", bytes(65535)]
    data = write_bundle(entries)
    assert data[:5] == b"\0\0\0\1a"
    assert read_bundle(data, 3) == entries
    assert read_bundle(data, 2) == entries[:2]
    for wrong, width in ((data[:-1], 3), (data, 4), (b"\0", 1)):
        with pytest.raises(LogStoreError):
            read_bundle(wrong, width)


def test_an_entry_of_the_log_has_one_spelling():
    entry = LogEntry.of("acceptance", "ab" * 32, 14, "a.b.c")
    assert LogEntry.parse(entry.to_json()) == entry
    assert LogEntry.parse(LogEntry("closing", "ab" * 32, None, "cd" * 32).to_json()).nonce is None
    for wrong in (entry.to_json() + b"\n", entry.to_json().replace(b":", b": ", 1), entry.to_json().replace(b"14", b"014"), b"{}"):
        with pytest.raises(StatementFormError):
            LogEntry.parse(wrong)


# On disk


def test_a_log_on_disk_is_the_tree_of_its_entries(writer, tmp_path):
    entries, chance = [], random.Random(7)
    while len(entries) < 1100:
        new = entries_of(chance.choice((1, 2, 5, 40, 255, 256, 300)), len(entries))
        checkpoint = writer.append(new, at=len(entries))
        entries += new
        assert (checkpoint.size, checkpoint.root) == (len(entries), root_of([hash_leaf(entry) for entry in entries]))
    log = TileLog(tmp_path / "log", KEY)
    log.verify()
    assert log.checkpoint.root == checkpoint.root
    assert list(log.entries()) == entries
    assert list(log.entries(255, 700)) == entries[255:700]
    leaves = [hash_leaf(entry) for entry in entries]
    for _ in range(200):
        size = chance.randint(1, len(entries))
        index, old = chance.randrange(size), chance.randint(0, size)
        root = root_of(leaves[:size])
        verify_inclusion(leaves[index], index, size, log.tree.inclusion_proof(index, size), root)
        verify_consistency(old, root_of(leaves[:old]), size, root, log.tree.consistency_proof(old, size))
    kept = sorted(path.relative_to(tmp_path / "log").as_posix() for path in (tmp_path / "log").rglob("*") if path.is_file())
    size = len(entries)
    wanted = {"checkpoint", ".writer", *(tile.path for tile in edge_of(size)), Tile(-1, size // 256, size % 256).path}
    wanted |= {Tile(level, number).path for level in (-1, 0) for number in range(size // 256)}
    assert wanted <= set(kept)
    assert all(".p/" in path for path in set(kept) - wanted)


def test_a_log_goes_on_where_it_was(writer, tmp_path):
    entries = entries_of(700)
    writer.append(entries[:300])
    writer.close()
    with LogWriter(tmp_path / "log", KEY, PRIVATE) as again:
        assert again.size == 300
        assert again.append(entries[300:]).root == root_of([hash_leaf(entry) for entry in entries])
        assert again.append([]).size == 700
        with pytest.raises(LogStoreError, match="699"):
            again.append([b"x"], at=699)
        with pytest.raises(LogStoreError):
            again.append([bytes(65536)])
        assert again.append([bytes(65535)]).size == 701


def test_a_log_that_was_closed_takes_nothing_more(writer, tmp_path):
    writer.append([b"a"])
    text = writer.checkpoint.text
    writer.close()
    with LogWriter(tmp_path / "log", KEY, PRIVATE) as other:
        other.append([b"b"])
        for late in (lambda: writer.append([b"c"]), lambda: writer.append([]), lambda: writer.add_cosignatures(text, [])):
            with pytest.raises(LogStoreError, match="closed"):
                late()
        assert TileLog(tmp_path / "log", KEY).checkpoint.size == other.size == 2


def test_every_folder_of_a_log_is_on_the_disk_with_its_name(tmp_path, monkeypatch):
    synced = set()
    monkeypatch.setattr(files_module, "sync_folder", synced.add)
    with LogWriter(tmp_path / "new" / "log", KEY, PRIVATE) as opened:
        opened.append([b"a"])
    made = {path for path in (tmp_path / "new").rglob("*") if path.is_dir()} | {tmp_path / "new"}
    assert {path.parent for path in made} <= synced


def test_one_process_appends(writer, tmp_path):
    with pytest.raises(LogStoreError, match="another one"):
        LogWriter(tmp_path / "log", KEY, PRIVATE)
    assert TileLog(tmp_path / "log", KEY).checkpoint.size == 0


def test_another_key_or_damage_is_told(writer, tmp_path):
    writer.append(entries_of(300))
    writer.close()
    other = Ed25519PrivateKey.from_private_bytes(bytes(32))
    wrong = PrivateKey(other, VerificationKey(other.public_key().public_bytes_raw(), 0))
    with pytest.raises(SigningKeyError):
        LogWriter(tmp_path / "log", KEY, wrong)
    with pytest.raises(CheckpointError):
        LogWriter(tmp_path / "log", NoteKey(KEY.name, wrong.public.raw), wrong)
    for path, change in (("tile/0/000", flipped), ("tile/entries/000", flipped), ("tile/0/001.p/44", flipped), ("tile/entries/000", cut)):
        copy = tmp_path / f"copy of {path.replace('/', '-')} {change.__name__}"
        shutil.copytree(tmp_path / "log", copy)
        change(copy / path)
        with pytest.raises((LogStoreError, LogError)):
            TileLog(copy, KEY).verify()
    (tmp_path / "log" / "checkpoint").unlink()
    with pytest.raises(LogStoreError, match="tiles without one"):
        LogWriter(tmp_path / "log", KEY, PRIVATE)
    with pytest.raises(LogStoreError):
        TileLog(tmp_path / "log", KEY)


def test_tiles_of_another_log_are_not_those_of_the_checkpoint(writer, tmp_path):
    """Entries and hashes that fit together, and that the log has never signed: nobody may append to them."""
    writer.append(entries_of(300))
    writer.close()
    with LogWriter(tmp_path / "other", KEY, PRIVATE) as other:
        other.append(entries_of(300, seed=2))
    shutil.copytree(tmp_path / "other" / "tile", tmp_path / "log" / "tile", dirs_exist_ok=True)
    for use in (lambda: TileLog(tmp_path / "log", KEY).verify(), lambda: LogWriter(tmp_path / "log", KEY, PRIVATE)):
        with pytest.raises(LogStoreError, match="root of casino"):
            use()


def flipped(path):
    data = bytearray(path.read_bytes())
    data[40] ^= 1
    path.write_bytes(data)


def cut(path):
    path.write_bytes(path.read_bytes()[:-1])


def test_a_full_disk_appends_nothing(writer, tmp_path, monkeypatch):
    entries = entries_of(600)
    writer.append(entries[:100])
    real = files_module._sync_file
    for fails_at in range(12):
        calls = iter(range(100))

        def failing(path, fails_at=fails_at, calls=calls):
            if next(calls) == fails_at:
                raise OSError(28, os.strerror(28))
            real(path)

        monkeypatch.setattr(files_module, "_sync_file", failing)
        size = writer.size
        try:
            writer.append(entries[size : size + 100], at=size)
        except LogStoreError:
            assert writer.size == size
        monkeypatch.setattr(files_module, "_sync_file", real)
        log = TileLog(tmp_path / "log", KEY)
        log.verify()
        assert log.checkpoint.size == writer.size == writer.checkpoint.size
    assert writer.append(entries[writer.size :]).root == root_of([hash_leaf(entry) for entry in entries])


def test_cosignatures_are_put_in_if_they_are_a_known_witness_s(writer, tmp_path):
    writer.append(entries_of(3))
    other = Ed25519PrivateKey.from_private_bytes(bytes(32))
    private = PrivateKey(other, VerificationKey(other.public_key().public_bytes_raw(), 0))
    witness = NoteKey("witness.example/w1", private.public.raw, "witness")
    signed = writer.checkpoint.text
    cosigned = cosign_checkpoint(signed, witness, private, 1_796_040_000)
    with pytest.raises(CheckpointError):
        writer.add_cosignatures(signed, [witness])
    with pytest.raises(CheckpointError):
        writer.add_cosignatures(cosigned, [])
    assert writer.add_cosignatures(cosigned, [witness]).cosignatures[0].time == 1_796_040_000
    assert TileLog(tmp_path / "log", KEY, [witness]).checkpoint.cosignatures[0].witness == witness
    writer.append(entries_of(1))
    with pytest.raises(CheckpointError):
        writer.add_cosignatures(cosigned, [witness])


def test_a_log_may_be_opened_by_its_key_file(tmp_path):
    from datetime import UTC, datetime

    new_key_file(tmp_path / "log.key", datetime(2026, 1, 1, tzinfo=UTC))
    with LogWriter.from_key_file(tmp_path / "log", "casino.example/log", tmp_path / "log.key") as log:
        assert log.append([b"a"]).origin == "casino.example/log"
