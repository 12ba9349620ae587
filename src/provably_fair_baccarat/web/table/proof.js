// The proof, in the bettor's own browser: the protocol's steps 2 to 7 once more, from their text. It asks nobody for anything.

const RANKS = "A23456789TJQK";
const BANKER_DRAWS = ["0123456789", "0123456789", "0123456789", "012345679", "234567", "4567", "67", ""];
const ENCODER = new TextEncoder();

const hexOf = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
const bytesOf = (hex) => Uint8Array.from(hex.match(/../g), (pair) => parseInt(pair, 16));

export async function commitmentOf(label, serverSeed) {
  return hexOf(await crypto.subtle.digest("SHA-256", ENCODER.encode(`${label}:${serverSeed}`)));
}

// Step 3: the words of a coup, as many as are asked for.
function wordsOf(key, label, clientSeed, nonce) {
  const words = [];
  let block = 0;
  return async () => {
    if (!words.length) {
      const message = ENCODER.encode(`${label}:${clientSeed}:${nonce}:${block}`);
      const view = new DataView(await crypto.subtle.sign("HMAC", key, message));
      for (let place = 0; place < 32; place += 4) words.push(view.getUint32(place));
      block += 1;
    }
    return words.shift();
  };
}

// Step 4: no result comes more often than another.
async function draw(next, n) {
  const limit = 2 ** 32 - (2 ** 32 % n);
  let word = await next();
  while (word >= limit) word = await next();
  return word % n;
}

// Step 5: the cut, and six cards of the cut shoe.
async function cutAndCards(next, decks) {
  const size = 52 * decks;
  const cut = await draw(next, size);
  const shoe = Array.from({ length: size }, (_, slot) => (cut + slot) % size);
  for (let k = 0; k < 6; k += 1) {
    const j = k + (await draw(next, size - k));
    [shoe[k], shoe[j]] = [shoe[j], shoe[k]];
  }
  return [cut, shoe.slice(0, 6).map((card) => RANKS[card % 13] + "shdc"[Math.floor((card % 52) / 13)])];
}

const pointsOf = (card) => ("A23456789".indexOf(card[0]) + 1) % 10;
export const scoreOf = (cards) => cards.reduce((sum, card) => sum + pointsOf(card), 0) % 10;

// Step 6: both hands by the tableau.
function dealCoup(cards) {
  const player = [cards[0], cards[2]];
  const banker = [cards[1], cards[3]];
  const rest = cards.slice(4);
  if (Math.max(scoreOf(player), scoreOf(banker)) < 8) {
    const third = scoreOf(player) <= 5 ? rest.shift() : undefined;
    const draws = third === undefined ? scoreOf(banker) <= 5 : BANKER_DRAWS[scoreOf(banker)].includes(String(pointsOf(third)));
    if (third !== undefined) player.push(third);
    if (draws) banker.push(rest.shift());
  }
  const ahead = scoreOf(player) - scoreOf(banker);
  return { player, banker, winner: ahead > 0 ? "player" : ahead < 0 ? "banker" : "tie" };
}

// Step 7: what a bet on one of the three returns.
function returned(bet, stake, winner, table) {
  if (winner === "tie" && bet !== "tie") return stake;
  if (bet !== winner) return 0n;
  const [whole, decimals] = table[`${bet}_multiplier`].split(".");
  return (stake * BigInt(whole + decimals.padEnd(6, "0"))) / 1000000n;
}

// Whether a record is what follows from the seeds: null, or what differs.
async function difference(key, pair, record) {
  const next = wordsOf(key, pair.label, pair.client_seed, record.nonce);
  const [cut, cards] = await cutAndCards(next, pair.decks);
  const coup = dealCoup(cards);
  const told = [record.cut, record.cards, record.player.cards, record.banker.cards, record.winner, record.client_seed, record.commitment];
  const found = [cut, cards, coup.player, coup.banker, coup.winner, pair.client_seed, pair.commitment];
  if (JSON.stringify(told) !== JSON.stringify(found)) return `the seeds give ${cards.join(" ")}`;
  for (const [bet, line] of Object.entries(record.bets)) {
    const pays = returned(bet, BigInt(line.stake), coup.winner, record.pay_table);
    if (String(pays) !== line.returned) return `${bet} returns ${pays}`;
  }
  return null;
}

// Verify a revealed pair and its rounds, in the order of their nonces. What was shown beforehand counts, not what is told now.
export async function verify(shownCommitment, pair, rounds) {
  const checks = [];
  const recomputed = await commitmentOf(pair.label, pair.server_seed);
  const fits = recomputed === shownCommitment;
  checks.push({ good: fits, text: fits ? "The revealed seed has the hash that you were shown." : `The revealed seed has the hash ${recomputed}.` });
  const gap = rounds.findIndex((round, place) => round.nonce !== place);
  const complete = gap < 0 && rounds.length === pair.next_nonce;
  checks.push({ good: complete, text: complete ? `All ${rounds.length} rounds are there: no nonce is missing, none is there twice.` : "A round is missing." });
  const key = await crypto.subtle.importKey("raw", bytesOf(pair.server_seed), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const differences = [];
  for (const { record } of rounds) differences.push(await difference(key, pair, record));
  const wrong = differences.findIndex(Boolean);
  checks.push({
    good: wrong < 0,
    text: wrong < 0 ? "Dealt again from both seeds, every coup has the same cut, cards, winner and returns." : `Nonce ${wrong}: ${differences[wrong]}.`,
  });
  return { checks, differences, proved: checks.every((check) => check.good) };
}
