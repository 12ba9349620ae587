// A verifier of pfb1 coups and settlements for Node, written from docs/reference/protocol.md; comments name its steps.
// It answers requests, one JSON object a line: python vectors/conformance.py --section coups -- node examples/verifier.mjs
import { createHash, createHmac } from "node:crypto";
import { createInterface } from "node:readline";

const RANKS = "A23456789TJQK";
const SUITS = "shdc";
const BANKER_DRAWS = [ // step 6: the banker's score, and the player's third cards on which the banker draws; - is a player who stood
  "-0123456789", "-0123456789", "-0123456789", "-012345679", "-234567", "-4567", "67", "",
];

function commitment(label, serverSeed) { // step 2
  return createHash("sha256").update(`${label}:${serverSeed}`, "ascii").digest("hex");
}

function* words(serverSeed, label, clientSeed, nonce) { // step 3
  for (let i = 0; ; i++) {
    const hmac = createHmac("sha256", Buffer.from(serverSeed, "hex"));
    const block = hmac.update(`${label}:${clientSeed}:${nonce}:${i}`, "utf8").digest();
    for (let at = 0; at < 32; at += 4) yield block.readUInt32BE(at);
  }
}

function draw(stream, n) { // step 4; numbers here are doubles, so 2^32 is exact
  const limit = 2 ** 32 - (2 ** 32 % n);
  for (;;) {
    const word = stream.next().value;
    if (word < limit) return word % n;
  }
}

function cutAndCards(serverSeed, label, clientSeed, nonce, decks) { // step 5
  const size = 52 * decks;
  const stream = words(serverSeed, label, clientSeed, nonce);
  const cut = draw(stream, size);
  const slots = Array.from({ length: size }, (_, slot) => (cut + slot) % size);
  for (let k = 0; k < 6; k++) {
    const j = k + draw(stream, size - k);
    [slots[k], slots[j]] = [slots[j], slots[k]];
  }
  const cards = slots.slice(0, 6).map((card) => RANKS[card % 13] + SUITS[Math.floor((card % 52) / 13)]);
  return { cut, cards };
}

const points = (card) => ("TJQK".includes(card[0]) ? 0 : RANKS.indexOf(card[0]) + 1);
const score = (hand) => hand.reduce((sum, card) => sum + points(card), 0) % 10;

function deal(cards) { // step 6
  const player = [cards[0], cards[2]];
  const banker = [cards[1], cards[3]];
  const rest = cards.slice(4);
  const natural = score(player) >= 8 || score(banker) >= 8;
  if (!natural) {
    const bankerHas = score(banker);
    let third = "-";
    if (score(player) <= 5) {
      player.push(rest.shift());
      third = String(points(player[2]));
    }
    if (BANKER_DRAWS[bankerHas].includes(third)) banker.push(rest.shift());
  }
  const [playerScore, bankerScore] = [score(player), score(banker)];
  const winner = playerScore > bankerScore ? "player" : bankerScore > playerScore ? "banker" : "tie";
  return { player, banker, player_score: playerScore, banker_score: bankerScore, natural, winner };
}

function millionths(multiplier) { // step 7: text to a whole number, without a binary fraction on the way
  const [whole, fraction] = multiplier.split(".");
  return BigInt(whole) * 1000000n + BigInt(fraction.padEnd(6, "0"));
}

function settleOne(bet, stake, coup, table) { // step 7, for player, banker and tie
  const won = (multiplier) => ["won", (stake * millionths(multiplier)) / 1000000n];
  if (bet === "tie") return coup.winner === "tie" ? won(table.tie_multiplier) : ["lost", 0n];
  if (bet !== "player" && bet !== "banker") throw new Error(`this verifier has no bet ${bet}`);
  if (coup.winner === "tie") return ["pushed", stake];
  if (coup.winner !== bet) return ["lost", 0n];
  if (bet === "player") return won(table.player_multiplier);
  const threeCardSeven = coup.banker_score === 7 && coup.banker.length === 3;
  const exception = coup.banker_score === 6 ? "six" : threeCardSeven ? "three_card_seven" : "";
  const multiplier = table.banker_exceptions[exception] ?? table.banker_multiplier;
  return multiplier === "push" ? ["pushed", stake] : won(multiplier);
}

function settle({ cards, stakes, pay_table: table }) {
  const coup = deal(cards);
  const bets = {};
  let [staked, paid] = [0n, 0n];
  for (const [bet, text] of Object.entries(stakes)) {
    const [status, returned] = settleOne(bet, BigInt(text), coup, table);
    bets[bet] = { stake: text, status, returned: String(returned) };
    staked += BigInt(text);
    paid += returned;
  }
  return { bets, totals: { staked: String(staked), returned: String(paid), net: String(paid - staked) } };
}

const streamOf = (ask) => words(ask.server_seed, ask.label, ask.client_seed, ask.nonce);
const ANSWERS = {
  words: (ask) => { const stream = streamOf(ask); return { words: Array.from({ length: ask.count }, () => stream.next().value) }; },
  draws: (ask) => { const stream = streamOf(ask); return { draws: ask.sizes.map((n) => draw(stream, n)) }; },
  commitment: (ask) => ({ commitment: commitment(ask.label, ask.server_seed) }),
  coup: (ask) => { const dealt = cutAndCards(ask.server_seed, `pfb1:${ask.decks}`, ask.client_seed, ask.nonce, ask.decks); return { ...dealt, ...deal(dealt.cards) }; },
  deal: (ask) => { const { natural, ...hands } = deal(ask.cards); return hands; },
  settle,
};

for await (const line of createInterface({ input: process.stdin })) {
  const ask = JSON.parse(line);
  const answer = ask.do in ANSWERS ? ANSWERS[ask.do](ask) : { error: "unknown" };
  console.log(JSON.stringify({ id: ask.id, ...answer }));
}
