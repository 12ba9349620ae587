"use strict";
// SHA-256 and HMAC-SHA-256, at once and without waiting: a seed chain is up to a million hashes, one after the other.
// The self-test holds them against the browser's own cryptography.

const PRIMES = [];
for (let n = 2; PRIMES.length < 64; n++) if (PRIMES.every((prime) => n % prime)) PRIMES.push(n);

/** The first 32 bits of the fractions of numbers, as FIPS 180-4 takes them from roots of primes. */
const fractionsOf = (roots) => Int32Array.from(roots, (root) => (root % 1) * 2 ** 32);
const ROUND_CONSTANTS = fractionsOf(PRIMES.map(Math.cbrt));
const INITIAL_STATE = fractionsOf(PRIMES.slice(0, 8).map(Math.sqrt));
const SCHEDULE = new Int32Array(64);

/** Takes the block that stands in SCHEDULE[0..15] into a state of eight words. */
function compress(state) {
  for (let t = 16; t < 64; t++) {
    const x = SCHEDULE[t - 15];
    const y = SCHEDULE[t - 2];
    const low = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const high = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    SCHEDULE[t] = (SCHEDULE[t - 16] + low + SCHEDULE[t - 7] + high) | 0;
  }
  let a = state[0], b = state[1], c = state[2], d = state[3], e = state[4], f = state[5], g = state[6], h = state[7];
  for (let t = 0; t < 64; t++) {
    const sum = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const first = (h + sum + ((e & f) ^ (~e & g)) + ROUND_CONSTANTS[t] + SCHEDULE[t]) | 0;
    const other = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const second = (other + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g; g = f; f = e; e = (d + first) | 0; d = c; c = b; b = a; a = (first + second) | 0;
  }
  state[0] += a; state[1] += b; state[2] += c; state[3] += d; state[4] += e; state[5] += f; state[6] += g; state[7] += h;
}

/** Takes bytes that are whole blocks into a state. */
function absorbBlocks(state, bytes) {
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < bytes.length; at += 4) {
    SCHEDULE[(at >> 2) & 15] = view.getInt32(at);
    if ((at & 63) === 60) compress(state);
  }
  return state;
}

/** Takes the rest of a message and its padding into a state that has seen `before` bytes, a multiple of 64. */
function absorb(state, bytes, before) {
  const bits = (before + bytes.length) * 8;
  const padded = new Uint8Array(((bytes.length + 72) >> 6) << 6);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer, padded.length - 8);
  view.setUint32(0, Math.floor(bits / 2 ** 32));
  view.setUint32(4, bits);
  return absorbBlocks(state, padded);
}

/** Takes eight words, which are the end of a message of so many bits, into a state. */
function absorbDigest(state, digest, bits) {
  for (let t = 0; t < 8; t++) SCHEDULE[t] = digest[t];
  SCHEDULE[8] = 0x80000000 | 0;
  for (let t = 9; t < 15; t++) SCHEDULE[t] = 0;
  SCHEDULE[15] = bits;
  compress(state);
  return state;
}

/** SHA-256 of bytes, as eight words. */
function sha256(bytes) {
  return absorb(INITIAL_STATE.slice(), bytes, 0);
}

/** SHA-256 of 32 bytes that stand in eight words: one step down a seed chain. */
function hashDigest(digest) {
  return absorbDigest(INITIAL_STATE.slice(), digest, 256);
}

/** Both ends of HMAC-SHA-256 under a key of bytes, ready for any number of messages. */
function hmacKey(key) {
  const short = key.length > 64 ? bytesOfWords(sha256(key)) : key;
  const pad = (mask) => absorbBlocks(INITIAL_STATE.slice(), new Uint8Array(64).map((_, i) => (short[i] ?? 0) ^ mask));
  return { inner: pad(0x36), outer: pad(0x5c) };
}

/** HMAC-SHA-256 of a message in bytes, as eight words. */
function hmac(key, message) {
  return absorbDigest(key.outer.slice(), absorb(key.inner.slice(), message, 64), 768);
}

const ENCODER = new TextEncoder();
const utf8 = (text) => ENCODER.encode(text);

function joined(...parts) {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  parts.reduce((at, part) => (bytes.set(part, at), at + part.length), 0);
  return bytes;
}

function bytesOfWords(words) {
  const bytes = new Uint8Array(4 * words.length);
  words.forEach((word, t) => new DataView(bytes.buffer).setInt32(4 * t, word));
  return bytes;
}

function bytesOfHex(hex) {
  return Uint8Array.from({ length: hex.length / 2 }, (_, i) => parseInt(hex.slice(2 * i, 2 * i + 2), 16));
}

function wordsOfHex(hex) {
  return Int32Array.from({ length: 8 }, (_, t) => parseInt(hex.slice(8 * t, 8 * t + 8), 16));
}

const hexOfWords = (words) => Array.from(words, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
const hexOfBytes = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const sha256OfText = (text) => hexOfWords(sha256(utf8(text)));
