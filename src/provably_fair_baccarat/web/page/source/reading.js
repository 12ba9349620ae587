"use strict";
// Reading: JSON in one spelling, seeds in one form, and records that are complete. Whatever else there is, is refused: by its code, with
// what was expected, what was found and the likely slip. A server seed is never repeated in a refusal.

/** What this page refuses, in the words of docs/reference/errors.md. */
class Refusal extends Error {
  constructor(code, subject, expected, found, slips) {
    super(`${subject}: ${expected}, ${found}`);
    Object.assign(this, { name: "Refusal", code, subject, expected, found, slips });
  }
}

const refuse = (code, subject, expected, found, slips = []) => new Refusal(code, subject, expected, found, slips);

/** A sentence of the table of texts, with values put in for {names}. */
const say = (sentence, values = {}) => sentence.replace(/\{(\w+)\}/g, (whole, name) => (Object.hasOwn(values, name) ? String(values[name]) : whole));

/** The form of a sentence for one, or for many. */
const sayCount = (forms, n, values = {}) => say(n === 1 ? forms.one : forms.many, { n: n.toLocaleString(TEXT.language), ...values });

/** A slip by its code; one code may have several sentences, told apart behind a point. */
const slip = (key, values) => ({ code: key.split(".")[0], sentence: say(TEXT.pageSlips[key] ?? TEXT.slips[key], values) });

// Telling what was found

const LONGEST_TOLD = 80;

function quoted(text) {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  const shown = text.replace(/[\\'\p{C}\p{Z}]/gu, (letter) => {
    if (letter === " " || (letter === "'" && mark === '"')) return letter;
    if (letter === "\\" || letter === "'") return `\\${letter}`;
    const known = { "\n": "\\n", "\r": "\\r", "\t": "\\t" }[letter];
    const code = letter.codePointAt(0);
    const [sign, digits] = code < 0x100 ? ["x", 2] : code < 0x10000 ? ["u", 4] : ["U", 8];
    return known ?? `\\${sign}${code.toString(16).padStart(digits, "0")}`;
  });
  return mark + shown + mark;
}

function describe(value) {
  if (value === null || value === undefined) return TEXT.found.none;
  if (typeof value === "boolean") return String(value);
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  if (typeof value !== "string") return Array.isArray(value) ? TEXT.found.list : TEXT.found.object;
  const letters = Array.from(value.slice(0, 200));
  if (value.length <= LONGEST_TOLD) return quoted(value);
  return say(TEXT.found.long, { start: quoted(letters.slice(0, 60).join("")), n: value.length });
}

/** How many characters of which kinds, in place of a text that may be a secret. */
function describeSecret(value) {
  if (typeof value !== "string") return describe(value) === TEXT.found.none ? TEXT.found.none : TEXT.found.noText;
  if (value === "") return TEXT.found.empty;
  const letters = Array.from(value.slice(0, 100000));
  const kinds = [
    [TEXT.found.lowerHex, /^[0-9a-f]$/],
    [TEXT.found.upperHex, /^[A-F]$/],
    [TEXT.found.whiteSpace, WHITE_SPACE],
  ];
  const counts = [0, 0, 0, 0];
  for (const letter of letters) {
    const kind = kinds.findIndex(([, pattern]) => pattern.test(letter));
    counts[kind < 0 ? 3 : kind] += 1;
  }
  const told = [...kinds.map(([name]) => name), TEXT.found.other].map((name, i) => [counts[i], name]).filter(([count]) => count);
  return say(letters.length === 1 ? TEXT.found.secretOne : TEXT.found.secret, {
    n: letters.length, kinds: told.map(([count, name]) => `${count} ${name}`).join(", "),
  });
}

const WHITE_SPACE = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;
const WHITE_ENDS = new RegExp(`^${WHITE_SPACE.source}+|${WHITE_SPACE.source}+$`, "g");
const stripped = (text) => text.replace(WHITE_ENDS, "");

/** How alike two texts are, 0 to 1: twice what they have in common, by their longest common parts, through both lengths. */
function likeness(one, other) {
  const common = (a, b) => {
    let best = 0, from = 0, to = 0;
    for (let i = 0; i < a.length; i++) {
      for (let j = 0; j < b.length; j++) {
        let n = 0;
        while (i + n < a.length && j + n < b.length && a[i + n] === b[j + n]) n++;
        if (n > best) [best, from, to] = [n, i, j];
      }
    }
    return best && best + common(a.slice(0, from), b.slice(0, to)) + common(a.slice(from + best), b.slice(to + best));
  };
  return one.length + other.length ? (2 * common(one, other)) / (one.length + other.length) : 1;
}

/** The slip of a misspelt name, where a known one is near enough. */
function nearest(name, known) {
  if (typeof name !== "string" || name.length > 100) return [];
  const near = known.map((match) => ({ match, like: likeness(match, name) })).filter(({ like }) => like >= 0.6);
  near.sort((a, b) => b.like - a.like || (a.match < b.match ? 1 : -1));
  return near.length ? [slip("misspelt", { match: quoted(near[0].match) })] : [];
}

// Text forms of step 1

const HEX = /^[0-9a-f]{64}$/;

/** The slips that people make when they copy hex digits, in the order in which they are mended. */
const HEX_SLIPS = [
  ["white_space", stripped],
  ["quotes", (text) => text.replace(/^['"`]+|['"`]+$/g, "")],
  ["prefix", (text) => text.replace(/^0x/, "").replace(/^0X/, "")],
  ["white_space_inside", (text) => text.replace(new RegExp(`${WHITE_SPACE.source}|[:_-]`, "g"), "")],
  ["upper_case", (text) => text.toLowerCase()],
];

/** A text with every such slip mended, or null if it is no hex even so. For diagnoses only: nothing is mended silently. */
function mendHex(text) {
  if (typeof text !== "string" || text.length > 1000) return null;
  const mended = HEX_SLIPS.reduce((kept, [, mend]) => mend(kept), text);
  return HEX.test(mended) ? mended : null;
}

function hexSlips(text) {
  if (mendHex(text) === null) return [];
  const slips = [];
  let kept = text;
  for (const [code, mend] of HEX_SLIPS) {
    if (mend(kept) !== kept) slips.push(slip(code));
    kept = mend(kept);
  }
  return slips;
}

function readHex(text, subject, code) {
  if (typeof text === "string" && HEX.test(text)) return text;
  throw refuse(code, subject, TEXT.expected.hex, describeSecret(text), hexSlips(text));
}

const REFUSED = /[\u0000-\u001f\u007f-\u009f]|[\ud800-\udfff]/u;
const EDGES = "\\u0020\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff";
const REFUSED_EDGE = new RegExp(`^[${EDGES}]|[${EDGES}]$`);

/** Step 1: why a text is no client seed, or null if it is one. */
function clientSeedRefusal(text) {
  for (const [pattern, expected] of [[REFUSED, TEXT.expected.noControls], [REFUSED_EDGE, TEXT.expected.noEdges]]) {
    const found = pattern.exec(text);
    if (found) {
      const code = found[0].codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
      return { expected, found: say(TEXT.found.codePoint, { code, place: Array.from(text.slice(0, found.index)).length }) };
    }
  }
  const size = text.length > 1000 ? text.length : utf8(text).length;
  return size >= 1 && size <= 128 ? null : { expected: TEXT.expected.clientSeedSize, found: say(TEXT.found.bytes, { n: size }) };
}

function readClientSeed(text) {
  if (typeof text !== "string") throw refuse("seed.client_seed", TEXT.subject.clientSeed, TEXT.expected.text, describe(text));
  const refusal = clientSeedRefusal(text);
  if (refusal === null) return text;
  const trimmed = stripped(text).replace(/^\ufeff+|\ufeff+$/g, "");
  const slips = trimmed !== text && clientSeedRefusal(trimmed) === null ? [slip("white_space.client")] : [];
  throw refuse("seed.client_seed", TEXT.subject.clientSeed, refusal.expected, refusal.found, slips);
}

/** The server seed of another house: text as it is shown. */
function readTextSeed(text) {
  const size = typeof text === "string" && text.length <= 256 && !REFUSED.test(text) ? utf8(text).length : 0;
  if (size >= 1 && size <= 256) return text;
  throw refuse("seed.server_seed", TEXT.subject.serverSeed, TEXT.expected.textSeed, describeSecret(text));
}

function readDecks(decks) {
  if (Number.isInteger(decks) && decks >= 1 && decks <= MAX_DECKS) return decks;
  throw refuse("seed.decks", TEXT.subject.decks, TEXT.expected.decks, describe(decks));
}

function readNonce(nonce) {
  if (Number.isInteger(nonce) && nonce >= 0 && nonce <= MAX_NONCE) return nonce;
  throw refuse("seed.nonce", TEXT.subject.nonce, TEXT.expected.nonce, describe(nonce));
}

function readChain(anchor, length) {
  readHex(anchor, TEXT.subject.anchor, "seed.chain");
  if (Number.isInteger(length) && length >= 1 && length <= MAX_CHAIN) return { anchor, length };
  throw refuse("seed.chain", TEXT.subject.chainLength, TEXT.expected.chainLength, describe(length));
}

// JSON, read without mercy: JSON.parse takes the last of two equal keys, and makes one number of 14, 14.0 and 1.4e1.

const MAX_BYTES = 64 * 1024;
const MAX_NESTING = 16;
const STRING_PART = /[^"\\\u0000-\u001f]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?|-?Infinity|NaN/y;
const BLANK = /[ \t\n\r]*/y;
const ESCAPES = { '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/** Reads one JSON value, refusing whatever two readers could understand differently. */
class JsonReader {
  constructor(text, subject, limit) {
    if (text.length > limit || (text.length * 3 > limit && utf8(text).length > limit)) {
      throw refuse("record", subject, say(TEXT.expected.bytes, { n: limit.toLocaleString("en") }), TEXT.found.more);
    }
    this.text = text;
    this.subject = subject;
    this.at = 0;
    this.depth = 0;
  }

  read() {
    const value = this.value();
    if (this.at < this.text.length) this.broken();
    return value;
  }

  refuse(expected, found, slips) {
    throw refuse("record", this.subject, expected, found, slips);
  }

  broken() {
    const lines = this.text.slice(0, this.at).split("\n");
    const values = { line: lines.length, column: lines.at(-1).length + 1 };
    this.refuse(TEXT.expected.json, say(this.at >= this.text.length ? TEXT.found.jsonEnd : TEXT.found.json, values));
  }

  blank() {
    BLANK.lastIndex = this.at;
    BLANK.test(this.text);
    this.at = BLANK.lastIndex;
  }

  value() {
    this.blank();
    const sign = this.text[this.at];
    let value;
    if (sign === "{") value = this.object();
    else if (sign === "[") value = this.list();
    else if (sign === '"') value = this.string();
    else if (sign === "t") value = this.word("true", true);
    else if (sign === "f") value = this.word("false", false);
    else if (sign === "n") value = this.word("null", null);
    else value = this.number();
    this.blank();
    return value;
  }

  word(word, value) {
    if (!this.text.startsWith(word, this.at)) this.broken();
    this.at += word.length;
    return value;
  }

  number() {
    NUMBER.lastIndex = this.at;
    const found = NUMBER.exec(this.text);
    if (!found) this.broken();
    const told = say(TEXT.found.number, { digits: found[0].slice(0, 40) });
    if (found[1] || found[2] || /[IN]/.test(found[0])) this.refuse(TEXT.expected.plainNumber, told, [slip("number_form")]);
    const number = Number(found[0]);
    if (found[0][0] === "-" || number > MAX_NONCE) this.refuse(TEXT.expected.wholeNumber, told);
    this.at = NUMBER.lastIndex;
    return number;
  }

  string() {
    let value = "";
    this.at += 1;
    for (;;) {
      STRING_PART.lastIndex = this.at;
      STRING_PART.test(this.text);
      value += this.text.slice(this.at, STRING_PART.lastIndex);
      this.at = STRING_PART.lastIndex;
      const sign = this.text[this.at];
      if (sign === '"') {
        this.at += 1;
        return value;
      }
      if (sign !== "\\") this.broken();
      value += this.escape();
    }
  }

  escape() {
    const sign = this.text[this.at + 1];
    if (sign === "u") {
      const digits = this.text.slice(this.at + 2, this.at + 6);
      if (!/^[0-9a-fA-F]{4}$/.test(digits)) this.broken();
      this.at += 6;
      return String.fromCharCode(parseInt(digits, 16));
    }
    if (sign === undefined || !Object.hasOwn(ESCAPES, sign)) this.broken();
    this.at += 2;
    return ESCAPES[sign];
  }

  enter() {
    this.depth += 1;
    if (this.depth > MAX_NESTING) this.refuse(TEXT.expected.nesting, TEXT.found.more);
    this.at += 1;
    this.blank();
  }

  /** Whether another part follows behind a comma, or this was the last. */
  goesOn(end) {
    const sign = this.text[this.at];
    if (sign !== "," && sign !== end) this.broken();
    this.at += 1;
    if (sign === end) this.depth -= 1;
    return sign === ",";
  }

  list() {
    const list = [];
    this.enter();
    if (this.text[this.at] === "]") return this.goesOn("]") ? list : list;
    do list.push(this.value()); while (this.goesOn("]"));
    return list;
  }

  object() {
    const object = {};
    this.enter();
    if (this.text[this.at] === "}") return this.goesOn("}") ? object : object;
    do {
      this.blank();
      if (this.text[this.at] !== '"') this.broken();
      const key = this.string();
      this.blank();
      if (this.text[this.at] !== ":") this.broken();
      this.at += 1;
      const value = this.value();
      if (Object.hasOwn(object, key)) this.refuse(TEXT.expected.keyOnce, say(TEXT.found.keyTwice, { key: describe(key) }));
      if (key === "__proto__") Object.defineProperty(object, key, { value, enumerable: true });
      else object[key] = value;
    } while (this.goesOn("}"));
    return object;
  }
}

const parseJson = (text, subject = TEXT.subject.record, limit = MAX_BYTES) => new JsonReader(text, subject, limit).read();

/** A value in the one spelling of RFC 8785, for what this page digests: objects, lists, texts and whole numbers. */
function canonicalJson(value) {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`);
  return `{${members.join(",")}}`;
}

/** A value with its amounts as text again. */
function withTexts(value) {
  if (typeof value === "bigint") return String(value);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withTexts(inner)]));
}

// The record, field by field: each reader takes a JSON value and its path, and returns the value or refuses it.

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

function refuseField(path, value, expected, slips = []) {
  const isSecret = path.startsWith("server_seed") || mendHex(value) !== null;
  const subject = path ? `${TEXT.subject.record}, ${path}` : TEXT.subject.record;
  throw refuse("record", subject, expected, isSecret ? describeSecret(value) : describe(value), slips);
}

const orNull = (read) => (value, path) => (value === null ? null : read(value, path));

function spelled(pattern, expected, convert = (text) => text) {
  return (value, path) => {
    if (typeof value !== "string") refuseField(path, value, TEXT.expected.text);
    const converted = pattern.test(value) ? convert(value) : null;
    return converted === null ? refuseField(path, value, expected) : converted;
  };
}

function whole(least, most) {
  return (value, path) => {
    if (typeof value !== "number") {
      refuseField(path, value, TEXT.expected.whole, typeof value === "string" ? [slip("number_as_text")] : []);
    }
    if (value < least) refuseField(path, value, say(TEXT.expected.atLeast, { n: least }));
    if (value > most) refuseField(path, value, say(TEXT.expected.atMost, { n: most }));
    return value;
  };
}

function hex(value, path) {
  if (typeof value !== "string") refuseField(path, value, TEXT.expected.text);
  return HEX.test(value) ? value : refuseField(path, value, TEXT.expected.hex, hexSlips(value));
}

function text(least, most) {
  return (value, path) => {
    if (typeof value !== "string") refuseField(path, value, TEXT.expected.plainText);
    const length = Array.from(value.slice(0, 4 * most)).length;
    if (length < least || length > most) refuseField(path, value, say(TEXT.expected.textLength, { least, most }));
    return value;
  };
}

const CARD_TEXTS = new Set(Array.from({ length: 52 }, (_, number) => cardOfNumber(number)));

function card(value, path) {
  if (typeof value !== "string") refuseField(path, value, TEXT.expected.text);
  if (CARD_TEXTS.has(value)) return value;
  const suits = { "♠": "s", "♥": "h", "♦": "d", "♣": "c", "♤": "s", "♡": "h", "♢": "d", "♧": "c" };
  const plain = stripped(value).replaceAll("10", "T").replace(/[♠♥♦♣♤♡♢♧]/g, (suit) => suits[suit]);
  const spelling = plain.slice(0, 1).toUpperCase() + plain.slice(1).toLowerCase();
  refuseField(path, value, TEXT.expected.card, CARD_TEXTS.has(spelling) ? [slip("card_spelling", { spelling: quoted(spelling) })] : []);
}

function cards(value, path) {
  if (!Array.isArray(value)) refuseField(path, value, TEXT.expected.list);
  if (value.length > 6) refuseField(path, value, TEXT.expected.sixCards);
  return value.map((each, i) => card(each, `${path}.${i}`));
}

function truth(value, path) {
  return typeof value === "boolean" ? value : refuseField(path, value, TEXT.expected.truth);
}

const oneOf = (...names) => (value, path) =>
  names.includes(value) ? value : refuseField(path, value, say(TEXT.expected.either, {
    names: names.map((name) => `'${name}'`).join(", ").replace(/, (?=[^,]*$)/, ` ${TEXT.expected.or} `),
  }));

/** An object with exactly these fields. */
function form(fields) {
  const names = Object.keys(fields);
  return (value, path) => {
    if (!isObject(value)) refuseField(path, value, TEXT.expected.object);
    const read = {};
    for (const name of names) {
      const inner = path ? `${path}.${name}` : name;
      if (!Object.hasOwn(value, name)) throw refuse("record", `${TEXT.subject.record}, ${inner}`, TEXT.expected.key, TEXT.found.noKey);
      read[name] = fields[name](value[name], inner);
    }
    for (const name of Object.keys(value)) {
      if (Object.hasOwn(fields, name)) continue;
      const inner = path ? `${path}.${name}` : name;
      throw refuse("record", `${TEXT.subject.record}, ${inner}`, TEXT.expected.knownKeys, describe(name), nearest(name, names));
    }
    return read;
  };
}

/** An object from names of bets or payouts. */
function byName(read) {
  return (value, path) => {
    if (!isObject(value)) refuseField(path, value, TEXT.expected.object);
    const entries = Object.keys(value).map((name) => [betName(name, `${path}.${name}`), read(value[name], `${path}.${name}`)]);
    return Object.fromEntries(entries);
  };
}

const MULTIPLIER = "[1-9][0-9]{0,5}\\.(?:[0-9]|[0-9]{1,5}[1-9])";
const MAX_AMOUNT = 10n ** 38n - 1n;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** RFC 3339 in UTC, as text that sorts as its times do, or null for a day or hour that is not there. */
function readTime(text) {
  const [year, month, day, , minute, second] = text.slice(0, 19).split(/[-T:]/).map(Number);
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = month === 2 && isLeap ? 29 : DAYS[month - 1];
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= days && minute < 60 && second < 60 ? text : null;
}

/** A time with its fraction filled up, to be compared as text. */
const timeOrder = (time) => `${time.slice(0, 19)}.${(time.slice(20, -1) || "").padEnd(6, "0")}`;

const stakeText = () => spelled(/^[1-9][0-9]{0,37}$/, TEXT.expected.stake, BigInt);
const amountText = () => spelled(/^(?:0|[1-9][0-9]{0,37})$/, TEXT.expected.amount, BigInt);
const netText = () => spelled(/^(?:0|-?[1-9][0-9]{0,38})$/, TEXT.expected.net, (digits) => {
  const net = BigInt(digits);
  return net <= MAX_AMOUNT && net >= -MAX_AMOUNT ? net : null;
});
const multiplierText = () => spelled(new RegExp(`^${MULTIPLIER}$`), TEXT.expected.multiplier);
const payoutText = () => spelled(new RegExp(`^(?:push|${MULTIPLIER})$`), TEXT.expected.payout);
const timeText = () => orNull(spelled(
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}T(?:[01][0-9]|2[0-3]):[0-9]{2}:[0-9]{2}(?:\.[0-9]{0,5}[1-9])?Z$/, TEXT.expected.time, readTime,
));
const betName = spelled(/^[a-z][a-z0-9_]{0,63}$/, TEXT.expected.betName);
const hand = () => form({ cards, score: whole(0, 9) });

function clientSeedField(value, path) {
  if (typeof value !== "string") refuseField(path, value, TEXT.expected.text);
  try {
    return readClientSeed(value);
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    return refuseField(path, value, refusal.expected, refusal.slips);
  }
}

const payTableForm = form({
  player_multiplier: multiplierText(),
  banker_multiplier: multiplierText(),
  tie_multiplier: multiplierText(),
  banker_exceptions: byName(payoutText()),
  side_bets: byName(byName(payoutText())),
  stake_step: spelled(/^[1-9][0-9]{0,37}$/, TEXT.expected.stake),
  rounding: oneOf("down"),
});

const recordForm = form({
  format_version: whole(1, 1),
  scheme: spelled(/^[a-z0-9][a-z0-9-]{0,31}$/, TEXT.expected.schemeName),
  label: spelled(/^[a-z0-9][a-z0-9:-]{0,63}$/, TEXT.expected.label),
  decks: orNull(whole(1, MAX_DECKS)),
  commitment: orNull(hex),
  chain: orNull(form({ anchor: hex, length: whole(1, MAX_CHAIN) })),
  server_seed: orNull(text(1, 256)),
  client_seed: clientSeedField,
  client_seed_hex: (value, path) => {
    if (typeof value !== "string") refuseField(path, value, TEXT.expected.plainText);
    return /^(?:[0-9a-f]{2}){1,128}$/.test(value) ? value : refuseField(path, value, TEXT.expected.seedHex);
  },
  client_seed_made_by: orNull(oneOf("bettor", "operator")),
  nonce: whole(0, MAX_NONCE),
  index: orNull(whole(0, 52 * MAX_DECKS)),
  cut: orNull(whole(0, 52 * MAX_DECKS - 1)),
  cards,
  player: hand(),
  banker: hand(),
  natural: truth,
  winner: spelled(/^(?:player|banker|tie)$/, TEXT.expected.winner),
  bets: byName(form({ stake: stakeText(), status: oneOf("won", "pushed", "lost"), returned: amountText() })),
  totals: form({ staked: amountText(), returned: amountText(), net: netText() }),
  pay_table: payTableForm,
  pay_table_digest: hex,
  currency: orNull(form({ code: spelled(/^[A-Z][A-Z0-9]{0,15}$/, TEXT.expected.currency), decimals: whole(0, 38) })),
  accepted_at: timeText(),
  settled_at: timeText(),
});

/** A record from its JSON values: complete and well formed. Whether it is true is for the verification to find out. */
function readRecord(value) {
  const record = recordForm(value, "");
  const scheme = Object.hasOwn(SCHEMES, record.scheme) ? SCHEMES[record.scheme] : null;
  const subject = (name) => `${TEXT.subject.record}, ${name}`;
  if (scheme?.needsCommitment) {
    for (const name of ["decks", "commitment", "cut"]) {
      if (record[name] === null) throw refuse("record", subject(name), say(TEXT.expected.never, { scheme: scheme.name }), TEXT.found.none);
    }
  }
  if (record.accepted_at !== null && record.settled_at !== null && timeOrder(record.settled_at) < timeOrder(record.accepted_at)) {
    throw refuse("record", subject("settled_at"), TEXT.expected.later, record.settled_at);
  }
  if (scheme !== null && record.server_seed !== null) {
    try {
      scheme.readServerSeed(record.server_seed);
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      throw refuse("record", subject("server_seed"), refusal.expected, refusal.found, refusal.slips);
    }
  }
  return record;
}
