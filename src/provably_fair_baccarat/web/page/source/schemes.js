"use strict";
// The schemes: what each commits to, and how cut and cards come from the seeds. Ours follow the protocol; the others are those that
// other houses publish, as docs/reference/schemes.md tells them.

const keyOfHex = remembering(256, (hex) => hmacKey(bytesOfHex(hex)));
const keyOfText = remembering(256, (text) => hmacKey(utf8(text)));
const rememberedSha256 = remembering(256, sha256OfText);

/** The cards of a stream, as many as are asked for. */
function derive(label, { serverSeed, clientSeed, decks }, nonce, count) {
  return cutAndDraw(new WordStream(keyOfHex(serverSeed), label, clientSeed, nonce), decks, count);
}

/** A whole shoe of step 10. The latest is kept, since a file has its coups one after the other. */
const rememberedShoe = remembering(1, (name, ...given) => {
  const derived = derive(...given);
  return { ...derived, shoe: dealShoe(derived.cards) };
});

function deriveShoe(label, seeds, nonce) {
  return rememberedShoe(JSON.stringify([label, seeds.serverSeed, seeds.clientSeed, nonce]), label, seeds, nonce, 52 * seeds.decks);
}

const deriveCoup = (label, seeds, nonce) => derive(label, seeds, nonce, 6);

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

/** Cards in the order of a hash that is rotated by one more digit for each of them. */
const rotated = (hash, cards) => cards.map((card, i) => ({ key: hash.slice(i) + hash.slice(0, i), card }));
const sorted = (entries) => entries.sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0)).map(({ card }) => card);

/** What both ways of BC.Game have in common: the block, the two hashes that sort, and the first six cards of what they sort. */
function deriveBcgame(block, prefix, sort) {
  const first = sha256OfText(hexOfWords(block));
  const second = sha256OfText(first);
  return { cut: null, blocks: [block], prefix, hashes: [first, second], cards: sort(first, second).slice(0, 6) };
}

function deriveBcgameSingle(seeds, nonce) {
  const prefix = `${seeds.clientSeed}:${nonce}`;
  const sort = (first, second) => sorted([...rotated(first, BCGAME_LIST), ...rotated(second, BCGAME_LIST)]);
  return deriveBcgame(hmac(keyOfText(seeds.serverSeed), utf8(prefix)), prefix, sort);
}

function deriveBcgameTable(seeds, nonce) {
  if (nonce !== 0) throw refuse("seed.nonce", SUBJECT.nonce, EXPECTED.noNonce, describe(nonce));
  const sort = (first, second) => sorted(rotated(second, sorted(rotated(first, BCGAME_LIST))));
  return deriveBcgame(hmac(keyOfText(seeds.clientSeed), bytesOfHex(seeds.serverSeed)), null, sort);
}

const readServerHex = (subject) => (text) => readHex(text, subject, "seed.server_seed");

/** One of ours: bound to its decks, unbiased, and always with a commitment. */
const ownScheme = (name, deriveOwn, more) => ({
  name, isOwn: true, hasNonces: true, dealsShoes: false, dealsFromChains: false, readDecks,
  label: (decks) => labelOf(name, decks),
  readServerSeed: readServerHex(SUBJECT.serverSeed),
  commit: (serverSeed, decks) => rememberedSha256(`${labelOf(name, decks)}:${serverSeed}`),
  derive: (seeds, nonce) => deriveOwn(labelOf(name, seeds.decks), seeds, nonce),
  ...more,
});

/** One of another house: text seeds, a shoe of its own, and maybe no commitment. */
const otherScheme = (name, decks, deriveOther, more) => ({
  name, isOwn: false, hasNonces: true, dealsShoes: false, dealsFromChains: false, readServerSeed: readTextSeed,
  label: () => name,
  readDecks: (given) => {
    if ([decks, MAX_DECKS].includes(readDecks(given))) return decks;
    const expected = decks === null ? EXPECTED.infiniteDeck : String(decks);
    throw refuse("seed.decks", SUBJECT.decks, expected, describe(given), [slip("decks_of_scheme", { scheme: name })]);
  },
  commit: sha256OfText,
  derive: deriveOther,
  ...more,
});

const ALL_SCHEMES = [
  ownScheme("pfb1", deriveCoup),
  ownScheme("pfb1-chain", deriveCoup, { dealsFromChains: true }),
  ownScheme("pfb1-shoe", deriveShoe, { dealsShoes: true }),
  otherScheme("stake", null, deriveStake),
  otherScheme("bcgame-single", 2, deriveBcgameSingle),
  otherScheme("bcgame-table", 1, deriveBcgameTable, { hasNonces: false, readServerSeed: readServerHex(SUBJECT.roundHash) }),
];
const SCHEMES = Object.fromEntries(ALL_SCHEMES.map((scheme) => [scheme.name, scheme]));

function schemeNamed(name) {
  if (isText(name) && Object.hasOwn(SCHEMES, name)) return SCHEMES[name];
  const known = Object.keys(SCHEMES);
  throw refuse("seed.scheme", SUBJECT.scheme, say(EXPECTED.oneOf, { names: known.join(", ") }), describe(name), nearest(name, known));
}
