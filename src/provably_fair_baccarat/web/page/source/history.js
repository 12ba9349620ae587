"use strict";
// The history file, as docs/reference/history-file.md tells it: every statement about a bettor's coups, replayed and held together.

const HISTORY_LINE = 131072;
const HISTORY_BEGINS = '"format":"pfb-history"';

const inFile = (expected, found, slips) => mismatch("history_file", SUBJECT.line, expected, found, slips);
const twice = (subject, expected, found) => mismatch("equivocation", subject, expected, found);
const inHistory = (subject, expected, found) => mismatch("history", subject, told(expected), told(found));

function agree(subject, expected, found) {
  if (expected !== found) throw inHistory(subject, expected, found);
}

const anything = (value) => value;
const lineText = text(1, HISTORY_LINE);

const HEAD_LINE = form({
  format: oneOf("pfb-history"), version: whole(1, 1), bettor: someName, currency: someCurrency, made_at: someTime, keys: anything, log: orNull(text(1, 1000)),
  checkpoint: orNull(lineText), witnesses: listOf(text(1, 1000)), openings: anyNonce, statements: anyNonce,
});
const BEACON_LINE = form({
  kind: anything, chain: hex, round: whole(1, MAX_NONCE), randomness: hex, signature: spelled(/^(?:[0-9a-f]{2})+$/, EXPECTED.hexBytes),
});
const REVEAL_LINE = form({ kind: anything, commitment: hex, nonce: orNull(anyNonce), server_seed: text(1, 256) });
const STATEMENT_LINE = form({ kind: anything, statement: lineText, index: orNull(anyNonce), proof: orNull(text(0, HISTORY_LINE)) });

/** What may follow what, under one opening. */
const AFTER_COUP = ["acceptance", "closing", "opening"];
const AFTER_BEACON = ["reveal", ...AFTER_COUP];
const FOLLOWS = {
  none: ["head"],
  head: ["opening"],
  opening: ["beacon", ...AFTER_BEACON],
  beacon: AFTER_BEACON,
  reveal: AFTER_COUP,
  acceptance: ["receipt", ...AFTER_COUP],
  receipt: AFTER_COUP,
  closing: ["opening", "acceptance", "closing"],
};

/** A history that is read line by line; each line is held against all that came before it. */
class History {
  constructor() {
    this.head = null;
    this.latest = "none";
    this.openings = [];
    this.statements = 0;
    this.unlogged = 0;
    this.keysUsed = new Set();
    this.commitments = new Set();
    this.indexes = new Set();
    this.staked = 0n;
    this.returned = 0n;
    this.proved = 0;
  }

  get opening() {
    return this.openings.at(-1);
  }

  /** Reads the next line; a statement's signature is verified before anything that it says is used. */
  async read(bytes) {
    const source = decode(bytes, HISTORY_LINE - 1);
    const value = parseJson(source, SUBJECT.line);
    if (!isObject(value)) throw inFile(EXPECTED.object, describe(value));
    if (canonicalJson(value) !== source) throw inFile(EXPECTED.canonical, FOUND.spelling, [slip("reformatted")]);
    const kind = this.head === null ? "head" : value.kind;
    const allowed = FOLLOWS[this.latest];
    if (!allowed.includes(kind)) throw inFile(say(EXPECTED.oneOf, { names: allowed.join(", ") }), describe(kind));
    if (kind === "head") await this.begin(HEAD_LINE(value, ""));
    else if (kind === "beacon") this.takeBeacon(BEACON_LINE(value, ""));
    else if (kind === "reveal") this.takeReveal(REVEAL_LINE(value, ""));
    else await this.takeStatement(kind, STATEMENT_LINE(value, ""));
    this.latest = kind;
  }

  async begin(head) {
    this.head = head;
    this.keys = readKeys(head.keys);
    this.now = microsecondsOf(head.made_at);
    this.due = Infinity;
    if (!head.log !== !head.checkpoint) throw inFile("checkpoint", FOUND.none);
    if (!head.log) return;
    const keys = [head.log, ...head.witnesses].map((text, place) => readNoteKey(text, place ? 4 : 1));
    if (new Set(keys.map(({ bytes }) => `${bytes}`)).size < keys.length) throw inFile(EXPECTED.once, FOUND.another);
    this.checkpoint = await readCheckpoint(head.checkpoint, keys[0], keys.slice(1));
  }

  async takeStatement(kind, line) {
    const statement = await readStatement(line.statement, this.keys);
    const { said } = statement;
    this.statements += 1;
    if (statement.kind !== kind) throw inFile(kind, statement.kind);
    agree(SUBJECT.bettor, this.head.bettor, said.bettor);
    this.requireEntry(statement, line);
    if (kind === "opening") this.takeOpening(statement, line);
    else this.requireLater(statement, line);
    if (kind === "acceptance") this.takeAcceptance(statement, line);
    else if (kind === "receipt") this.takeReceipt(said);
    else if (kind === "closing") this.takeClosing(said);
    const { log } = kind === "closing" ? this.opening.said : this.opening.latest.said;
    this.requirePromise(log, statement, line);
  }

  /** The statement's entry is in the log at its index. */
  requireEntry(statement, { index, proof }) {
    if ((index === null) !== (proof === null)) throw inFile("proof", FOUND.none);
    if (index === null) {
      this.unlogged += 1;
      return;
    }
    const hashes = bytesOfBase64Url(proof);
    if (!this.checkpoint || hashes === null || hashes.length % 32) throw inFile(EXPECTED.entry, describe(index));
    const path = Array.from({ length: hashes.length / 32 }, (_, i) => hashes.slice(32 * i, 32 * i + 32));
    const root = rootFrom(leafHash(entryOf(statement)), index, this.checkpoint.size, path);
    if (root === null || hexOfBytes(root) !== hexOfBytes(this.checkpoint.root)) {
      throw mismatch("log.inclusion", SUBJECT.entry, EXPECTED.entry, FOUND.another);
    }
    if (this.indexes.has(index)) throw twice(SUBJECT.entry, EXPECTED.once, describe(index));
    this.indexes.add(index);
  }

  /** No promise ran out by the latest time that the file knows of: it may say that it is older than what is in it. */
  requirePromise(promise, { time }, { index }) {
    const { log } = this.head;
    this.now = Math.max(this.now, time);
    if (promise && index === null) this.due = Math.min(this.due, time + promise.maximum_delay * 1e6);
    if (this.due < this.now || (promise && log && promise.key !== log)) throw mismatch("log.promise", SUBJECT.promise, EXPECTED.promise, FOUND.none);
  }

  takeOpening({ said, time }, { index }) {
    this.requireEnd();
    const { scheme, label, decks, commitment, chain, number, previous, currency } = said;
    const known = schemeNamed(scheme);
    agree(SUBJECT.openingNumber, this.openings.length, number);
    agree(SUBJECT.previous, this.opening?.said.commitment ?? null, previous);
    if (this.commitments.has(commitment)) throw twice(SUBJECT.commitment, EXPECTED.once, commitment);
    agree(SUBJECT.label, known.label(decks), label);
    agree(SUBJECT.chain, known.dealsFromChains, chain !== null);
    if (chain !== null && chainCommitment(decks, chain) !== commitment) {
      throw mismatch("commitment", SUBJECT.chainCommitment, commitment, chainCommitment(decks, chain));
    }
    agree(SUBJECT.currency, canonicalJson(this.head.currency), canonicalJson(currency));
    this.commitments.add(commitment);
    this.openings.push({ said, latest: { said, time, index }, receipts: 0, coups: 0, beacon: null, reveal: null, closing: null, clientSeed: null, madeBy: null, proved: 0 });
  }

  takeBeacon({ chain, round, randomness, signature }) {
    const { beacon } = this.opening.said;
    const isNamed = beacon?.chain === chain && beacon.round === round;
    if (!isNamed || hexOfWords(sha256(bytesOfHex(signature))) !== randomness) {
      throw mismatch("beacon", SUBJECT.beacon, EXPECTED.beacon, FOUND.another);
    }
    this.opening.beacon = { round, randomness };
  }

  takeReveal({ commitment, nonce, server_seed: serverSeed }) {
    const { said } = this.opening;
    const scheme = SCHEMES[said.scheme];
    agree(SUBJECT.commitment, said.commitment, commitment);
    if ((nonce !== null) !== scheme.dealsFromChains) throw inHistory(SUBJECT.nonce, EXPECTED.text, nonce);
    const seeds = readSeeds({ ...said, serverSeed, clientSeed: "unused", decks: said.decks ?? MAX_DECKS });
    if (nonce !== null) requireLink(seeds, nonce, true);
    this.opening.reveal = { nonce, serverSeed };
  }

  /** What is said under an opening is about its commitment, and neither dated nor logged before that or the acceptances so far. */
  requireLater({ said, time }, { index }) {
    const { opening } = this;
    const { latest } = opening;
    agree(SUBJECT.commitment, opening.said.commitment, (said.record ?? said).commitment);
    if (time < latest.time) throw inHistory(SUBJECT.time, latest.said.time, said.time);
    if (index !== null && index < latest.index) throw inHistory(SUBJECT.entry, EXPECTED.order, index);
  }

  takeAcceptance({ said, time }, { index }) {
    const { opening } = this;
    if (opening.closing) throw twice(SUBJECT.closing, EXPECTED.lastCoup, describe(said.nonce));
    agree(SUBJECT.nonce, opening.coups, said.nonce);
    if (said.nonce >= opening.said.cap) throw inHistory(SUBJECT.cap, opening.said.cap, said.nonce);
    opening.clientSeed ??= said.client_seed;
    opening.madeBy ??= said.client_seed_made_by;
    agree(SUBJECT.clientSeed, opening.clientSeed, said.client_seed);
    agree(SUBJECT.digest, opening.said.pay_table_digest, said.pay_table_digest);
    if (this.keysUsed.has(said.key)) throw twice(SUBJECT.requestKey, EXPECTED.once, describe(said.key));
    this.keysUsed.add(said.key);
    if (said.client_seed_made_by === "operator") this.requireBeacon(said.client_seed);
    opening.latest = { said, time, index: index ?? opening.latest.index };
    opening.coups += 1;
  }

  /** A client seed of the operator's side is made of the drand round that the opening named. */
  requireBeacon(clientSeed) {
    const { beacon, said } = this.opening;
    if (!said.beacon) return;
    const expected = beacon && `drand-${beacon.round}-${beacon.randomness}-${said.commitment.slice(0, 16)}`;
    if (clientSeed !== expected) throw mismatch("beacon", SUBJECT.clientSeed, told(expected), describe(clientSeed));
  }

  takeReceipt(said) {
    const { opening } = this;
    const { scheme, label, chain } = opening.said;
    const accepted = opening.latest.said;
    const { record } = said;
    const stakes = Object.fromEntries(Object.entries(record.bets).map(([bet, { stake }]) => [bet, stake]));
    const same = (subject, expected, found) => agree(subject, canonicalJson(withTexts(expected)), canonicalJson(withTexts(found)));
    same(SUBJECT.scheme, scheme, record.scheme);
    same(SUBJECT.label, label, record.label);
    same(SUBJECT.chain, chain, record.chain);
    same(SUBJECT.clientSeed, accepted.client_seed, record.client_seed);
    same(SUBJECT.madeBy, accepted.client_seed_made_by, record.client_seed_made_by);
    same(SUBJECT.nonce, accepted.nonce, record.nonce);
    same(SUBJECT.requestKey, accepted.key, said.key);
    same(SUBJECT.stakes, accepted.bets, stakes);
    same(SUBJECT.digest, accepted.pay_table_digest, record.pay_table_digest);
    same(SUBJECT.currency, this.head.currency, record.currency);
    same(SUBJECT.acceptedAt, accepted.time, record.accepted_at);
    opening.receipts += 1;
    this.prove(record);
  }

  /** Replays a coup whose server seed is revealed. */
  prove(record) {
    const { opening } = this;
    const { reveal } = opening;
    if (!reveal || (reveal.nonce !== null && record.nonce > reveal.nonce)) return;
    const serverSeed = reveal.nonce === null ? reveal.serverSeed : hexOfWords(linksOf(opening.said.chain.anchor)[record.nonce + 1]);
    const { error, settlement } = verify({ serverSeed, commitment: null }, record, true);
    if (error !== null) throw new Refusal(error);
    this.staked += settlement.staked;
    this.returned += settlement.returned;
    this.proved += 1;
    opening.proved += 1;
  }

  takeClosing(said) {
    const { opening } = this;
    if (opening.closing) throw twice(SUBJECT.closing, EXPECTED.once, said.time);
    agree(SUBJECT.coups, said.coups, opening.coups);
    agree(SUBJECT.receipts, opening.coups, opening.receipts);
    opening.closing = said;
  }

  /** What must be so when an opening has all its lines. */
  requireEnd() {
    if (this.opening === undefined) return;
    const { said, closing, reveal, proved, coups } = this.opening;
    const isChain = said.chain !== null;
    if (closing === null && reveal !== null && (!isChain || proved <= reveal.nonce)) throw inHistory(SUBJECT.closing, EXPECTED.closing, FOUND.none);
    const isAll = closing === null || (isChain ? proved === coups : reveal !== null);
    if (!isAll) throw mismatch("not_revealed", SUBJECT.commitment, EXPECTED.revealed, FOUND.noSuch);
  }

  /** The end of the file, in which each commitment is that the bettor was shown. */
  end(shown) {
    if (this.head === null) throw inFile("pfb-history", FOUND.nothing);
    this.requireEnd();
    for (const [said, there] of [[this.head.openings, this.openings.length], [this.head.statements, this.statements]]) {
      if (said !== there) throw inFile(String(said), String(there));
    }
    const gone = shown.find((commitment) => !this.commitments.has(commitment));
    if (gone !== undefined) throw mismatch("left_out", SUBJECT.commitment, gone, FOUND.leftOut);
  }

  summary(error, line, isSignedHere) {
    const openings = this.openings.map(({ said: { commitment, label }, coups, proved, closing, clientSeed, madeBy }) => ({
      commitment, label, coups, proved, isClosed: closing !== null, madeBy, isMarked: clientSeed !== null && isMarked(clientSeed, commitment),
    }));
    const { head, keys, statements, unlogged, staked, returned, proved, checkpoint } = this;
    return {
      error, line, openings, statements, unlogged, staked, returned, proved, isSignedHere, bettor: head?.bettor ?? null, madeAt: head?.made_at ?? null,
      keys: Array.from(keys?.keys() ?? []), log: checkpoint ? { origin: checkpoint.origin, size: checkpoint.size, witnesses: head.witnesses.length } : null,
    };
  }
}

/** Verifies a history file, whole. */
async function verifyHistory(blob, kept, report, rest) {
  const history = new History();
  const isSignedHere = await canVerifySignatures();
  let latest = 0;
  try {
    await readLines(blob, HISTORY_LINE, ({ done, size }) => report({ done, size, rounds: history.proved }), rest, async ({ bytes, end, number }) => {
      latest = number;
      if (end === blob.size) throw inFile(EXPECTED.lineEnd, FOUND.noLineEnd, [slip("reformatted")]);
      await history.read(bytes);
    });
    history.end(kept.commitment?.split(/[\s,]+/).filter(Boolean) ?? []);
    return history.summary(null, null, isSignedHere);
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    return history.summary(refusal.told, latest, isSignedHere);
  }
}
