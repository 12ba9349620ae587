"use strict";
// Reading: JSON in one spelling, seeds in one form, and records that are complete. Whatever else there is, is refused: by its code, with
// what was expected, what was found and the likely slip. A server seed is never repeated in a refusal.

const { subject: SUBJECT, expected: EXPECTED, found: FOUND } = TEXT;

/** What this page refuses, in the words of docs/reference/errors.md. */
class Refusal extends Error {
  constructor(told) {
    super(`${told.subject}: ${told.expected}, ${told.found}`);
    Object.assign(this, told, { told });
  }
}

const refuse = (code, subject, expected, found, slips = []) => new Refusal({ code, subject, expected, found, slips });

/** What work gives or, where it is refused, what `otherwise` makes of the refusal. What fails for another reason fails. */
function attempt(work, otherwise) {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal) return otherwise(error);
    throw error;
  }
}

/** A function that remembers what it made, a few by name: most files have one server seed, chain and pay table for many rounds. */
function remembering(most, make) {
  const made = new Map();
  return (name, ...more) => {
    if (!made.has(name)) {
      if (made.size >= most) made.clear();
      made.set(name, make(name, ...more));
    }
    return made.get(name);
  };
}

/** A sentence of the table of texts, with values put in for {names}. */
const say = (sentence, values = {}) => sentence.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));

/** The form of a sentence for one, or for many. */
const sayCount = (forms, n, values) => say(n === 1 ? forms.one : forms.many, { n: grouped(n), ...values });

const grouped = (n) => n.toLocaleString(TEXT.language);

/** A slip by its code; one code may have several sentences, told apart behind a point. */
const slip = (key, values) => ({ code: key.split(".")[0], sentence: say(TEXT.pageSlips[key] ?? TEXT.slips[key], values) });

const isText = (value) => typeof value === "string";

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
  if (value === null || value === undefined) return FOUND.none;
  if (typeof value === "object") return Array.isArray(value) ? FOUND.list : FOUND.object;
  if (!isText(value)) return String(value);
  if (value.length <= LONGEST_TOLD) return quoted(value);
  return say(FOUND.long, { start: quoted(Array.from(value.slice(0, 200)).slice(0, 60).join("")), n: value.length });
}

/** How many characters of which kinds, in place of a text that may be a secret. */
function describeSecret(value) {
  if (!isText(value)) return describe(value) === FOUND.none ? FOUND.none : FOUND.noText;
  if (value === "") return FOUND.empty;
  let rest = Array.from(value.slice(0, 100000));
  const n = rest.length;
  const kinds = [];
  for (const [name, pattern] of [[FOUND.lowerHex, /[0-9a-f]/], [FOUND.upperHex, /[A-F]/], [FOUND.whiteSpace, WHITE_SPACE], [FOUND.other, /^/]]) {
    const others = rest.filter((letter) => !pattern.test(letter));
    if (others.length < rest.length) kinds.push(`${rest.length - others.length} ${name}`);
    rest = others;
  }
  return say(n === 1 ? FOUND.secretOne : FOUND.secret, { n, kinds: kinds.join(", ") });
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
  if (!isText(name) || name.length > 100) return [];
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
  if (!isText(text) || text.length > 1000) return null;
  const mended = HEX_SLIPS.reduce((kept, [, mend]) => mend(kept), text);
  return HEX.test(mended) ? mended : null;
}

/** Forms that are no hex, and the slips behind them. */
const WRONG_FORMS = [["digits.less", /^[0-9a-f]{63}$/], ["digits.more", /^[0-9a-f]{65}$/], ["base64", /^[\w+/-]{43}=?$/]];

function hexSlips(text) {
  if (mendHex(text) === null) return WRONG_FORMS.filter(([, form]) => isText(text) && form.test(text)).map(([code]) => slip(code));
  let kept = text;
  const isMade = ([, mend]) => {
    const before = kept;
    kept = mend(kept);
    return kept !== before;
  };
  return HEX_SLIPS.filter(isMade).map(([code]) => slip(code));
}

function readHex(text, subject, code) {
  if (isText(text) && HEX.test(text)) return text;
  throw refuse(code, subject, EXPECTED.hex, describeSecret(text), hexSlips(text));
}

const REFUSED = /[\u0000-\u001f\u007f-\u009f]|[\ud800-\udfff]/u;
const EDGES = "\\u0020\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff";
const REFUSED_EDGE = new RegExp(`^[${EDGES}]|[${EDGES}]$`);

/** Step 1: why a text is no client seed, or null if it is one. */
function clientSeedRefusal(text) {
  for (const [pattern, expected] of [[REFUSED, EXPECTED.noControls], [REFUSED_EDGE, EXPECTED.noEdges]]) {
    const found = pattern.exec(text);
    if (found) {
      const code = found[0].codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
      return { expected, found: say(FOUND.codePoint, { code, place: Array.from(text.slice(0, found.index)).length }) };
    }
  }
  const size = text.length > 1000 ? text.length : utf8(text).length;
  return size >= 1 && size <= 128 ? null : { expected: EXPECTED.clientSeedSize, found: say(FOUND.bytes, { n: size }) };
}

function readClientSeed(text) {
  const refused = (expected, found, slips) => refuse("seed.client_seed", SUBJECT.clientSeed, expected, found, slips);
  if (!isText(text)) throw refused(EXPECTED.text, describe(text));
  const refusal = clientSeedRefusal(text);
  if (refusal === null) return text;
  const trimmed = stripped(text).replace(/^\ufeff+|\ufeff+$/g, "");
  throw refused(refusal.expected, refusal.found, trimmed !== text && clientSeedRefusal(trimmed) === null ? [slip("white_space.client")] : []);
}

/** The server seed of another house: text as it is shown. */
function readTextSeed(text) {
  const size = isText(text) && text.length <= 256 && !REFUSED.test(text) ? utf8(text).length : 0;
  if (size >= 1 && size <= 256) return text;
  throw refuse("seed.server_seed", SUBJECT.serverSeed, EXPECTED.textSeed, describeSecret(text));
}

/** Readers of whole numbers in a range. */
const isBetween = (number, least, most) => Number.isInteger(number) && number >= least && number <= most;
const readNumber = (code, name, least, most) => (number) => {
  if (isBetween(number, least, most)) return number;
  throw refuse(code, SUBJECT[name], EXPECTED[name], describe(number));
};
const readDecks = readNumber("seed.decks", "decks", 1, MAX_DECKS);
const readNonce = readNumber("seed.nonce", "nonce", 0, MAX_NONCE);
const readLength = readNumber("seed.chain", "chainLength", 1, MAX_CHAIN);
const readChain = (anchor, length) => ({ anchor: readHex(anchor, SUBJECT.anchor, "seed.chain"), length: readLength(length) });

// JSON, read without mercy: JSON.parse takes the last of two equal keys, and makes one number of 14, 14.0 and 1.4e1.

const MAX_BYTES = 64 * 1024;
const MAX_NESTING = 16;
const STRING_PART = /[^"\\\u0000-\u001f]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|-?Infinity|NaN/y;
const BLANK = /[ \t\n\r]*/y;
const WORDS = { true: true, false: false, null: null };
const ESCAPES = { '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/** Reads one JSON value, refusing whatever two readers could understand differently. */
class JsonReader {
  constructor(text, subject) {
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
    this.refuse(EXPECTED.json, say(this.at >= this.text.length ? FOUND.jsonEnd : FOUND.json, values));
  }

  /** What a sticky pattern finds here. */
  take(pattern) {
    const from = this.at;
    pattern.lastIndex = from;
    if (pattern.test(this.text)) this.at = pattern.lastIndex;
    return this.text.slice(from, this.at);
  }

  /** Whether a sign stands here; then it is taken. */
  takes(sign) {
    if (this.text[this.at] !== sign) return false;
    this.at += 1;
    return true;
  }

  value() {
    this.take(BLANK);
    const value = this.bareValue();
    this.take(BLANK);
    return value;
  }

  bareValue() {
    if (this.takes("{")) return this.object();
    if (this.takes("[")) return this.list();
    if (this.takes('"')) return this.string();
    const word = Object.keys(WORDS).find((each) => this.text.startsWith(each, this.at));
    if (word === undefined) return this.number();
    this.at += word.length;
    return WORDS[word];
  }

  number() {
    const digits = this.take(NUMBER);
    if (!digits) this.broken();
    const told = say(FOUND.number, { digits: digits.slice(0, 40) });
    if (/[.eEIN]/.test(digits)) this.refuse(EXPECTED.plainNumber, told, [slip("number_form")]);
    const number = Number(digits);
    if (digits[0] === "-" || number > MAX_NONCE) this.refuse(EXPECTED.wholeNumber, told);
    return number;
  }

  string() {
    let value = "";
    for (;;) {
      value += this.take(STRING_PART);
      if (this.takes('"')) return value;
      if (this.text[this.at] !== "\\") this.broken();
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

  /** Reads part after part, with commas between them, up to the end. */
  parts(end, readPart) {
    this.depth += 1;
    if (this.depth > MAX_NESTING) this.refuse(EXPECTED.nesting, FOUND.more);
    this.take(BLANK);
    if (!this.takes(end)) {
      do readPart(); while (this.takes(","));
      if (!this.takes(end)) this.broken();
    }
    this.depth -= 1;
  }

  list() {
    const list = [];
    this.parts("]", () => list.push(this.value()));
    return list;
  }

  object() {
    const object = {};
    this.parts("}", () => {
      this.take(BLANK);
      if (!this.takes('"')) this.broken();
      const key = this.string();
      this.take(BLANK);
      if (!this.takes(":")) this.broken();
      const value = this.value();
      if (Object.hasOwn(object, key)) this.refuse(EXPECTED.keyOnce, say(FOUND.keyTwice, { key: describe(key) }));
      if (key === "__proto__") Object.defineProperty(object, key, { value, enumerable: true });
      else object[key] = value;
    });
    return object;
  }
}

const parseJson = (text, subject = SUBJECT.record) => new JsonReader(text, subject).read();

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

const inRecord = (name) => (name ? `${SUBJECT.record}, ${name}` : SUBJECT.record);
const inPath = (path, name) => (path ? `${path}.${name}` : name);

function refuseField(path, value, expected, slips) {
  const isSecret = path.startsWith("server_seed") || mendHex(value) !== null;
  throw refuse("record", inRecord(path), expected, isSecret ? describeSecret(value) : describe(value), slips);
}

const reader = (isRight, expected) => (value, path) => (isRight(value) ? value : refuseField(path, value, expected));
const someText = reader(isText, EXPECTED.text);
const someList = reader(Array.isArray, EXPECTED.list);
const someObject = reader(isObject, EXPECTED.object);
const truth = reader((value) => typeof value === "boolean", EXPECTED.truth);
const orNull = (read) => (value, path) => (value === null ? null : read(value, path));

/** A text of a pattern, maybe converted; null is none that there is. */
function spelled(pattern, expected, convert = (text) => text, slipsOf = () => []) {
  return (value, path) => (pattern.test(someText(value, path)) ? convert(value) : null) ?? refuseField(path, value, expected, slipsOf(value));
}

function whole(least, most) {
  return (value, path) => {
    if (typeof value !== "number") refuseField(path, value, EXPECTED.whole, isText(value) ? [slip("number_as_text")] : []);
    if (value < least) refuseField(path, value, say(EXPECTED.atLeast, { n: least }));
    if (value > most) refuseField(path, value, say(EXPECTED.atMost, { n: most }));
    return value;
  };
}

const hex = spelled(HEX, EXPECTED.hex, undefined, hexSlips);

const text = (least, most) => (value, path) => {
  const length = Array.from(someText(value, path).slice(0, 4 * most)).length;
  return length >= least && length <= most ? value : refuseField(path, value, say(EXPECTED.textLength, { least, most }));
};

const CARD = new RegExp(`^[${RANKS}][${SUITS}]$`);

const card = spelled(CARD, EXPECTED.card, undefined, (value) => {
  const plain = stripped(value).replaceAll("10", "T").replace(/[♠♥♦♣♤♡♢♧]/g, (suit) => SUITS["♠♥♦♣♤♡♢♧".indexOf(suit) % 4]);
  const spelling = plain.slice(0, 1).toUpperCase() + plain.slice(1).toLowerCase();
  return CARD.test(spelling) ? [slip("card_spelling", { spelling: quoted(spelling) })] : [];
});

const listOf = (read) => (value, path) => someList(value, path).map((each, i) => read(each, `${path}.${i}`));
const cards = (value, path) => (Array.isArray(value) && value.length > 6 ? refuseField(path, value, EXPECTED.sixCards) : listOf(card)(value, path));

function oneOf(...names) {
  const expected = names.map((name) => `'${name}'`).join(", ").replace(/, (?=[^,]*$)/, ` ${EXPECTED.or} `);
  return reader((value) => names.includes(value), expected);
}

/** An object with exactly these fields. */
function form(fields) {
  const names = Object.keys(fields);
  return (value, path) => {
    someObject(value, path);
    const read = {};
    for (const name of names) {
      const inner = inPath(path, name);
      if (!Object.hasOwn(value, name)) throw refuse("record", inRecord(inner), EXPECTED.key, FOUND.noKey);
      read[name] = fields[name](value[name], inner);
    }
    const unknown = Object.keys(value).find((name) => !Object.hasOwn(fields, name));
    if (unknown === undefined) return read;
    throw refuse("record", inRecord(inPath(path, unknown)), EXPECTED.knownKeys, describe(unknown), nearest(unknown, names));
  };
}

/** An object from names of bets or payouts. */
function byName(read) {
  const entry = (value, path, name) => [betName(name, `${path}.${name}`), read(value[name], `${path}.${name}`)];
  return (value, path) => Object.fromEntries(Object.keys(someObject(value, path)).map((name) => entry(value, path, name)));
}

const MULTIPLIER = "[1-9][0-9]{0,5}\\.(?:[0-9]|[0-9]{1,5}[1-9])";
const MAX_AMOUNT = 10n ** 38n - 1n;

/** RFC 3339 in UTC, or null for a day or hour that is not there: a Date carries it over to the next one. */
function readTime(text) {
  const whole = text.slice(0, 19);
  return whole > "0001" && new Date(`${whole}Z`).toJSON()?.startsWith(whole) ? text : null;
}

/** A time with its fraction filled up, to be compared as text. */
const timeOrder = (time) => `${time.slice(0, 19)}.${(time.slice(20, -1) || "").padEnd(6, "0")}`;

const STAKE = /^[1-9][0-9]{0,37}$/;
const stakeText = spelled(STAKE, EXPECTED.stake, BigInt);
const amountText = spelled(/^(?:0|[1-9][0-9]{0,37})$/, EXPECTED.amount, BigInt);
const netText = spelled(/^(?:0|-?[1-9][0-9]{0,38})$/, EXPECTED.net, (digits) => {
  const net = BigInt(digits);
  return net <= MAX_AMOUNT && net >= -MAX_AMOUNT ? net : null;
});
const multiplierText = spelled(new RegExp(`^${MULTIPLIER}$`), EXPECTED.multiplier);
const payoutText = spelled(new RegExp(`^(?:push|${MULTIPLIER})$`), EXPECTED.payout);
const timeText = spelled(/^[0-9]{4}-[0-9]{2}-[0-9]{2}T(?:[01][0-9]|2[0-3]):[0-9]{2}:[0-9]{2}(?:\.[0-9]{0,5}[1-9])?Z$/, EXPECTED.time, readTime);
const betName = spelled(/^[a-z][a-z0-9_]{0,63}$/, EXPECTED.betName);
const anyNonce = whole(0, MAX_NONCE);
const hand = form({ cards, score: whole(0, 9) });
const madeBy = oneOf("bettor", "operator");
const someCurrency = orNull(form({ code: spelled(/^[A-Z][A-Z0-9]{0,15}$/, EXPECTED.currency), decimals: whole(0, 38) }));

function clientSeedField(value, path) {
  return attempt(() => readClientSeed(value), ({ expected, slips }) => refuseField(path, value, expected, slips));
}

/** What records and openings say of their scheme. */
const schemeFields = {
  scheme: spelled(/^[a-z0-9][a-z0-9-]{0,31}$/, EXPECTED.schemeName),
  label: spelled(/^[a-z0-9][a-z0-9:-]{0,63}$/, EXPECTED.label),
  decks: orNull(whole(1, MAX_DECKS)),
  commitment: orNull(hex),
  chain: orNull(form({ anchor: hex, length: whole(1, MAX_CHAIN) })),
};

const payTableForm = form({
  player_multiplier: multiplierText,
  banker_multiplier: multiplierText,
  tie_multiplier: multiplierText,
  banker_exceptions: byName(payoutText),
  side_bets: byName(byName(payoutText)),
  stake_step: spelled(STAKE, EXPECTED.stake),
  rounding: oneOf("down"),
});

const recordForm = form({
  format_version: whole(1, 1),
  ...schemeFields,
  server_seed: orNull(text(1, 256)),
  client_seed: clientSeedField,
  client_seed_hex: spelled(/^(?:[0-9a-f]{2}){1,128}$/, EXPECTED.seedHex),
  client_seed_made_by: orNull(madeBy),
  nonce: anyNonce,
  index: orNull(whole(0, 52 * MAX_DECKS)),
  cut: orNull(whole(0, 52 * MAX_DECKS - 1)),
  cards,
  player: hand,
  banker: hand,
  natural: truth,
  winner: spelled(/^(?:player|banker|tie)$/, EXPECTED.winner),
  bets: byName(form({ stake: stakeText, status: oneOf("won", "pushed", "lost"), returned: amountText })),
  totals: form({ staked: amountText, returned: amountText, net: netText }),
  pay_table: payTableForm,
  pay_table_digest: hex,
  currency: someCurrency,
  accepted_at: orNull(timeText),
  settled_at: orNull(timeText),
});

/** A record from its JSON values: complete and well formed. Whether it is true is for the verification to find out. */
function readRecord(value) {
  const record = recordForm(value, "");
  const { accepted_at: accepted, settled_at: settled, server_seed: serverSeed } = record;
  const scheme = Object.hasOwn(SCHEMES, record.scheme) ? SCHEMES[record.scheme] : null;
  const refused = (name, expected, found, slips) => refuse("record", inRecord(name), expected, found, slips);
  const missing = scheme?.isOwn ? ["decks", "commitment", "cut"].find((name) => record[name] === null) : undefined;
  if (missing) throw refused(missing, say(EXPECTED.never, { scheme: scheme.name }), FOUND.none);
  if (accepted !== null && settled !== null && timeOrder(settled) < timeOrder(accepted)) throw refused("settled_at", EXPECTED.later, settled);
  if (scheme !== null && serverSeed !== null) {
    attempt(() => scheme.readServerSeed(serverSeed), ({ expected, found, slips }) => { throw refused("server_seed", expected, found, slips); });
  }
  return record;
}
