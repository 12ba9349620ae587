"use strict";
// Signed statements, as docs/reference/statements.md tells them: keys, signatures, payloads, and their place in the log.

const toBinary = (bytes) => bytes.reduce((text, byte) => text + String.fromCharCode(byte), "");
const base64Of = (bytes) => btoa(toBinary(bytes));
const base64UrlOf = (bytes) => base64Of(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");

function bytesOfBase64(text) {
  try {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    return base64Of(bytes) === text ? bytes : null;
  } catch {
    return null;
  }
}

/** The bytes of base64url without padding, or null for any other spelling. */
function bytesOfBase64Url(text) {
  if (!/^[\w-]*$/.test(text)) return null;
  return bytesOfBase64(text.replaceAll("-", "+").replaceAll("_", "/") + "=".repeat((4 - (text.length % 4)) % 4));
}

// Ed25519 is the browser's. Where it has none, statements are read and no signature is verified; the verdict says so.

let hasSignatures = null;

const importKey = async (bytes) => crypto.subtle.importKey("raw", bytes, "Ed25519", false, ["verify"]);
const KNOWN_KEY = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"; // of RFC 8032, section 7.1

async function canVerifySignatures() {
  hasSignatures ??= await importKey(bytesOfHex(KNOWN_KEY)).then(() => true, () => false);
  return hasSignatures;
}

/** Whether a signature is that of a key over bytes; true where this browser cannot tell. */
async function isSigned(key, signature, bytes) {
  if (!(await canVerifySignatures())) return true;
  key.imported ??= importKey(key.bytes);
  try {
    return await crypto.subtle.verify("Ed25519", await key.imported, signature, bytes);
  } catch {
    return false;
  }
}

const FIELD_SIZE = 2n ** 255n - 19n;
const modulo = (number) => ((number % FIELD_SIZE) + FIELD_SIZE) % FIELD_SIZE;
const CURVE = -121665n * powerOf(121666n, FIELD_SIZE - 2n);
const OF_ORDER_8 = 2707385501144840649318225287225658788936804267575313519463743609750303402022n;
const SMALL_ORDER = [0n, 1n, FIELD_SIZE - 1n, OF_ORDER_8, FIELD_SIZE - OF_ORDER_8];

function powerOf(base, exponent) {
  let power = 1n;
  for (let square = base, rest = exponent; rest > 0n; rest >>= 1n, square = (square * square) % FIELD_SIZE) {
    if (rest & 1n) power = (power * square) % FIELD_SIZE;
  }
  return power;
}

/** Whether 32 bytes are a point of the curve in its one spelling, and not of small order. */
function isPublicKey(bytes) {
  if (bytes?.length !== 32) return false;
  const number = BigInt(`0x${hexOfBytes(bytes.slice().reverse())}`);
  const y = number & (2n ** 255n - 1n);
  if (y >= FIELD_SIZE || SMALL_ORDER.includes(y)) return false;
  const square = modulo((y * y - 1n) * powerOf(modulo(CURVE * y * y + 1n), FIELD_SIZE - 2n));
  return powerOf(square, (FIELD_SIZE - 1n) / 2n) <= 1n && !(square === 0n && number >> 255n);
}

const badKey = (found) => refuse("signing_key", SUBJECT.key, EXPECTED.jwk, found);
const isSeconds = (value) => isBetween(value, 0, 253402300799);

/** The operator's keys by their ids, from a JWK set. */
function readKeys(set) {
  if (!isObject(set) || Object.keys(set).join() !== "keys" || !Array.isArray(set.keys) || !set.keys.length) throw badKey(FOUND.another);
  const keys = new Map();
  for (const jwk of set.keys) {
    const key = readKey(jwk);
    if (keys.has(key.kid)) throw badKey(say(FOUND.keyTwice, { key: describe(key.kid) }));
    keys.set(key.kid, key);
  }
  return keys;
}

function readKey(jwk) {
  if (!isObject(jwk)) throw badKey(describe(jwk));
  const { alg, crv, kid, kty, use, nbf, exp, x } = jwk;
  const names = Object.hasOwn(jwk, "exp") ? "alg,crv,exp,kid,kty,nbf,use,x" : "alg,crv,kid,kty,nbf,use,x";
  const bytes = isText(x) ? bytesOfBase64Url(x) : null;
  const isForm = Object.keys(jwk).sort().join() === names && isEqual([alg, crv, kty, use], ["Ed25519", "Ed25519", "OKP", "sig"]);
  const isTime = isSeconds(nbf) && (!Object.hasOwn(jwk, "exp") || (isSeconds(exp) && exp > nbf));
  const isNamed = () => kid === base64UrlOf(bytesOfWords(sha256(utf8(canonicalJson({ crv, kty, x })))));
  if (!isForm || !isTime || !isPublicKey(bytes) || !isNamed()) throw badKey(describe(kid));
  return { kid, bytes, from: nbf * 1e6, until: exp === undefined ? Infinity : exp * 1e6 };
}

/** Microseconds since 1970. */
function microsecondsOf(time) {
  const fraction = time.slice(20, -1);
  return Date.parse(`${time.slice(0, 19)}Z`) * 1000 + Number(fraction.padEnd(6, "0") || 0);
}

// Payloads

const isName = (value) => isText(value) && value !== "" && Array.from(value.slice(0, 300)).length <= 128 && !REFUSED.test(value);
const someName = reader(isName, EXPECTED.name);
const someBets = reader((bets) => !isEqual(bets, {}), EXPECTED.someBets);
const someTime = (value, path) => timeText(value ?? refuseField(path, value, EXPECTED.time), path);
const somePromise = orNull(form({ key: text(1, 1000), maximum_delay: whole(1, 31536000) }));
const common = { version: whole(1, 1), time: someTime, bettor: someName };

const PAYLOADS = {
  opening: form({
    ...common, ...schemeFields, commitment: hex, pay_table_digest: hex,
    cap: whole(1, MAX_NONCE), currency: someCurrency, number: anyNonce, previous: orNull(hex),
    beacon: orNull(form({ chain: hex, round: whole(1, MAX_NONCE) })), log: somePromise,
  }),
  acceptance: form({
    ...common, commitment: hex, nonce: anyNonce, client_seed: clientSeedField, client_seed_made_by: madeBy,
    bets: (value, path) => byName(stakeText)(someBets(value, path), path),
    key: someName, pay_table_digest: hex, dealt: truth, log: somePromise,
  }),
  receipt: form({ ...common, key: someName, record: readRecord }),
  closing: form({ ...common, commitment: hex, coups: anyNonce }),
};

function readPayload(kind, bytes) {
  const malformed = (found) => mismatch("statement.form", say(SUBJECT.payload, { kind }), EXPECTED.canonical, found);
  let value;
  try {
    const source = DECODER.decode(bytes);
    value = parseJson(source);
    if (canonicalJson(value) !== source) throw malformed(FOUND.spelling);
    value = PAYLOADS[kind](value, "");
  } catch (fault) {
    if (fault instanceof Refusal && fault.code.startsWith("verification")) throw fault;
    throw malformed(fault instanceof Refusal ? `${fault.subject}: ${fault.found}` : FOUND.noUtf8);
  }
  if (kind === "opening" && (value.number === 0) !== (value.previous === null)) throw malformed("previous");
  if (kind === "receipt" && (value.record.server_seed !== null || value.record.settled_at !== value.time)) throw malformed("record");
  return value;
}

const HEADER = /^\{"alg":"Ed25519","kid":"([A-Za-z0-9_-]{43})","typ":"([^"\\]*)"\}$/;

/** A statement that was signed with one of these keys in its time: its kind, payload and digest. */
async function readStatement(statement, keys) {
  const wrong = (name, expected, found) => mismatch(`statement.${name}`, SUBJECT.statement, expected, found);
  const parts = statement.split(".");
  const [header, payload, signature] = parts.map(bytesOfBase64Url);
  if (parts.length !== 3 || header === null) throw wrong("form", EXPECTED.jws, describe(statement));
  const told = HEADER.exec(toBinary(header));
  if (told === null) throw wrong("header", EXPECTED.header, describe(toBinary(header)));
  const kind = /^pfb-(opening|acceptance|receipt|closing)\+jws$/.exec(told[2])?.[1];
  if (kind === undefined) throw wrong("kind", EXPECTED.kinds, describe(told[2]));
  if (payload === null || signature?.length !== 64 || payload.length > MAX_BYTES) throw wrong("form", EXPECTED.jws, describe(statement));
  const key = keys.get(told[1]);
  if (key === undefined) throw wrong("unknown_key", EXPECTED.knownKey, describe(told[1]));
  if (!(await isSigned(key, signature, utf8(`${parts[0]}.${parts[1]}`)))) throw wrong("signature", EXPECTED.signature, FOUND.another);
  const said = readPayload(kind, payload);
  const time = microsecondsOf(said.time);
  if (time < key.from || time >= key.until) throw wrong("key_time", EXPECTED.keyTime, said.time);
  return { kind, said, time, digest: sha256OfText(statement) };
}

// The log

const leafHash = (entry) => bytesOfWords(sha256(joined([0], utf8(entry))));
const nodeHash = (left, right) => bytesOfWords(sha256(joined([1], left, right)));

function entryOf({ kind, said, digest }) {
  const source = kind === "receipt" ? said.record : said;
  return canonicalJson({ kind, commitment: source.commitment, nonce: source.nonce ?? null, digest });
}

/** The root that a leaf leads to by an audit path (RFC 6962), or null for a path of another length. */
function rootFrom(leaf, index, size, path) {
  let hash = leaf;
  let place = index;
  let last = size - 1;
  if (index >= size) return null;
  for (const other of path) {
    if (last === 0) return null;
    if (place % 2 === 1 || place === last) {
      hash = nodeHash(other, hash);
      while (place % 2 === 0 && place > 0) [place, last] = [place / 2, Math.floor(last / 2)];
    } else {
      hash = nodeHash(hash, other);
    }
    [place, last] = [Math.floor(place / 2), Math.floor(last / 2)];
  }
  return last === 0 ? hash : null;
}

/** The key of a log (1) or a witness (4) from its text. */
function readNoteKey(text, type) {
  const found = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/.exec(text);
  const raw = found && bytesOfBase64(found[3]);
  const id = found && hexOfWords(sha256(joined(utf8(found[1]), [10], raw ?? []))).slice(0, 8);
  if (!raw || raw.length !== 33 || raw[0] !== type || id !== found[2] || !isPublicKey(raw.slice(1))) {
    throw refuse("signing_key", SUBJECT.noteKey, EXPECTED.noteKey, describe(text));
  }
  return { name: found[1], id, bytes: raw.slice(1) };
}

const SIGNATURE_LINE = /^\u2014 (\S+) ([A-Za-z0-9+/=]+)$/;

/** A checkpoint that the log, and each of the witnesses, has signed: the tree's size and root. */
async function readCheckpoint(source, logKey, witnesses) {
  const wrong = (found) => mismatch("log.checkpoint", SUBJECT.checkpoint, EXPECTED.checkpoint, found);
  const [body, tail, ...more] = source.split("\n\n");
  const [origin, size, root, ...extra] = body.split("\n");
  const rootBytes = root === undefined ? null : bytesOfBase64(root);
  if (tail === undefined || more.length || extra.length || !tail.endsWith("\n") || origin !== logKey.name) throw wrong(describe(origin));
  if (!/^(0|[1-9][0-9]{0,15})$/.test(size) || Number(size) > MAX_NONCE || rootBytes?.length !== 32) throw wrong(describe(size));
  const signed = utf8(`${body}\n`);
  const signatures = tail.slice(0, -1).split("\n").map((line) => SIGNATURE_LINE.exec(line) ?? [null, null, ""]);
  const signatureOf = ({ name, id }, length) => {
    const own = signatures.filter(([, signer]) => signer === name).map(([, , text]) => bytesOfBase64(text));
    return own.find((bytes) => bytes?.length === length && hexOfBytes(bytes.slice(0, 4)) === id) ?? null;
  };
  if (signatures.some(([line]) => line === null)) throw wrong(FOUND.another);
  const ofLog = signatureOf(logKey, 68);
  if (ofLog === null || !(await isSigned(logKey, ofLog.slice(4), signed))) throw wrong(say(FOUND.unsigned, { name: logKey.name }));
  for (const witness of witnesses) {
    const cosigned = signatureOf(witness, 76);
    const seconds = cosigned && new DataView(cosigned.buffer).getBigUint64(4);
    const message = joined(utf8(`cosignature/v1\ntime ${seconds}\n`), signed);
    if (cosigned === null || !(await isSigned(witness, cosigned.slice(12), message))) throw wrong(say(FOUND.unsigned, { name: witness.name }));
  }
  return { origin, size: Number(size), root: rootBytes };
}
