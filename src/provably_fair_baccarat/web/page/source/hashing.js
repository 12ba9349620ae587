"use strict";
// SHA-256 and HMAC-SHA-256, at once and without waiting: a seed chain is up to a million hashes, one after the other.
// The self-test holds them against the browser's own cryptography.

const ROUND_CONSTANTS = new Int32Array([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
  0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
  0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
  0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
  0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
  0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
]);
const INITIAL_STATE = new Int32Array([
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
]);
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

/** Takes the rest of a message and its padding into a state that has seen `before` bytes, a multiple of 64. */
function absorb(state, bytes, before) {
  const length = bytes.length;
  const bits = (before + length) * 8;
  const blocks = (length + 72) >> 6;
  for (let block = 0, at = 0; block < blocks; block++) {
    for (let t = 0; t < 16; t++, at += 4) {
      if (at + 4 <= length) {
        SCHEDULE[t] = (bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3];
      } else {
        let word = 0;
        for (let i = at; i < at + 4; i++) word = (word << 8) | (i < length ? bytes[i] : i === length ? 0x80 : 0);
        SCHEDULE[t] = word;
      }
    }
    if (block === blocks - 1) {
      SCHEDULE[14] = Math.floor(bits / 2 ** 32);
      SCHEDULE[15] = bits | 0;
    }
    compress(state);
  }
  return state;
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
  const pad = (mask) => {
    for (let t = 0; t < 16; t++) {
      let word = 0;
      for (let i = 4 * t; i < 4 * t + 4; i++) word = (word << 8) | ((short[i] ?? 0) ^ mask);
      SCHEDULE[t] = word;
    }
    const state = INITIAL_STATE.slice();
    compress(state);
    return state;
  };
  return { inner: pad(0x36), outer: pad(0x5c) };
}

/** HMAC-SHA-256 of a message in bytes, as eight words. */
function hmac(key, message) {
  return absorbDigest(key.outer.slice(), absorb(key.inner.slice(), message, 64), 768);
}

const ENCODER = new TextEncoder();
const utf8 = (text) => ENCODER.encode(text);

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
