"use strict";
// Bets and settlement: protocol step 7 and docs/reference/bets.md. An event says which payout of its bet is due, or that it lost or pushed.

const isPair = (hand) => hand[0][0] === hand[1][0];
const isPerfect = (hand) => hand[0] === hand[1];
const won = (happened) => (happened ? "won" : "lost");
const winsWith = (who, score, used) => (coup) =>
  coup.winner === who && coup.scores[who] === score && (used === undefined || coup[who].length === used);
const byCards = (who, score) => (coup) =>
  !winsWith(who, score)(coup) ? "lost" : coup[who].length === 2 ? "two_cards" : "three_cards";
const tieOn = (score) => (coup) => coup.winner === "tie" && coup.scores.player === score;

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
  player: (coup) => (coup.winner === "tie" ? "pushed" : won(coup.winner === "player")),
  banker: bankerEvent,
  tie: (coup) => won(coup.winner === "tie"),
  player_pair: (coup) => won(isPair(coup.player)),
  banker_pair: (coup) => won(isPair(coup.banker)),
  either_pair: (coup) => won(isPair(coup.player) || isPair(coup.banker)),
  perfect_pair: (coup) => ["lost", "one", "both"][isPerfect(coup.player) + isPerfect(coup.banker)],
  perfect_pair_flat: (coup) => won(isPerfect(coup.player) || isPerfect(coup.banker)),
  big: (coup) => won(coup.used >= 5),
  small: (coup) => won(coup.used === 4),
  four_cards: (coup) => won(coup.used === 4),
  five_cards: (coup) => won(coup.used === 5),
  six_cards: (coup) => won(coup.used === 6),
  dragon_bonus_player: dragonBonus("player"),
  dragon_bonus_banker: dragonBonus("banker"),
  dragon7: (coup) => won(winsWith("banker", 7, 3)(coup)),
  panda8: (coup) => won(winsWith("player", 8, 3)(coup)),
  super6: (coup) => won(winsWith("banker", 6)(coup)),
  tiger: byCards("banker", 6),
  small_tiger: (coup) => won(winsWith("banker", 6, 2)(coup)),
  big_tiger: (coup) => won(winsWith("banker", 6, 3)(coup)),
  tiger_tie: (coup) => won(tieOn(6)(coup)),
  tiger_pair: tigerPair,
  lucky7: byCards("player", 7),
  royal_match: royalMatch,
};
for (let score = 0; score < 10; score++) EVENTS[`egalite_${score}`] = (coup) => won(tieOn(score)(coup));

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
  const unfit = (subject, expected, found, slips) => refuse("verification.pay_table", `${TEXT.subject.record}, ${subject}`, expected, found, slips);
  const exceptions = table.banker_exceptions;
  for (const name of Object.keys(exceptions)) {
    if (name !== "six" && name !== "three_card_seven") {
      throw unfit(say(TEXT.subject.payoutOf, { bet: "banker" }), `six ${TEXT.expected.or} three_card_seven`, describe(name), nearest(name, ["six", "three_card_seven"]));
    }
  }
  const banker = table.banker_multiplier;
  const offers = {
    player: { won: table.player_multiplier },
    banker: { won: banker, six: exceptions.six ?? banker, three_card_seven: exceptions.three_card_seven ?? banker },
    tie: { won: table.tie_multiplier },
  };
  for (const [bet, payouts] of Object.entries(table.side_bets)) {
    if (Object.hasOwn(offers, bet)) throw unfit("side_bets", TEXT.expected.sideBets, say(TEXT.found.mainBet, { bet: quoted(bet), name: bet }));
    const expected = TABLES.bets[bet].payouts;
    for (const name of Object.keys(payouts)) {
      if (!expected.includes(name)) throw unfit(say(TEXT.subject.payoutOf, { bet }), expected.join(` ${TEXT.expected.or} `), describe(name), nearest(name, expected));
    }
    const missing = expected.filter((name) => !Object.hasOwn(payouts, name));
    if (missing.length) {
      const names = expected.join(", ");
      throw unfit(say(TEXT.subject.payoutsOf, { bet }), say(TEXT.expected.everyPayout, { names }), say(TEXT.found.noneFor, { names: missing.join(", ") }));
    }
    offers[bet] = payouts;
  }
  return { offers, step: BigInt(table.stake_step) };
}

/** Pay tables that were read and digested, a few at a time: a file has few of them. */
const PAY_TABLES = new Map();

function preparedPayTable(form) {
  const text = canonicalJson(form);
  let table = PAY_TABLES.get(text);
  if (table === undefined) {
    if (PAY_TABLES.size >= 64) PAY_TABLES.clear();
    table = { ...readPayTable(form), digest: sha256OfText(text), text };
    PAY_TABLES.set(text, table);
  }
  return table;
}

/** Step 7: what each bet returns, rounded down once, and the sums. */
function settle(coup, bets, table) {
  const lines = [];
  let staked = 0n;
  let returned = 0n;
  for (const [bet, { stake }] of Object.entries(bets)) {
    if (stake % table.step !== 0n) {
      throw refuse("money.bet.stake", say(TEXT.subject.stakeOn, { bet }), say(TEXT.expected.stakeStep, { step: table.step }), String(stake));
    }
    if (!Object.hasOwn(table.offers, bet)) throw unknownBet(bet, Object.keys(table.offers));
    const answer = EVENTS[bet](coup);
    const payment = paymentOf(answer, table.offers[bet]);
    const line = { bet, stake, answer, status: payment.status, multiplier: payment.text, returned: (stake * payment.multiplier) / UNIT };
    staked += line.stake;
    returned += line.returned;
    lines.push(line);
  }
  if (staked > MAX_AMOUNT || returned > MAX_AMOUNT) {
    throw refuse("money.amount", TEXT.subject.settlement, TEXT.expected.maxAmount, say(TEXT.found.amounts, { staked, returned }));
  }
  return { lines, staked, returned, net: returned - staked };
}

function unknownBet(bet, offered) {
  const expected = say(TEXT.expected.oneOf, { names: offered.join(", ") });
  return refuse("money.bet.unknown", TEXT.subject.bet, expected, describe(bet), betSlips(bet, offered));
}

/** Under which other name, or in which ready pay tables, a bet is offered; else the nearest one that is. */
function betSlips(bet, offered) {
  const known = Object.hasOwn(TABLES.aliases, bet) ? TABLES.aliases[bet] : bet;
  if (offered.includes(known)) return [slip("alias", { alias: quoted(known) })];
  const tables = Object.keys(TABLES.sideBets).filter((name) => TABLES.sideBets[name].includes(known));
  return tables.length ? [slip("other_table", { names: tables.join(", ") })] : nearest(bet, offered);
}
