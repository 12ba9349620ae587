// Puts the page's working scripts behind the conformance runner: python vectors/conformance.py -- node tests/page/conform.js PAGE
const fs = require("fs");
const readline = require("readline");
const vm = require("vm");

const html = fs.readFileSync(process.argv[2], "utf8");
const scripts = Array.from(html.matchAll(/<script id="\w+" data-works>(.*?)<\/script>/gs), (found) => found[1]);
const names = [
  "WordStream", "keyOfHex", "draw", "commitmentOf", "SCHEMES", "dealCoup", "preparedPayTable", "payTableForm", "settle", "withTexts", "sha256OfText",
  "chainCommitment", "hashDigest", "wordsOfHex", "hexOfWords", "readChain", "readSeeds", "replay", "verifyText", "readHex", "readNonce", "readDecks",
  "readClientSeed", "multiplierText", "stakeText", "amountText", "card", "refuse", "Refusal",
];
vm.runInThisContext(`${scripts.join("\n")}\nglobalThis.page = { ${names.join(", ")} };`);
const { page } = globalThis;

const hands = (coup) => ({
  player: coup.player, banker: coup.banker, player_score: coup.scores.player, banker_score: coup.scores.banker, winner: coup.winner,
});
const stream = (ask) => new page.WordStream(page.keyOfHex(ask.server_seed), ask.label, ask.client_seed, ask.nonce);

function coupOf(ask, scheme, more) {
  const given = { serverSeed: ask.server_seed ?? ask.link, clientSeed: ask.client_seed, decks: ask.decks, scheme, chain: null, commitment: null, ...more };
  const seeds = page.readSeeds(given);
  const played = page.replay(seeds, page.readNonce(ask.nonce), null, true);
  return { cut: played.cut, cards: played.cards, ...hands(played.coup), natural: played.coup.natural };
}

function settled(ask) {
  const table = page.preparedPayTable(page.payTableForm(ask.pay_table, ""));
  const bets = Object.fromEntries(Object.entries(ask.stakes).map(([bet, stake]) => [bet, { stake: BigInt(stake) }]));
  const settlement = page.settle(page.dealCoup(ask.cards), bets, table);
  const { staked, returned, net } = page.withTexts(settlement);
  const lines = settlement.lines.map(({ bet, stake, status, returned: back }) => [bet, { stake: String(stake), status, returned: String(back) }]);
  return { bets: Object.fromEntries(lines), totals: { staked, returned, net } };
}

function shoe(ask) {
  const derived = page.SCHEMES["pfb1-shoe"].derive({ serverSeed: ask.server_seed, clientSeed: ask.client_seed, decks: ask.decks }, ask.nonce);
  const coups = derived.shoe.coups.map(({ player, banker, winner }, index) => ({ index, player, banker, winner }));
  return { cut: derived.cut, order_sha256: page.sha256OfText(derived.cards.join(" ")), burnt: derived.shoe.burnt, coups };
}

function chain(ask) {
  let digest = page.wordsOfHex(ask.last_link);
  for (let i = 0; i < ask.length; i++) digest = page.hashDigest(digest);
  const anchor = page.hexOfWords(digest);
  return { anchor, commitment: page.chainCommitment(ask.decks, { anchor, length: ask.length }) };
}

const asRecord = (read) => (value) => read(value, "");
const READERS = {
  server_seed: (value) => page.readHex(value, "", "seed.server_seed"),
  commitment: (value) => page.readHex(value, "", "seed.commitment"),
  anchor: (value) => page.readChain(value, 1),
  length: (value) => page.readChain("0".repeat(64), value),
  nonce: page.readNonce,
  decks: page.readDecks,
  draw: (value) => {
    if (!Number.isInteger(value) || value < 1 || value > 2 ** 32) throw page.refuse("seed.draw", "", "", "");
    page.draw({ next: () => 0 }, value);
  },
  client_seed: page.readClientSeed,
  multiplier: asRecord(page.multiplierText),
  stake: asRecord(page.stakeText),
  amount: asRecord(page.amountText),
  card: (value) => {
    try {
      page.card(value, "");
    } catch (refusal) {
      throw page.refuse("card", refusal.subject, refusal.expected, refusal.found);
    }
  },
};

const ANSWERS = {
  words: (ask) => { const words = stream(ask); return { words: Array.from({ length: ask.count }, () => words.next()) }; },
  draws: (ask) => { const words = stream(ask); return { draws: ask.sizes.map((n) => page.draw(words, n).value) }; },
  commitment: (ask) => ({ commitment: page.commitmentOf(ask.label, ask.server_seed) }),
  coup: (ask) => coupOf(ask, "pfb1", { commitment: page.commitmentOf(`pfb1:${ask.decks}`, ask.server_seed) }),
  deal: (ask) => hands(page.dealCoup(ask.cards)),
  settle: settled,
  digest: (ask) => ({ digest: page.preparedPayTable(page.payTableForm(ask.pay_table, "")).digest }),
  shoe,
  chain,
  chain_coup: (ask) => {
    const published = page.readChain(ask.anchor, ask.length);
    return coupOf(ask, "pfb1-chain", { chain: published, commitment: page.chainCommitment(ask.decks, published) });
  },
  scheme: (ask) => {
    const { player, banker } = hands(page.dealCoup(page.SCHEMES[ask.scheme].derive({ serverSeed: ask.server_seed, clientSeed: ask.client_seed }, ask.nonce ?? 0).cards));
    return { player, banker };
  },
  verify: (ask) => {
    const { error } = page.verifyText({ commitment: null }, new TextEncoder().encode(ask.record), true);
    if (error !== null) throw page.refuse(error.code, error.subject, error.expected, error.found);
    return { verified: true };
  },
  read: (ask) => {
    READERS[ask.what](ask.value);
    return { accepted: true };
  },
};

readline.createInterface({ input: process.stdin, crlfDelay: Infinity }).on("line", (line) => {
  const ask = JSON.parse(line);
  let answer;
  try {
    answer = ANSWERS[ask.do](ask);
  } catch (error) {
    if (!(error instanceof page.Refusal)) throw error;
    answer = { error: error.code };
  }
  process.stdout.write(`${JSON.stringify({ id: ask.id, ...answer })}\n`);
});
