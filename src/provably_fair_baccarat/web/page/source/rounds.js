"use strict";
// Many rounds: a file or text split into records at U+000A, each verified, and what only many rounds together tell.

const PIECE = 1 << 20;
const MOST_FAILURES = 500;
const THOROUGH_FAILURES = 20;
const MOST_GAPS = 1000000;
const REPORT_EVERY = 80;

/** The lines of a Blob, as bytes with the place where each begins. What is longer than any line may be is cut, to be refused. */
async function* linesOf(blob, limit = MAX_BYTES) {
  let carried = [];
  let kept = 0;
  let start = 0;
  const join = () => {
    const line = new Uint8Array(kept);
    carried.reduce((at, part) => (line.set(part, at), at + part.length), 0);
    carried = [];
    kept = 0;
    return line;
  };
  const keep = (part) => {
    const room = limit + 2 - kept;
    if (room <= 0) return;
    carried.push(part.subarray(0, room));
    kept += Math.min(room, part.length);
  };
  for (let from = 0; from < blob.size; from += PIECE) {
    const piece = new Uint8Array(await blob.slice(from, from + PIECE).arrayBuffer());
    let at = 0;
    for (let end = piece.indexOf(10); end >= 0; end = piece.indexOf(10, at)) {
      keep(piece.subarray(at, end));
      yield { bytes: join(), start, end: from + end };
      at = end + 1;
      start = from + at;
    }
    keep(piece.subarray(at));
  }
  if (start < blob.size) yield { bytes: join(), start, end: blob.size };
}

const isBlank = (bytes) => bytes.every((byte) => byte === 32 || byte === 9 || byte === 13);

const DECODER = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decode(bytes, limit = MAX_BYTES) {
  if (bytes.length > limit) {
    throw refuse("record", TEXT.subject.record, say(TEXT.expected.bytes, { n: limit.toLocaleString("en") }), TEXT.found.more);
  }
  try {
    return DECODER.decode(bytes);
  } catch {
    throw refuse("record", TEXT.subject.record, "UTF-8", TEXT.found.noUtf8);
  }
}

/** Verifies the text of one record, or says why it is none. */
function verifyText(kept, bytes, thorough) {
  try {
    const text = typeof bytes === "string" ? bytes : decode(bytes);
    return verify(kept, readRecord(parseJson(text)), thorough);
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    return { verdict: "unreadable", error: plainRefusal(refusal), seeds: null, played: null, settlement: null, checks: [], guarantees: [], kept, record: null };
  }
}

/** Counts what many verified rounds prove, and which nonces of each commitment are there. */
class Tally {
  constructor() {
    this.counts = { proved: 0, recomputed: 0, failed: 0, unreadable: 0 };
    this.grades = {};
    this.series = new Map();
    this.madeByOperator = 0;
    this.failures = [];
    this.staked = 0n;
    this.returned = 0n;
  }

  add(result, line) {
    this.counts[result.verdict] += 1;
    if (result.error !== null) {
      if (this.failures.length < MOST_FAILURES) this.failures.push({ ...line, error: result.error });
      return;
    }
    for (const { code, grade } of result.guarantees) {
      this.grades[code] ??= { proved: 0, claimed: 0, unknown: 0 };
      this.grades[code][grade] += 1;
    }
    this.madeByOperator += result.record.client_seed_made_by === "operator";
    this.staked += result.settlement.staked;
    this.returned += result.settlement.returned;
    this.note(result.seeds.commitment, result.played);
  }

  note(commitment, { nonce, index }) {
    if (commitment === null) return;
    if (!this.series.has(commitment)) this.series.set(commitment, { nonces: new Set(), places: new Set(), twice: new Set(), least: nonce, most: nonce });
    const series = this.series.get(commitment);
    const place = index === null ? nonce : `${nonce}/${index}`;
    if (series.places.has(place)) series.twice.add(nonce);
    series.places.add(place);
    series.nonces.add(nonce);
    series.least = Math.min(series.least, nonce);
    series.most = Math.max(series.most, nonce);
  }

  summary() {
    const series = Array.from(this.series, ([commitment, { nonces, twice, least, most }]) => {
      const missing = [];
      for (let nonce = least; nonce < Math.min(most, least + MOST_GAPS); nonce++) if (!nonces.has(nonce)) missing.push(nonce);
      const inOrder = Array.from(twice).sort((a, b) => a - b);
      const told = { commitment, first: least, last: most, missing: missing.slice(0, 10), missingCount: missing.length };
      return { ...told, twice: inOrder.slice(0, 10), twiceCount: twice.size };
    });
    const { counts, grades, madeByOperator, failures, staked, returned } = this;
    return { counts, grades, madeByOperator, failures, staked, returned, series, total: Object.values(counts).reduce((a, b) => a + b) };
  }
}

/** Whether bytes are a whole JSON object in one line. */
function isWhole(bytes) {
  try {
    parseJson(decode(bytes));
    return true;
  } catch {
    return false;
  }
}

const begins = (bytes) => String.fromCharCode(...bytes.subarray(0, 200)).trimStart().startsWith("{");

/** Whether a Blob holds one record that is laid out over several lines, and not a record a line. */
async function isOneRecord(blob) {
  const lines = linesOf(blob.slice(0, 4 * MAX_BYTES));
  const one = (await lines.next()).value;
  const two = (await lines.next()).value;
  if (one === undefined || two === undefined) return true;
  if (blob.size <= 4 * MAX_BYTES && isBlank(two.bytes) && (await lines.next()).done) return true;
  return begins(one.bytes) && !begins(two.bytes) && !isWhole(one.bytes);
}

/**
 * Verifies everything in a Blob: a single record gives its result, more of them a summary, a history file what it proves. `report` is told
 * how far it is.
 * Now and then it waits for a moment, so that a page that has no worker stays awake.
 */
async function verifyBlob(blob, kept, report, rest = () => undefined) {
  if ((await blob.slice(0, HISTORY_LINE).text()).split("\n", 1)[0].includes(HISTORY_BEGINS)) {
    return { history: await verifyHistory(blob, report, rest) };
  }
  if (await isOneRecord(blob)) {
    const bytes = new Uint8Array(await blob.slice(0, MAX_BYTES + 2).arrayBuffer());
    return { single: verifyText(kept, bytes[bytes.length - 1] === 10 && bytes.length <= MAX_BYTES + 1 ? bytes.subarray(0, -1) : bytes, true) };
  }
  const tally = new Tally();
  let latest = performance.now();
  let number = 0;
  let empty = null;
  const add = (line) => {
    const isThorough = tally.failures.length < THOROUGH_FAILURES;
    tally.add(verifyText(kept, line.bytes, isThorough), { number: line.number, start: line.start, end: line.end });
  };
  for await (const line of linesOf(blob)) {
    number += 1;
    if (empty !== null) add(empty);
    empty = isBlank(line.bytes) ? { ...line, number } : null;
    if (empty === null) add({ ...line, number });
    if (performance.now() - latest > REPORT_EVERY) {
      report({ done: line.end, size: blob.size, counts: tally.counts });
      await rest();
      latest = performance.now();
    }
  }
  return { summary: tally.summary() };
}

// In a worker, this is all there is: one question at a time, answered with what came of it.
if (typeof document === "undefined" && typeof self !== "undefined") {
  self.onmessage = async ({ data }) => {
    try {
      const answer = data.blob === undefined
        ? { single: verify(data.kept, null, true) }
        : await verifyBlob(data.blob, data.kept, (progress) => self.postMessage({ id: data.id, progress }));
      self.postMessage({ id: data.id, answer });
    } catch (error) {
      self.postMessage({ id: data.id, broken: String(error) });
    }
  };
}
