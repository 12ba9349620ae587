"use strict";
// Bets and settlement: protocol step 7 and docs/reference/bets.md. An event says which payout of its bet is due, or that it lost or pushed.

const isPair = (hand) => hand[0][0] === hand[1][0];
const isPerfect = (hand) => hand[0] === hand[1];

/** A bet that is won where something is so. */
const wonIf = (isSo) => (coup) => (isSo(coup) ? "won" : "lost");
const winsWith = (who, score, used) => wonIf((coup) => coup.winner === who && coup.scores[who] === score && (!used || coup[who].length === used));
const byCards = (who, score) => (coup) => (winsWith(who, score)(coup) === "lost" ? "lost" : coup[who].length === 2 ? "two_cards" : "three_cards");
const tieOn = (score) => wonIf((coup) => coup.winner === "tie" && coup.scores.player === score);
const uses = (...counts) => wonIf(({ used }) => counts.includes(used));

function dragonBonus(who) {
  return (coup) => {
    if (coup.winner === "tie") return coup.natural ? "pushed" : "lost";
    if (coup.winner !== who) return "lost";
    if (coup.natural) return "natural";
    const margin = Math.abs(coup.scores.player - coup.scores.banker);
    return margin >= 4 ? `by_${margin}` : "lost";
  };
}

function bankerEvent(coup) {
  if (coup.winner !== "banker") return coup.winner === "tie" ? "pushed" : "lost";
  if (coup.scores.banker === 6) return "six";
  return coup.scores.banker === 7 && coup.banker.length === 3 ? "three_card_seven" : "won";
}

function tigerPair(coup) {
  const pairs = [coup.player, coup.banker].filter(isPair).length;
  if (pairs < 2) return pairs === 1 ? "one" : "lost";
  return coup.player[0][0] === coup.banker[0][0] ? "both_same" : "both";
}

function royalMatch(coup) {
  const matches = [coup.player, coup.banker].filter((hand) => ["KQ", "QK"].includes(hand[0][0] + hand[1][0]));
  const suited = matches.filter((hand) => hand[0][1] === hand[1][1]).length;
  if (matches.length === 2) return ["two_unsuited", "suited_and_unsuited", "two_suited"][suited];
  return matches.length === 0 ? "lost" : suited ? "suited" : "unsuited";
}

const EVENTS = {
  player: ({ winner }) => ({ player: "won", banker: "lost", tie: "pushed" })[winner],
  banker: bankerEvent,
  tie: wonIf(({ winner }) => winner === "tie"),
  player_pair: wonIf(({ player }) => isPair(player)),
  banker_pair: wonIf(({ banker }) => isPair(banker)),
  either_pair: wonIf(({ player, banker }) => isPair(player) || isPair(banker)),
  perfect_pair: ({ player, banker }) => ["lost", "one", "both"][isPerfect(player) + isPerfect(banker)],
  perfect_pair_flat: wonIf(({ player, banker }) => isPerfect(player) || isPerfect(banker)),
  big: uses(5, 6),
  small: uses(4),
  four_cards: uses(4),
  five_cards: uses(5),
  six_cards: uses(6),
  dragon_bonus_player: dragonBonus("player"),
  dragon_bonus_banker: dragonBonus("banker"),
  dragon7: winsWith("banker", 7, 3),
  panda8: winsWith("player", 8, 3),
  super6: winsWith("banker", 6),
  tiger: byCards("banker", 6),
  small_tiger: winsWith("banker", 6, 2),
  big_tiger: winsWith("banker", 6, 3),
  tiger_tie: tieOn(6),
  tiger_pair: tigerPair,
  lucky7: byCards("player", 7),
  royal_match: royalMatch,
};
for (let score = 0; score < 10; score++) EVENTS[`egalite_${score}`] = tieOn(score);

const UNIT = 1000000n;

/** Step 7: a multiplier as the whole number multiplier x 10^6. */
function inMillionths(multiplier) {
  const [before, behind] = multiplier.split(".");
  return BigInt(before) * UNIT + BigInt(behind.padEnd(6, "0"));
}

/** What an answer of a bet's event comes to under a pay table: its status, and the multiplier in millionths with its text. */
function paymentOf(answer, payouts) {
  if (answer === "lost") return { status: "lost", multiplier: 0n, text: null };
  const text = answer === "pushed" ? "push" : payouts[answer];
  return text === "push" ? { status: "pushed", multiplier: UNIT, text } : { status: "won", multiplier: inMillionths(text), text };
}

/** A pay table ready to settle: for each bet on offer what each of its payouts pays. Refuses a table that nobody can offer. */
function readPayTable(table) {
  const unfit = (subject, expected, found, slips) => mismatch("pay_table", inRecord(subject), expected, found, slips);
  const requireKnown = (bet, payouts, known) => {
    const name = Object.keys(payouts).find((each) => !known.includes(each));
    if (name !== undefined) throw unfit(say(SUBJECT.payoutOf, { bet }), known.join(` ${EXPECTED.or} `), describe(name), nearest(name, known));
  };
  const { player_multiplier: player, banker_multiplier: banker, tie_multiplier: tie, banker_exceptions: exceptions } = table;
  requireKnown("banker", exceptions, ["six", "three_card_seven"]);
  const offers = { player: { won: player }, banker: { won: banker, six: banker, three_card_seven: banker, ...exceptions }, tie: { won: tie } };
  for (const [bet, payouts] of Object.entries(table.side_bets)) {
    if (Object.hasOwn(offers, bet)) throw unfit("side_bets", EXPECTED.sideBets, say(FOUND.mainBet, { bet: quoted(bet), name: bet }));
    const expected = Object.keys(TABLES.bets[bet]);
    requireKnown(bet, payouts, expected);
    const missing = expected.filter((name) => !Object.hasOwn(payouts, name)).join(", ");
    if (missing) {
      throw unfit(say(SUBJECT.payoutsOf, { bet }), say(EXPECTED.everyPayout, { names: expected.join(", ") }), say(FOUND.noneFor, { names: missing }));
    }
    offers[bet] = payouts;
  }
  return { offers, step: BigInt(table.stake_step) };
}

const payTableOfText = remembering(64, (text, values) => ({ ...readPayTable(values), digest: sha256OfText(text) }));
const preparedPayTable = (values) => payTableOfText(canonicalJson(values), values);

/** Step 7: what each bet returns, rounded down once, and the sums. */
function settle(coup, bets, table) {
  const { step, offers } = table;
  const lines = Object.entries(bets).map(([bet, { stake }]) => {
    if (stake % step !== 0n) throw refuse("money.bet.stake", say(SUBJECT.stakeOn, { bet }), say(EXPECTED.stakeStep, { step }), String(stake));
    if (!Object.hasOwn(offers, bet)) throw unknownBet(bet, Object.keys(offers));
    const answer = EVENTS[bet](coup);
    const { status, multiplier, text } = paymentOf(answer, offers[bet]);
    return { bet, stake, answer, status, multiplier: text, returned: (stake * multiplier) / UNIT };
  });
  const sumOf = (name) => lines.reduce((sum, line) => sum + line[name], 0n);
  const [staked, returned] = [sumOf("stake"), sumOf("returned")];
  if (staked > MAX_AMOUNT || returned > MAX_AMOUNT) {
    throw refuse("money.amount", SUBJECT.settlement, EXPECTED.maxAmount, say(FOUND.amounts, { staked, returned }));
  }
  return { lines, staked, returned, net: returned - staked };
}

function unknownBet(bet, offered) {
  const expected = say(EXPECTED.oneOf, { names: offered.join(", ") });
  return refuse("money.bet.unknown", SUBJECT.bet, expected, describe(bet), betSlips(bet, offered));
}

/** Under which other name, or in which ready pay tables, a bet is offered; else the nearest one that is. */
function betSlips(bet, offered) {
  const known = Object.hasOwn(TABLES.aliases, bet) ? TABLES.aliases[bet] : bet;
  if (offered.includes(known)) return [slip("alias", { alias: quoted(known) })];
  const offers = (table) => TABLES.sideBets[table] ?? Object.keys(TABLES.bets);
  const names = Object.keys(TABLES.payTables).filter((table) => offers(table).includes(known)).join(", ");
  return names ? [slip("other_table", { names })] : nearest(bet, offered);
}
