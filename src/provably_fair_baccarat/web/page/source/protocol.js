"use strict";
// The pfb1 protocol, steps 2 to 6, 8 and 10, written from its text. What it derives it also shows: every block, word and draw.

const RANKS = "A23456789TJQK";
const SUITS = "shdc";
const MAX_NONCE = 2 ** 53 - 1;
const MAX_DECKS = 8;
const MAX_CHAIN = 1000000;
const CUT_CARD = 14;

/** The label of step 1: `pfb1:8`. */
const labelOf = (name, decks) => `${name}:${decks}`;

/** Step 2: the commitment to a server seed in hex. */
const commitmentOf = (label, serverSeed) => sha256OfText(`${label}:${serverSeed}`);

/** Step 8: the commitment to a chain. */
const chainCommitment = (decks, chain) => sha256OfText(`${labelOf("pfb1-chain", decks)}:${chain.length}:${chain.anchor}`);

/** Step 3: the words of the stream one after the other, with the blocks that they came from. */
class WordStream {
  constructor(key, label, clientSeed, nonce) {
    this.key = key;
    this.prefix = `${label}:${clientSeed}:${nonce}:`;
    this.blocks = [];
    this.taken = 0;
  }

  next() {
    if (this.taken === 8 * this.blocks.length) this.blocks.push(hmac(this.key, utf8(this.prefix + this.blocks.length)));
    const place = this.taken++;
    return this.blocks[place >> 3][place & 7] >>> 0;
  }
}

/** Step 4: a whole number from 0 to n - 1 without bias, and how it came about. */
function draw(stream, n) {
  const limit = 2 ** 32 - (2 ** 32 % n);
  const rejected = [];
  let word = stream.next();
  while (word >= limit) {
    rejected.push(word);
    word = stream.next();
  }
  return { n, limit, rejected, word, place: stream.taken - 1, value: word % n };
}

/** Step 5.1: the text of a card by its number in the factory order. */
const cardOfNumber = (number) => RANKS[number % 13] + SUITS[Math.floor((number % 52) / 13)];

/** Step 5: the cut and the first `count` cards. Only the slots that were touched are held; each draw keeps what it did. */
function cutAndDraw(stream, decks, count) {
  const size = 52 * decks;
  const cutDraw = draw(stream, size);
  const cut = cutDraw.value;
  const touched = new Map();
  const inSlot = (slot) => touched.get(slot) ?? (cut + slot) % size;
  const draws = [];
  for (let k = 0; k < count; k++) {
    if (k === size - 1) {
      draws.push({ k, j: k, number: inSlot(k), card: cardOfNumber(inSlot(k)) });
      break;
    }
    const drawn = draw(stream, size - k);
    drawn.k = k;
    drawn.j = k + drawn.value;
    drawn.number = inSlot(drawn.j);
    drawn.card = cardOfNumber(drawn.number);
    touched.set(drawn.j, inSlot(k));
    touched.set(k, drawn.number);
    draws.push(drawn);
  }
  return { cut, cutDraw, draws, blocks: stream.blocks, prefix: stream.prefix, cards: draws.map((drawn) => drawn.card) };
}

const pointsOf = (card) => ("A23456789".indexOf(card[0]) + 1) % 10;
const scoreOf = (cards) => cards.reduce((sum, card) => sum + pointsOf(card), 0) % 10;

/** Step 6: the coup that cards in order give, with the cell of the tableau that decided. */
function dealCoup(cards) {
  const player = [cards[0], cards[2]];
  const banker = [cards[1], cards[3]];
  const first = { player: scoreOf(player), banker: scoreOf(banker) };
  const natural = first.player >= 8 || first.banker >= 8;
  let cell = null;
  if (!natural) {
    const playerDraws = first.player <= 5;
    if (playerDraws) player.push(cards[4]);
    const column = playerDraws ? pointsOf(cards[4]) + 1 : 0;
    const draws = TABLES.tableau[first.banker][column] === "D";
    if (draws) banker.push(cards[playerDraws ? 5 : 4]);
    cell = { row: first.banker, column, draws };
  }
  const scores = { player: scoreOf(player), banker: scoreOf(banker) };
  const winner = scores.player > scores.banker ? "player" : scores.banker > scores.player ? "banker" : "tie";
  return { player, banker, first, scores, natural, winner, cell, used: player.length + banker.length };
}

/** Step 10: a shoe in order, dealt through: what is burnt, and every coup with the slots of its first and last card. */
function dealShoe(order) {
  const size = order.length;
  const burnt = 1 + (pointsOf(order[0]) || 10);
  const coups = [];
  let next = burnt;
  let left = null;
  while (left !== 0) {
    const first = next;
    if (left === null && first >= size - CUT_CARD) left = 1;
    const coup = dealCoup(order.slice(first, first + 6));
    const last = first + coup.used - 1;
    coups.push({ ...coup, slots: [first, last], cards: order.slice(first, last + 1) });
    if (left !== null) left -= 1;
    else if (last >= size - CUT_CARD) left = 1;
    next = last + 1;
  }
  return { burnt, coups };
}
