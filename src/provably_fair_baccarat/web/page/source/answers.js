"use strict";
// The self-test: known answers of the published protocol, and this page's hashes held against the browser's own.

const KNOWN_SEED = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
const KNOWN_COMMITMENT = "3e2d8157faae5379e90c5d6823c04f90989da344d47c312f910bee3aac8792e4";
const REJECTING = "7bf90dae0dfe12534ad2436591236911ecb3204e5c74bb70cf1f4b64db9dd2bf";

/** Coups of pfb1: server seed, client seed, nonce, decks, cut, cards, and how many the player and the banker get. */
const KNOWN_COUPS = [
  [KNOWN_SEED, "lucky 8s", 0, 8, 174, "Kd Ac 2d 9d Kd 2h", 3, 3],
  [KNOWN_SEED, "lucky 8s", 1, 8, 214, "Tc 8s Kc 3d Th 7c", 3, 3],
  [KNOWN_SEED, "lucky 8s", 9007199254740991, 1, 4, "Tc Qh 9c Ks 5c Qc", 2, 2],
  [KNOWN_SEED, "a:1:2", 9, 8, 112, "Ts 7d 3c 3d Ts Th", 3, 3],
  [KNOWN_SEED, "Zo\u00eb", 2, 8, 99, "9s 5h 9d 8d 9c 6d", 2, 2],
  [KNOWN_SEED, "Zoe\u0308", 2, 8, 270, "6d 7s Js Ks Qd 3c", 2, 2],
  [REJECTING, "reject", 1093403, 8, 67, "Th 2s Th 5s Qh 2c", 3, 2],
  [REJECTING, "reject", 5052469, 8, 74, "Qc 7c 2d 8s 8h Kh", 3, 2],
  ["8aca4f36774f82a67c507cb9c96679482e2cc767f2d38502269557a566b092fb", "limit", 568458336, 8, 28, "9h 2d Th 8c 5d 8s", 2, 2],
];

/** A shoe dealt through, of nonce 1: the digest of its order, how many cards are burnt, its coups, the slots of its last one, its commitment. */
const KNOWN_SHOE = [
  "31485431d4fc6dbed312c7815c9eb3a5343fc688cba321b201cc4ba06ff59546", 11, 82, "404,407",
  "1c97f8b4a5600a0ea4c49fd38047c95e32da6de1cc2a7f0c752afb5b7eaa9259",
];

/** A chain of three links, of which the last is 32 bytes of 07: its anchor and its commitment. */
const KNOWN_CHAIN = [
  "8a46682d6aecabd069e033b16d580857dc503f6b7148a7b67b9c32d357b75ac0", "648cb773204cb1880a529803742edfe3a000a38b5723439ecd58d61618745f14",
];

/** Rounds of other houses: scheme, server seed, client seed, nonce, player, banker. */
const KNOWN_ELSEWHERE = [
  ["stake", "server seed", "client seed", 1, "Js Th 9h", "5h Kc"],
  ["bcgame-single", "server seed", "client seed", 1, "7d 8c 8h", "4h Ah"],
  ["bcgame-table", "bd9b6a2d044d79c3051cf744fcd5b75701e341a56cd8322b17dd73f561922a91",
    "0000000000000000000301e2801a9a9598bfb114e574a91a887f2132f33047e6", 0, "7d 3s Ks", "Kh 4h"],
];

const isEqual = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** Each known answer by its name, and whether this page gives it. */
function* knownAnswers() {
  yield ["SHA-256", sha256OfText("abc") === "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"];
  for (const [serverSeed, clientSeed, nonce, decks, ...known] of KNOWN_COUPS) {
    const derived = SCHEMES.pfb1.derive({ serverSeed, clientSeed, decks }, nonce);
    const { player, banker } = dealCoup(derived.cards);
    yield [`pfb1, ${clientSeed}, ${nonce}`, isEqual([derived.cut, derived.cards.join(" "), player.length, banker.length], known)];
  }
  const order = SCHEMES["pfb1-shoe"].derive({ serverSeed: KNOWN_SEED, clientSeed: "lucky 8s", decks: 8 }, 1);
  const { burnt, coups } = order.shoe;
  const shoe = [sha256OfText(order.cards.join(" ")), burnt, coups.length, coups.at(-1).slots.join(), commitmentOf("pfb1-shoe:8", KNOWN_SEED)];
  yield ["pfb1-shoe", isEqual(shoe, KNOWN_SHOE)];
  const [anchor, commitment] = KNOWN_CHAIN;
  yield ["pfb1-chain", leadsToAnchor("07".repeat(32), anchor, 3) && !leadsToAnchor(KNOWN_SEED, anchor, 3)];
  yield ["pfb1-chain, commitment", chainCommitment(8, { length: 3, anchor }) === commitment];
  for (const [name, serverSeed, clientSeed, nonce, player, banker] of KNOWN_ELSEWHERE) {
    const coup = dealCoup(SCHEMES[name].derive({ serverSeed, clientSeed }, nonce).cards);
    yield [name, isEqual([coup.player.join(" "), coup.banker.join(" ")], [player, banker])];
  }
  const dealt = dealCoup("Qd 3s Qh 8d 4c 7d".split(" "));
  const settled = settle(dealt, { player: { stake: 200n }, banker: { stake: 333n }, tie: { stake: 50n } }, { offers: TABLES.bets, step: 1n });
  yield ["settlement", settled.lines.map((line) => line.returned).join() === "0,649,0" && settled.net === 66n];
  yield ["commitment", commitmentOf("pfb1:8", KNOWN_SEED) === KNOWN_COMMITMENT];
}

/** Compares SHA-256 and HMAC with the browser's own, over messages of every length around the ends of blocks. Null where it has none. */
async function compareHashes() {
  const own = globalThis.crypto?.subtle;
  if (own === undefined) return null;
  let compared = 0;
  for (const length of [0, 1, 3, 31, 32, 54, 55, 56, 57, 63, 64, 65, 71, 119, 120, 127, 128, 129, 200, 1000]) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 31 + length) & 255);
    const key = bytes.length ? bytes : new Uint8Array(32);
    const imported = await own.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    const digest = hexOfBytes(new Uint8Array(await own.digest("SHA-256", bytes)));
    const tag = hexOfBytes(new Uint8Array(await own.sign("HMAC", imported, bytes)));
    if (digest !== hexOfWords(sha256(bytes)) || tag !== hexOfWords(hmac(hmacKey(key), bytes))) throw new Error(`hash of ${length} bytes`);
    compared += 2;
  }
  return compared;
}

/** A signature of RFC 8032, section 7.1, and one that is none; false where this browser has no Ed25519. */
async function testSignatures() {
  if (!(await canVerifySignatures())) return false;
  const key = { bytes: bytesOfHex(KNOWN_KEY) };
  const signature = bytesOfHex(
    "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
  );
  const isRight = await isSigned(key, signature, Uint8Array.of(0x72));
  if (!isRight || (await isSigned(key, signature, Uint8Array.of(0x73)))) throw new Error("Ed25519");
  return true;
}

/**
 * Runs the self-test: how many known answers were right, how many hashes were compared, and whether signatures can be verified; throws with
 * the name of what is wrong.
 */
async function runSelfTest() {
  let answers = 0;
  for (const [name, isRight] of knownAnswers()) {
    if (!isRight) throw new Error(name);
    answers += 1;
  }
  return { answers, compared: await compareHashes(), hasSignatures: await testSignatures() };
}
