"use strict";
// The schemes: what each commits to, and how cut and cards come from the seeds. Ours follow the protocol; the others are those that
// other houses publish, as docs/reference/schemes.md tells them.

/** Prepared HMAC keys, a few at a time: most files have one server seed for many rounds. */
const PREPARED = new Map();

function preparedKey(name, makeBytes) {
  let key = PREPARED.get(name);
  if (key === undefined) {
    if (PREPARED.size >= 256) PREPARED.clear();
    key = hmacKey(makeBytes());
    PREPARED.set(name, key);
  }
  return key;
}

const keyOfHex = (hex) => preparedKey(`hex ${hex}`, () => bytesOfHex(hex));
const keyOfText = (text) => preparedKey(`text ${text}`, () => utf8(text));

const COMMITMENTS = new Map();

function rememberedCommitment(label, serverSeed) {
  const name = `${label}:${serverSeed}`;
  let commitment = COMMITMENTS.get(name);
  if (commitment === undefined) {
    if (COMMITMENTS.size >= 256) COMMITMENTS.clear();
    commitment = commitmentOf(label, serverSeed);
    COMMITMENTS.set(name, commitment);
  }
  return commitment;
}

function deriveCoup(label, seeds, nonce) {
  return cutAndDraw(new WordStream(keyOfHex(seeds.serverSeed), label, seeds.clientSeed, nonce), seeds.decks, 6);
}

let latestShoe = null;

/** A whole shoe of step 10. The latest is kept, since a file has its coups one after the other. */
function deriveShoe(label, seeds, nonce) {
  const name = JSON.stringify([label, seeds.serverSeed, seeds.clientSeed, nonce]);
  if (latestShoe?.name !== name) {
    const stream = new WordStream(keyOfHex(seeds.serverSeed), label, seeds.clientSeed, nonce);
    const derived = cutAndDraw(stream, seeds.decks, 52 * seeds.decks);
    latestShoe = { name, derived: { ...derived, shoe: dealShoe(derived.cards) } };
  }
  return latestShoe.derived;
}

// Other houses

const STAKE_RANKS = "23456789TJQKA";
const STAKE_SUITS = "dhsc";

function deriveStake(seeds, nonce) {
  const prefix = `${seeds.clientSeed}:${nonce}:`;
  const block = hmac(keyOfText(seeds.serverSeed), utf8(`${prefix}0`));
  const stream = Array.from(block, (word) => {
    const index = Math.floor(((word >>> 0) * 52) / 2 ** 32);
    return STAKE_RANKS[index >> 2] + STAKE_SUITS[index & 3];
  });
  return { cut: null, blocks: [block], prefix, stream, cards: [0, 2, 1, 3, 4, 5].map((place) => stream[place]) };
}

const BCGAME_LIST = (
  "As 4h 7c Td 2s Kc 5h 8c Jd 3s 6h Qd 9c Ah 4c 7d Ts 2h Kd 5c 8d Js 3h 6c Qs 9d " +
  "Ac 4d 7s Th 2c Ks 5d 8s Jh 3c 6d Qh 9s Ad 4s 7h Tc 2d Kh 5s 8h Jc 3d 6s Qc 9h"
).split(" ");

const rotations = (hash, cards) => cards.map((card, i) => ({ key: hash.slice(i) + hash.slice(0, i), card }));
const byKey = (one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0);

function deriveBcgameSingle(seeds, nonce) {
  const prefix = `${seeds.clientSeed}:${nonce}`;
  const block = hmac(keyOfText(seeds.serverSeed), utf8(prefix));
  const first = sha256OfText(hexOfWords(block));
  const second = sha256OfText(first);
  const shoe = [...rotations(first, BCGAME_LIST), ...rotations(second, BCGAME_LIST)].sort(byKey);
  return { cut: null, blocks: [block], prefix, hashes: [first, second], cards: shoe.slice(0, 6).map((entry) => entry.card) };
}

function deriveBcgameTable(seeds, nonce) {
  if (nonce !== 0) throw refuse("seed.nonce", TEXT.subject.nonce, TEXT.expected.noNonce, describe(nonce));
  const block = hmac(keyOfText(seeds.clientSeed), bytesOfHex(seeds.serverSeed));
  const first = sha256OfText(hexOfWords(block));
  const second = sha256OfText(first);
  const once = rotations(first, BCGAME_LIST).sort(byKey).map((entry) => entry.card);
  const twice = rotations(second, once).sort(byKey);
  return { cut: null, blocks: [block], prefix: null, hashes: [first, second], cards: twice.slice(0, 6).map((entry) => entry.card) };
}

/** One of ours: bound to its decks and always with a commitment. */
function ownScheme(name, more) {
  return {
    name, isOwn: true, isUnbiased: true, hasNonces: true, needsCommitment: true, dealsShoes: false, dealsFromChains: false,
    label: (decks) => labelOf(name, decks),
    readDecks: readDecks,
    readServerSeed: (text) => readHex(text, TEXT.subject.serverSeed, "seed.server_seed"),
    commit: (serverSeed, decks) => rememberedCommitment(labelOf(name, decks), serverSeed),
    derive: (seeds, nonce) => deriveCoup(labelOf(name, seeds.decks), seeds, nonce),
    ...more,
  };
}

/** One of another house: text seeds, a shoe of its own, and maybe no commitment. */
function otherScheme(name, decks, derive, more) {
  return {
    name, isOwn: false, isUnbiased: false, hasNonces: true, needsCommitment: false, dealsShoes: false, dealsFromChains: false,
    label: () => name,
    readDecks: (given) => {
      if (![decks, MAX_DECKS].includes(readDecks(given))) {
        const expected = decks === null ? TEXT.expected.infiniteDeck : String(decks);
        throw refuse("seed.decks", TEXT.subject.decks, expected, describe(given), [slip("decks_of_scheme", { scheme: name })]);
      }
      return decks;
    },
    readServerSeed: readTextSeed,
    commit: (serverSeed) => sha256OfText(serverSeed),
    derive,
    ...more,
  };
}

const SCHEMES = Object.fromEntries(
  [
    ownScheme("pfb1"),
    ownScheme("pfb1-chain", { dealsFromChains: true }),
    ownScheme("pfb1-shoe", { dealsShoes: true, derive: (seeds, nonce) => deriveShoe(labelOf("pfb1-shoe", seeds.decks), seeds, nonce) }),
    otherScheme("stake", null, deriveStake),
    otherScheme("bcgame-single", 2, deriveBcgameSingle),
    otherScheme("bcgame-table", 1, deriveBcgameTable, {
      hasNonces: false,
      readServerSeed: (text) => readHex(text, TEXT.subject.roundHash, "seed.server_seed"),
    }),
  ].map((scheme) => [scheme.name, scheme]),
);

function schemeNamed(name) {
  if (typeof name === "string" && Object.hasOwn(SCHEMES, name)) return SCHEMES[name];
  const known = Object.keys(SCHEMES);
  throw refuse("seed.scheme", TEXT.subject.scheme, say(TEXT.expected.oneOf, { names: known.join(", ") }), describe(name), nearest(name, known));
}
