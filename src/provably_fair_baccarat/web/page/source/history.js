"use strict";
// The history file, as docs/reference/history-file.md tells it: every statement about a bettor's coups, replayed and held together.

const HISTORY_LINE = 131072;
const HISTORY_BEGINS = '"format":"pfb-history"';

const inFile = (expected, found) => refuse("verification.history_file", TEXT.subject.line, expected, found);
const twice = (subject, expected, found) => refuse("verification.equivocation", subject, expected, found);
const inHistory = (subject, expected, found) => refuse("verification.history", subject, told(expected), told(found));

const listOf = (read) => (value, path) => (Array.isArray(value) ? value.map((each, i) => read(each, `${path}.${i}`)) : refuseField(path, value, TEXT.expected.list));
const anything = (value) => value;
const statementLine = { statement: text(1, HISTORY_LINE), index: orNull(whole(0, MAX_NONCE)), proof: orNull(text(0, HISTORY_LINE)) };
const lowerHex = spelled(/^(?:[0-9a-f]{2})+$/, TEXT.expected.hexBytes);

const HISTORY_LINES = {
  head: form({
    format: oneOf("pfb-history"), version: whole(1, 1), bettor: someName, currency: someCurrency, made_at: someTime, keys: anything, log: orNull(text(1, 1000)),
    checkpoint: orNull(text(1, HISTORY_LINE)), witnesses: listOf(text(1, 1000)), openings: whole(0, MAX_NONCE), statements: whole(0, MAX_NONCE),
  }),
  opening: form({ kind: anything, ...statementLine }),
  acceptance: form({ kind: anything, ...statementLine }),
  receipt: form({ kind: anything, ...statementLine }),
  closing: form({ kind: anything, ...statementLine }),
  beacon: form({ kind: anything, chain: hex, round: whole(1, MAX_NONCE), randomness: hex, signature: lowerHex }),
  reveal: form({ kind: anything, commitment: hex, nonce: orNull(whole(0, MAX_NONCE)), server_seed: text(1, 256) }),
};

/** What may follow what, under one opening. */
const FOLLOWS = {
  head: ["opening"],
  opening: ["beacon", "reveal", "acceptance", "closing", "opening"],
  beacon: ["reveal", "acceptance", "closing", "opening"],
  reveal: ["acceptance", "closing", "opening"],
  acceptance: ["receipt", "acceptance", "closing", "opening"],
  receipt: ["acceptance", "closing", "opening"],
  closing: ["opening", "acceptance", "closing"],
};

/** A history that is read line by line; each line is held against all that came before it. */
class History {
  constructor() {
    this.head = null;
    this.latest = null;
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
    const value = parseJson(source, TEXT.subject.line, HISTORY_LINE);
    if (!isObject(value)) throw inFile(TEXT.expected.object, describe(value));
    if (canonicalJson(value) !== source) throw inFile(TEXT.expected.canonical, TEXT.found.spelling);
    const kind = this.head === null ? "head" : value.kind;
    const allowed = this.head === null ? ["head"] : FOLLOWS[this.latest];
    if (!allowed.includes(kind)) throw inFile(say(TEXT.expected.oneOf, { names: allowed.join(", ") }), describe(kind));
    const line = HISTORY_LINES[kind](value, "");
    if (kind === "head") await this.begin(line);
    else if (kind === "beacon") this.takeBeacon(line);
    else if (kind === "reveal") this.takeReveal(line);
    else await this.takeStatement(kind, line);
    this.latest = kind;
  }

  async begin(head) {
    this.head = head;
    this.keys = readKeys(head.keys);
    this.madeAt = microsecondsOf(head.made_at);
    if ((head.log === null) !== (head.checkpoint === null)) throw inFile("checkpoint", TEXT.found.none);
    if (head.log === null) return;
    const witnesses = head.witnesses.map((witness) => readNoteKey(witness, 4));
    this.checkpoint = await readCheckpoint(head.checkpoint, readNoteKey(head.log, 1), witnesses);
  }

  async takeStatement(kind, line) {
    const statement = await readStatement(line.statement, this.keys);
    const { said } = statement;
    this.statements += 1;
    if (statement.kind !== kind) throw inFile(kind, statement.kind);
    if (said.bettor !== this.head.bettor) throw inHistory(TEXT.subject.bettor, this.head.bettor, said.bettor);
    this.requireEntry(statement, line);
    if (kind === "opening") this.takeOpening(statement, line);
    else if (kind === "acceptance") this.takeAcceptance(statement, line);
    else if (kind === "receipt") this.takeReceipt(statement, line);
    else this.takeClosing(statement);
    const { log } = kind === "opening" || kind === "acceptance" ? said : kind === "receipt" ? this.opening.accepted.said : this.opening.said;
    this.requirePromise(log, statement, line);
  }

  /** The statement's entry is in the log at its index. */
  requireEntry(statement, { index, proof }) {
    if ((index === null) !== (proof === null)) throw inFile("proof", TEXT.found.none);
    if (index === null) {
      this.unlogged += 1;
      return;
    }
    const wrong = (found) => refuse("verification.log.inclusion", TEXT.subject.entry, TEXT.expected.entry, found);
    const hashes = bytesOfBase64Url(proof);
    if (this.checkpoint === undefined || hashes === null || hashes.length % 32) throw inFile(TEXT.expected.entry, describe(index));
    const path = Array.from({ length: hashes.length / 32 }, (_, i) => hashes.slice(32 * i, 32 * i + 32));
    const root = rootFrom(leafHash(entryOf(statement)), index, this.checkpoint.size, path);
    if (root === null || hexOfBytes(root) !== hexOfBytes(this.checkpoint.root)) throw wrong(TEXT.found.another);
    if (this.indexes.has(index)) throw twice(TEXT.subject.entry, TEXT.expected.once, describe(index));
    this.indexes.add(index);
  }

  requirePromise(promise, { time }, { index }) {
    if (promise === null) return;
    const isOver = index === null && time + promise.maximum_delay * 1e6 < this.madeAt;
    if (isOver || promise.key !== this.head.log) throw refuse("verification.log.promise", TEXT.subject.promise, TEXT.expected.promise, TEXT.found.none);
  }

  takeOpening({ said, time }, { index }) {
    this.requireEnd();
    const { scheme, label, decks, commitment, chain, number, previous, currency } = said;
    const known = schemeNamed(scheme);
    const before = this.opening?.said.commitment ?? null;
    if (number !== this.openings.length) throw inHistory(TEXT.subject.openingNumber, this.openings.length, number);
    if (previous !== before) throw inHistory(TEXT.subject.previous, before, previous);
    if (this.commitments.has(commitment)) throw twice(TEXT.subject.commitment, TEXT.expected.once, commitment);
    if (label !== known.label(decks)) throw inHistory(TEXT.subject.label, known.label(decks), label);
    if ((chain !== null) !== known.dealsFromChains) throw inHistory(TEXT.subject.chain, known.dealsFromChains, chain !== null);
    if (chain !== null && chainCommitment(decks, chain) !== commitment) {
      throw mismatch("commitment", TEXT.subject.chainCommitment, commitment, chainCommitment(decks, chain));
    }
    if (!isEqual(currency, this.head.currency)) throw inHistory(TEXT.subject.currency, canonicalJson(this.head.currency), canonicalJson(currency));
    this.commitments.add(commitment);
    this.openings.push({ said, time, index, accepted: null, receipts: 0, coups: 0, beacon: null, reveal: null, closing: null, clientSeed: null, proved: 0 });
  }

  takeBeacon({ chain, round, randomness, signature }) {
    const { beacon } = this.opening.said;
    const isNamed = beacon !== null && beacon.chain === chain && beacon.round === round;
    if (!isNamed || hexOfWords(sha256(bytesOfHex(signature))) !== randomness) {
      throw refuse("verification.beacon", TEXT.subject.beacon, TEXT.expected.beacon, TEXT.found.another);
    }
    this.opening.beacon = { round, randomness };
  }

  takeReveal({ commitment, nonce, server_seed: serverSeed }) {
    const { said } = this.opening;
    const scheme = SCHEMES[said.scheme];
    if (commitment !== said.commitment) throw inHistory(TEXT.subject.commitment, said.commitment, commitment);
    if ((nonce !== null) !== scheme.dealsFromChains) throw inHistory(TEXT.subject.nonce, TEXT.expected.text, nonce);
    const given = { serverSeed, clientSeed: "unused", commitment, decks: said.decks ?? MAX_DECKS, scheme: said.scheme, chain: said.chain };
    const seeds = readSeeds(given);
    if (nonce !== null) requireLink(seeds, nonce, true);
    this.opening.reveal = { nonce, serverSeed };
  }

  takeAcceptance(statement, line) {
    const { said, time } = statement;
    const { opening } = this;
    const expect = (subject, expected, found) => {
      if (expected !== found) throw inHistory(subject, expected, found);
    };
    expect(TEXT.subject.commitment, opening.said.commitment, said.commitment);
    if (opening.closing !== null) throw twice(TEXT.subject.closing, TEXT.expected.lastCoup, describe(said.nonce));
    expect(TEXT.subject.nonce, opening.coups, said.nonce);
    if (said.nonce >= opening.said.cap) throw inHistory(TEXT.subject.cap, opening.said.cap, said.nonce);
    opening.clientSeed ??= said.client_seed;
    expect(TEXT.subject.clientSeed, opening.clientSeed, said.client_seed);
    expect(TEXT.subject.digest, opening.said.pay_table_digest, said.pay_table_digest);
    if (time < opening.time) throw inHistory(TEXT.subject.time, opening.said.time, said.time);
    if (this.keysUsed.has(said.key)) throw twice(TEXT.subject.requestKey, TEXT.expected.once, describe(said.key));
    this.keysUsed.add(said.key);
    this.requireOrder(opening, line);
    if (said.client_seed_made_by === "operator") this.requireBeacon(said.client_seed);
    opening.accepted = { said, index: line.index };
    opening.coups += 1;
  }

  /** A client seed of the operator's side is made of the drand round that the opening named. */
  requireBeacon(clientSeed) {
    const { beacon, said } = this.opening;
    if (said.beacon === null) return;
    const expected = beacon && `drand-${beacon.round}-${beacon.randomness}-${said.commitment.slice(0, 16)}`;
    if (clientSeed !== expected) throw refuse("verification.beacon", TEXT.subject.clientSeed, told(expected), describe(clientSeed));
  }

  /** What was said later stands later in the log. */
  requireOrder(before, { index }) {
    if (index !== null && before.index !== null && index < before.index) throw inHistory(TEXT.subject.entry, TEXT.expected.order, index);
  }

  takeReceipt({ said }, line) {
    const { opening } = this;
    const accepted = opening.accepted.said;
    const { record } = said;
    const stakes = Object.fromEntries(Object.entries(record.bets).map(([bet, { stake }]) => [bet, stake]));
    const same = [
      [TEXT.subject.commitment, accepted.commitment, record.commitment], [TEXT.subject.scheme, opening.said.scheme, record.scheme],
      [TEXT.subject.label, opening.said.label, record.label], [TEXT.subject.chain, opening.said.chain, record.chain],
      [TEXT.subject.clientSeed, accepted.client_seed, record.client_seed], [TEXT.subject.madeBy, accepted.client_seed_made_by, record.client_seed_made_by],
      [TEXT.subject.nonce, accepted.nonce, record.nonce], [TEXT.subject.requestKey, accepted.key, said.key],
      [TEXT.subject.stakes, accepted.bets, stakes], [TEXT.subject.digest, accepted.pay_table_digest, record.pay_table_digest],
      [TEXT.subject.currency, this.head.currency, record.currency], [TEXT.subject.acceptedAt, accepted.time, record.accepted_at],
    ];
    for (const [subject, expected, found] of same) {
      const [one, other] = [canonicalJson(withTexts(expected)), canonicalJson(withTexts(found))];
      if (one !== other) throw inHistory(subject, one, other);
    }
    this.requireOrder(opening.accepted, line);
    opening.receipts += 1;
    this.prove(record);
  }

  /** Replays a coup whose server seed is revealed. */
  prove(record) {
    const { opening } = this;
    const { reveal } = opening;
    if (reveal === null || (reveal.nonce !== null && record.nonce > reveal.nonce)) return;
    const serverSeed = reveal.nonce === null ? reveal.serverSeed : hexOfWords(ladderOf(opening.said.chain.anchor).known[record.nonce + 1]);
    const { error, settlement } = verify({ serverSeed, commitment: null }, record, true);
    if (error !== null) throw refuse(error.code, error.subject, error.expected, error.found, error.slips);
    this.staked += settlement.staked;
    this.returned += settlement.returned;
    this.proved += 1;
    opening.proved += 1;
  }

  takeClosing({ said }) {
    const { opening } = this;
    if (said.commitment !== opening.said.commitment) throw inHistory(TEXT.subject.commitment, opening.said.commitment, said.commitment);
    if (opening.closing !== null) throw twice(TEXT.subject.closing, TEXT.expected.once, said.time);
    if (said.coups !== opening.coups) throw inHistory(TEXT.subject.coups, said.coups, opening.coups);
    if (opening.receipts !== opening.coups) throw inHistory(TEXT.subject.receipts, opening.coups, opening.receipts);
    opening.closing = said;
  }

  /** What must be so when an opening has all its lines. */
  requireEnd() {
    const { opening } = this;
    if (opening === undefined) return;
    const isChain = opening.said.chain !== null;
    if (opening.closing === null) {
      if (opening.reveal !== null && !isChain) throw inHistory(TEXT.subject.closing, TEXT.expected.closing, TEXT.found.none);
      return;
    }
    const isAll = isChain ? opening.proved === opening.coups : opening.reveal !== null;
    if (!isAll) throw mismatch("not_revealed", TEXT.subject.commitment, TEXT.expected.revealed, opening.said.commitment);
  }

  end() {
    if (this.head === null) throw inFile("pfb-history", TEXT.found.nothing);
    this.requireEnd();
    if (this.openings.length !== this.head.openings) throw inFile(String(this.head.openings), String(this.openings.length));
    if (this.statements !== this.head.statements) throw inFile(String(this.head.statements), String(this.statements));
  }

  summary(error, line, isSignedHere) {
    const openings = this.openings.map(({ said, coups, proved, closing, clientSeed }) => ({
      commitment: said.commitment, label: said.label, coups, proved, isClosed: closing !== null, isMarked: clientSeed !== null && isMarked(clientSeed, said.commitment),
    }));
    const { head, statements, unlogged, staked, returned, proved, checkpoint } = this;
    return {
      error, line, openings, statements, unlogged, staked, returned, proved, isSignedHere, bettor: head?.bettor ?? null, madeAt: head?.made_at ?? null,
      keys: this.keys ? Array.from(this.keys.keys()) : [], log: checkpoint ? { origin: checkpoint.origin, size: checkpoint.size, witnesses: head.witnesses.length } : null,
    };
  }
}

/** Verifies a history file, whole. */
async function verifyHistory(blob, report, rest) {
  const history = new History();
  const isSignedHere = await canVerifySignatures();
  let number = 0;
  let latest = performance.now();
  try {
    for await (const line of linesOf(blob, HISTORY_LINE)) {
      number += 1;
      if (line.end === blob.size) throw inFile(TEXT.expected.lineEnd, TEXT.found.noLineEnd);
      await history.read(line.bytes);
      if (performance.now() - latest > REPORT_EVERY) {
        report({ done: line.end, size: blob.size, counts: { proved: history.proved } });
        await rest();
        latest = performance.now();
      }
    }
    history.end();
    return history.summary(null, null, isSignedHere);
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    return history.summary(plainRefusal(refusal), number, isSignedHere);
  }
}
