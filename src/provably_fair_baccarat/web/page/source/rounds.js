"use strict";
// Many rounds: a file or text split into records at U+000A, each verified, and what only many rounds together tell.

const PIECE = 1 << 20;
const MOST_FAILURES = 500;
const THOROUGH_FAILURES = 20;
const MOST_GAPS = 1000000;
const REPORT_EVERY = 80;

/** The lines of a Blob, as bytes with the place where each begins. What is longer than any line may be is cut, to be refused. */
async function* linesOf(blob, limit = MAX_BYTES) {
  let carried = new Uint8Array();
  let start = 0;
  const keep = (part) => joined(carried, part.subarray(0, limit + 2 - carried.length));
  for (let from = 0; from < blob.size; from += PIECE) {
    const piece = new Uint8Array(await blob.slice(from, from + PIECE).arrayBuffer());
    let at = 0;
    for (let end = piece.indexOf(10); end >= 0; end = piece.indexOf(10, at)) {
      yield { bytes: keep(piece.subarray(at, end)), start, end: from + end };
      carried = new Uint8Array();
      at = end + 1;
      start = from + at;
    }
    carried = keep(piece.subarray(at));
  }
  if (start < blob.size) yield { bytes: carried, start, end: blob.size };
}

const isBlank = (bytes) => bytes.every((byte) => byte === 32 || byte === 9 || byte === 13);

const DECODER = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decode(bytes, limit = MAX_BYTES) {
  if (bytes.length > limit) {
    throw refuse("record", SUBJECT.record, say(EXPECTED.bytes, { n: grouped(limit) }), FOUND.more);
  }
  try {
    return DECODER.decode(bytes);
  } catch {
    throw refuse("record", SUBJECT.record, "UTF-8", FOUND.noUtf8);
  }
}

/** Verifies one record, in bytes, or says why it is none. */
function verifyText(kept, bytes, thorough) {
  return attempt(() => verify(kept, readRecord(parseJson(decode(bytes))), thorough), ({ told: error }) => unreadable(error, kept));
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

  add({ verdict, error, guarantees, record, settlement, seeds, played }, line) {
    this.counts[verdict] += 1;
    if (error !== null) {
      if (this.failures.length < MOST_FAILURES) this.failures.push({ ...line, error });
      return;
    }
    for (const { code, grade } of guarantees) {
      this.grades[code] ??= { proved: 0, claimed: 0, unknown: 0 };
      this.grades[code][grade] += 1;
    }
    this.madeByOperator += record.client_seed_made_by === "operator";
    this.staked += settlement.staked;
    this.returned += settlement.returned;
    if (seeds.commitment !== null) this.note(seeds.commitment, played);
  }

  note(commitment, { nonce, index }) {
    if (!this.series.has(commitment)) this.series.set(commitment, { nonces: new Set(), places: new Set(), twice: new Set(), first: nonce, last: nonce });
    const series = this.series.get(commitment);
    const place = index === null ? nonce : `${nonce}/${index}`;
    if (series.places.has(place)) series.twice.add(nonce);
    series.places.add(place);
    series.nonces.add(nonce);
    series.first = Math.min(series.first, nonce);
    series.last = Math.max(series.last, nonce);
  }

  summary() {
    const series = Array.from(this.series, ([commitment, { nonces, twice, first, last }]) => {
      const missing = [];
      for (let nonce = 0; nonce < Math.min(last, MOST_GAPS); nonce++) if (!nonces.has(nonce)) missing.push(nonce);
      const inOrder = Array.from(twice).sort((a, b) => a - b);
      return {
        commitment, first, last, missing: missing.slice(0, 10), missingCount: missing.length, twice: inOrder.slice(0, 10), twiceCount: twice.size,
      };
    });
    return { ...this, series, total: Object.values(this.counts).reduce((a, b) => a + b) };
  }
}

/** Whether bytes are a whole JSON object in one line. */
const isWhole = (bytes) => attempt(() => parseJson(decode(bytes)) !== undefined, () => false);

const begins = (bytes) => String.fromCharCode(...bytes.subarray(0, 200)).trimStart().startsWith("{");

/** Whether a Blob holds one record that is laid out over several lines, and not a record a line. */
async function isOneRecord(blob) {
  const lines = linesOf(blob.slice(0, 4 * MAX_BYTES));
  const { value: one } = await lines.next();
  const { value: two } = await lines.next();
  if (one === undefined || two === undefined) return true;
  if (blob.size <= 4 * MAX_BYTES && isBlank(two.bytes) && (await lines.next()).done) return true;
  return begins(one.bytes) && !begins(two.bytes) && !isWhole(one.bytes);
}

/**
 * Verifies everything in a Blob: a single record gives its result, more of them a summary, a history file what it proves. `report` is told
 * how far it is. Now and then it waits for a moment, so that a page that has no worker stays awake.
 */
async function verifyBlob(blob, kept, report, rest = async () => undefined) {
  if ((await blob.slice(0, HISTORY_LINE).text()).split("\n", 1)[0].includes(HISTORY_BEGINS)) {
    return { history: await verifyHistory(blob, kept, report, rest) };
  }
  if (await isOneRecord(blob)) {
    const bytes = new Uint8Array(await blob.slice(0, MAX_BYTES + 2).arrayBuffer());
    return { single: verifyText(kept, bytes[bytes.length - 1] === 10 && bytes.length <= MAX_BYTES + 1 ? bytes.subarray(0, -1) : bytes, true) };
  }
  const tally = new Tally();
  let empty = null;
  const add = ({ bytes, ...line }) => tally.add(verifyText(kept, bytes, tally.failures.length < THOROUGH_FAILURES), line);
  await readLines(blob, MAX_BYTES, report, rest, (line) => {
    if (empty !== null) add(empty);
    empty = isBlank(line.bytes) ? line : null;
    if (empty === null) add(line);
  });
  return { summary: tally.summary() };
}

/** Reads a Blob line by line, with their numbers; now and then it tells how far it is, and rests. */
async function readLines(blob, limit, report, rest, read) {
  let number = 0;
  let latest = performance.now();
  for await (const line of linesOf(blob, limit)) {
    number += 1;
    await read({ ...line, number });
    if (performance.now() - latest > REPORT_EVERY) {
      report({ done: line.end, size: blob.size, rounds: number });
      await rest();
      latest = performance.now();
    }
  }
}

/** What comes of a question: of a Blob or, without one, of what somebody kept. */
async function answerTo({ kept, blob }, report, rest) {
  return blob === undefined ? { single: verify(kept, null, true) } : verifyBlob(blob, kept, report, rest);
}

// In a worker, this is all there is: one question at a time, answered with what came of it.
if (typeof document === "undefined" && typeof self !== "undefined") {
  self.onmessage = async ({ data }) => {
    const tell = (told) => self.postMessage({ id: data.id, ...told });
    try {
      tell({ answer: await answerTo(data, (progress) => tell({ progress })) });
    } catch (error) {
      tell({ broken: String(error) });
    }
  };
}
