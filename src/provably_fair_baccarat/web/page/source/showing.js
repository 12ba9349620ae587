"use strict";
// What came of one round: the verdict first, then the coup on its felt, then every step that the verdict rests on.

const verdictOf = (result) => {
  const isFair = result.guarantees.find(({ code }) => code === "unbiased_cards")?.grade === "proved";
  return result.verdict === "proved" && !isFair ? "followed" : result.verdict;
};

function showResult(result) {
  const parts = [showVerdict(result)];
  if (result.played !== null) parts.push(showCoup(result), showSteps(result));
  return parts;
}

function showVerdict(result) {
  const verdict = verdictOf(result);
  const parts = [
    el("div", { class: "head" }, drawSeal(verdict), el("h2", { tabindex: "-1", "data-focus": true }, TEXT.verdicts[verdict])),
    ...(result.error === null ? provedTexts(result, verdict) : refusalTexts(result.error)),
  ];
  if (result.guarantees.length) parts.push(showGuarantees(result.guarantees));
  return el("section", { class: "sheet verdict", "data-verdict": verdict }, parts);
}

function provedTexts(result, verdict) {
  const text = (sentence) => el("p", { class: "text" }, sentence);
  if (verdict === "recomputed") {
    const { computed } = result.seeds;
    return [text(TEXT.verdicts.recomputedText), computed ? text(say(TEXT.verdicts.recomputedOwn, { commitment: computed })) : null];
  }
  if (verdict === "followed") return [text(TEXT.verdicts.followedText), text(TEXT.drawing[result.seeds.scheme])];
  const isKept = result.kept.commitment !== null;
  const more = isKept ? (result.record === null ? null : TEXT.verdicts.compared) : TEXT.verdicts.compareCommitment;
  return [text(result.record === null ? TEXT.verdicts.provedSeeds : TEXT.verdicts.provedRecord), more && text(more)];
}

/** A refusal in plain words: what it means, what was expected and found, and the slip that is likely. */
function refusalTexts(error) {
  const meaning = TEXT.errors[error.code] ?? "";
  const slips = error.slips.map(({ sentence }) => el("dd", { class: "slip" }, sentence));
  const name = error.slips.length > 1 ? TEXT.verdicts.slips : TEXT.verdicts.slip;
  const isMismatch = error.code.startsWith("verification.") && error.code !== "verification.seed_text";
  return [
    el("p", { class: "text" }, meaning),
    el("dl", {},
      slips.length ? [el("dt", {}, name), ...slips] : null,
      el("dt", {}, TEXT.verdicts.where), el("dd", {}, error.subject),
      el("dt", {}, TEXT.verdicts.expected), el("dd", { class: "mono" }, error.expected),
      el("dt", {}, TEXT.verdicts.found), el("dd", { class: "mono" }, error.found)),
    el("p", { class: "hint text" }, say(TEXT.verdicts.code, { code: error.code })),
    isMismatch && !slips.length ? el("p", { class: "text hint" }, TEXT.verdicts.noSlip) : null,
  ];
}

function showGuarantees(guarantees) {
  return [
    el("h3", { class: "proves" }, TEXT.guarantees.title),
    el("ul", { class: "guarantees" }, guarantees.map(({ code, grade, sentence }) => el("li", {},
      el("span", { class: "grade", "data-grade": grade }, TEXT.grades[grade]), el("span", { class: "what" }, TEXT.guarantees[code]),
      el("span", { class: "why" }, sentence)))),
  ];
}

// The coup

function showCoup({ played, record }) {
  const { coup } = played;
  const { player, banker } = coup.scores;
  const headline = { player: TEXT.coup.playerWins, banker: TEXT.coup.bankerWins, tie: TEXT.coup.tie }[coup.winner];
  return el("section", { class: "felt", "aria-labelledby": "coup" },
    el("h2", { id: "coup" }, say(headline, { player, banker })),
    el("div", { class: "hands" }, showHand("player", coup, played, record), showHand("banker", coup, played, record)),
    el("ul", { class: "reasons" }, reasonsOf(coup).map((reason) => el("li", {}, reason))));
}

/** The positions of a hand's cards (step 6): 1 and 3, or 2 and 4, and a third card from 5 or 6. */
function positionsOf(who, coup) {
  const start = who === "player" ? [1, 3] : [2, 4];
  const third = who === "player" || coup.player.length === 2 ? 5 : 6;
  return [...start, third].slice(0, coup[who].length);
}

function showHand(who, coup, played, record) {
  const cards = coup[who];
  const places = positionsOf(who, coup);
  const claimed = record && handText(record[who].cards, record[who].score);
  const isClaim = claimed && claimed !== handText(cards, coup.scores[who]);
  const caption = (i) => say(TEXT.coup.position, { n: places[i] });
  return el("div", { class: coup.winner === who ? "hand wins" : "hand" },
    el("h3", {}, TEXT.coup[who]), el("p", { class: "score" }, String(coup.scores[who])),
    el("div", { class: "row" }, cards.map((each, i) => el("figure", {}, drawCard(each), el("figcaption", {}, caption(i))))),
    isClaim ? el("p", { class: "claim" }, say(TEXT.coup.claims, { claim: claimed })) : null);
}

function reasonsOf(coup) {
  const text = TEXT.coup;
  const { player, banker } = coup.first;
  if (coup.natural) {
    if (player >= 8 && banker >= 8) return [say(text.naturals, { player, banker })];
    return [player >= 8 ? say(text.naturalPlayer, { score: player }) : say(text.naturalBanker, { score: banker })];
  }
  const hasDrawn = coup.player.length === 3;
  const third = hasDrawn ? pointsOf(coup.player[2]) : null;
  const key = `banker${coup.cell.draws ? "Draws" : "Stands"}${hasDrawn ? "" : "Alone"}`;
  return [say(hasDrawn ? text.playerDraws : text.playerStands, { score: player }), say(text[key], { score: banker, third })];
}

// The steps

function step(title, short, inside, isOpen = false) {
  return el("details", { class: "step", open: isOpen },
    el("summary", {}, el("h3", {}, title), short ? el("span", { class: "short" }, short) : null), el("div", { class: "inside" }, inside));
}

function showSteps(result) {
  const steps = [
    commitmentStep(result), result.seeds.chain && linkStep(result), wordsStep(result), shoeStep(result), tableauStep(result),
    settlementStep(result), allBetsStep(result), result.record && payTableStep(result), handStep(result), checksStep(result),
    result.record && recordStep(result),
  ].filter(Boolean);
  const all = el("button", { type: "button", class: "small", onclick: () => {
    const isOpen = steps.some((each) => !each.open);
    steps.forEach((each) => { each.open = isOpen; });
    all.textContent = isOpen ? TEXT.page.closeAll : TEXT.page.openAll;
  } }, TEXT.page.openAll);
  return el("section", { class: "sheet", "aria-labelledby": "steps" },
    el("div", { class: "steps-head" }, el("h2", { id: "steps" }, TEXT.steps.title), all), steps);
}

/** What is hashed for the commitment. */
function committedText({ scheme, label, serverSeed, chain }) {
  if (chain !== null) return `${label}:${chain.length}:${chain.anchor}`;
  return SCHEMES[scheme].isOwn ? `${label}:${serverSeed}` : serverSeed;
}

function commitmentStep({ seeds }) {
  const text = TEXT.steps;
  const computed = sha256OfText(committedText(seeds));
  const isOwn = SCHEMES[seeds.scheme].isOwn;
  const about = seeds.chain ? text.commitmentChain : isOwn ? text.commitmentText : seeds.scheme === "bcgame-table" ? text.commitmentRound : text.commitmentOther;
  const short = seeds.commitment === null ? text.noCommitment : seeds.commitment === computed ? text.same : text.different;
  return step(text.commitment, short, [
    el("p", { class: "hint" }, about), valueBox(text.hashed, committedText(seeds)), valueBox(text.computed, computed),
    seeds.commitment === null ? null : valueBox(text.given, seeds.commitment),
  ]);
}

function linkStep({ seeds, played }) {
  const n = played.nonce + 1;
  return step(TEXT.steps.link, sayCount(TEXT.steps.linkText, n, { n, nonce: played.nonce }), [
    valueBox(TEXT.fields.serverSeed, seeds.serverSeed), valueBox(TEXT.fields.anchor, seeds.chain.anchor),
  ]);
}

function wordsStep({ seeds, played }) {
  const text = TEXT.steps;
  const { blocks, prefix, hashes, draws, cutDraw } = played.derived;
  const taken = new Map();
  const rejected = new Set();
  const all = draws ? [cutDraw, ...draws.filter((drawn) => drawn.place !== undefined)] : [];
  for (const drawn of all) {
    drawn.rejected.forEach((_, i) => rejected.add(drawn.place - drawn.rejected.length + i));
    taken.set(drawn.place, drawn);
  }
  const isOwn = SCHEMES[seeds.scheme].isOwn;
  const isTable = seeds.scheme === "bcgame-table";
  const key = isOwn ? [text.keyHex, seeds.serverSeed] : isTable ? [text.keySalt, seeds.clientSeed] : [text.keyText, seeds.serverSeed];
  const shown = blocks.slice(0, 4);
  return step(text.words, rejected.size ? sayCount(text.rejections, rejected.size) : draws ? text.noRejections : null, [
    el("p", { class: "hint" }, text.wordsText),
    valueBox(...key),
    shown.map((block, i) => [
      isTable ? valueBox(text.messageHash, seeds.serverSeed) : valueBox(say(text.message, { i }), messageOf(seeds, prefix, i)),
      valueBox(say(text.block, { i }), hexOfWords(block)),
      hashes ? null : el("div", { class: "words" }, Array.from(block, (word, t) => {
        const place = 8 * i + t;
        const style = rejected.has(place) ? "rejected" : draws && !taken.has(place) ? "spare" : null;
        return el("span", { class: style, title: rejected.has(place) ? text.rejected : null }, String(word >>> 0));
      })),
    ]),
    (hashes ?? []).map((hash, i) => valueBox(say(text.sortHash, { i: i + 1 }), hash)),
  ]);
}

const messageOf = (seeds, prefix, i) => (SCHEMES[seeds.scheme].isOwn || seeds.scheme === "stake" ? `${prefix}${i}` : prefix);

function shoeStep({ seeds, played }) {
  const text = TEXT.steps;
  const { cut, draws, cutDraw, shoe, stream } = played.derived;
  if (!draws) {
    return step(text.shoe, played.cards.join(" "), [
      el("p", { class: "hint" }, stream ? text.stakeText : text.bcgameText), el("p", { class: "mono" }, (stream ?? played.cards).join(" ")),
    ]);
  }
  const size = 52 * seeds.decks;
  const [from, to] = shoe ? played.coup.slots : [0, 5];
  const used = draws.slice(from, to + 1);
  const columns = text.columns;
  const heads = Object.entries(columns).map(([name, head]) => ({ text: head, isNumber: name !== "card" }));
  const row = (name, drawn, more) => el("tr", {}, cell(name, "n"), cell(drawn.n ?? "", "n"), cell(drawn.limit ?? "", "n"),
    cell(drawn.word ?? "", "n"), cell(drawn.value ?? "", "n"), ...more);
  const rows = [
    row(text.drawCut, cutDraw, [cell(cut, "n"), cell("", "n"), cell("")]),
    ...used.map((drawn) => row(drawn.k + 1, drawn, [cell(drawn.j, "n"), cell(drawn.number, "n"), cell(drawn.card)])),
  ];
  return step(text.shoe, say(text.shoeText, { size, cut }), [
    shoe ? el("p", {}, say(text.order, { burnt: shoe.burnt, index: played.index, count: shoe.coups.length, from, to })) : null,
    drawShoe(size, cut, used), table(heads, rows, text.draws),
  ], true);
}

function tableauStep({ played }) {
  const { cell: lit, natural } = played.coup;
  const reasons = reasonsOf(played.coup);
  return step(TEXT.coup.tableau, reasons.at(-1), [natural ? el("p", {}, TEXT.coup.tableauNone) : null, drawTableau(lit)], true);
}

const sign = (isSame) => (isSame ? "✓" : "✗");

function settlementStep({ record, settlement }) {
  const text = TEXT.steps;
  if (record === null) return null;
  const heads = ["bet", "stake", "event", "multiplier", "returned", "record"];
  const isNumber = (name) => ["stake", "multiplier", "returned"].includes(name);
  const lines = settlement?.lines ?? [];
  const money = record.currency === null ? "" : say(text.currency, { code: record.currency.code, units: 10n ** BigInt(record.currency.decimals) });
  const rows = lines.map((line) => {
    const claimed = record.bets[line.bet];
    const isSame = claimed.returned === line.returned && claimed.status === line.status;
    const told = `${sign(isSame)} ${TEXT.events[claimed.status]}, ${claimed.returned}`;
    return el("tr", {}, cell(line.bet), cell(line.stake, "n"), cell(TEXT.events[line.answer]), cell(line.multiplier ?? "–", "n"),
      cell(line.returned, "n"), cell(told, isSame ? "good" : "bad"));
  });
  if (settlement) {
    const { staked, returned, net } = record.totals;
    const isSame = staked === settlement.staked && returned === settlement.returned && net === settlement.net;
    rows.push(el("tr", {}, cell(text.bets.sum), cell(settlement.staked, "n"), cell(say(text.bets.net, { net: settlement.net })), cell(""),
      cell(settlement.returned, "n"), cell(`${sign(isSame)} ${returned}, ${say(text.bets.net, { net })}`, isSame ? "good" : "bad")));
  }
  const short = lines.map((line) => say(TEXT.checks.line, line)).join(", ") || text.noBets;
  return step(text.settlement, settlement ? short : null, [
    el("p", { class: "hint" }, say(text.settlementText, { currency: money })),
    rows.length > 1 ? table(heads.map((name) => ({ text: text.bets[name], isNumber: isNumber(name) })), rows, text.settlement) : null,
  ], true);
}

function betText(bet) {
  const score = /^egalite_([0-9])$/.exec(bet);
  return score ? say(TEXT.bets.egalite, { score: score[1] }) : TEXT.bets[bet];
}

function allBetsStep({ played, record, settlement }) {
  const text = TEXT.steps;
  const offers = settlement?.table.offers ?? {};
  const rows = Object.entries(TABLES.bets).map(([bet, { usual }]) => {
    const answer = EVENTS[bet](played.coup);
    const isOffered = Object.hasOwn(offers, bet);
    const main = TABLES.usual[bet];
    const payouts = isOffered ? offers[bet] : main ? { won: main, six: main, three_card_seven: main } : usual;
    const payment = paymentOf(answer, payouts);
    const note = record && !isOffered ? ` (${text.notOffered})` : "";
    return el("tr", { class: payment.status === "won" ? "hit" : null }, el("td", {}, `${bet}${note}`, el("span", { class: "hint" }, betText(bet))), cell(TEXT.events[answer]),
      cell(payment.text ?? "–", "n"), cell((100n * payment.multiplier) / UNIT, "n"));
  });
  const heads = ["bet", "event", "multiplier", "returned"].map((name) => ({ text: text.all[name], isNumber: name === "multiplier" || name === "returned" }));
  return step(text.allBets, null, [el("p", { class: "hint" }, record ? text.allBetsOwn : text.allBetsUsual), table(heads, rows, text.allBets)]);
}

function payTableStep({ record }) {
  const text = TEXT.steps;
  const known = Object.entries(TABLES.payTables).find(([, digest]) => digest === record.pay_table_digest);
  return step(text.payTable, known ? say(text.payTableKnown, { name: known[0] }) : null, [
    el("p", { class: "hint" }, text.payTableText), valueBox(text.hashed, canonicalJson(record.pay_table)),
    valueBox(text.computed, sha256OfText(canonicalJson(record.pay_table))), valueBox(text.given, record.pay_table_digest),
  ]);
}

function checksStep({ checks }) {
  if (!checks.length) return null;
  return step(TEXT.steps.checks, null, checks.map(({ sentence }) => el("p", {}, sentence)));
}

function recordStep({ record }) {
  return step(TEXT.steps.record, null, [valueBox(TEXT.steps.record, canonicalJson(withTexts(record)))]);
}

// By hand

const shellQuoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** The commands that compute by hand what this page computed: what each gives, and the command. */
function shellCommands({ seeds, played, record }) {
  const text = TEXT.steps;
  const { blocks, prefix } = played.derived;
  const scheme = SCHEMES[seeds.scheme];
  const commands = [];
  const isPlain = scheme.isOwn;
  const hashed = committedText(seeds);
  commands.push([seeds.scheme === "bcgame-table" ? text.handPrevious : text.handCommitment,
    isPlain ? `printf ${shellQuoted(hashed)} | sha256sum` : `printf %s ${shellQuoted(hashed)} | sha256sum`]);
  if (seeds.chain) {
    const loop = `h=${seeds.serverSeed}; for i in $(seq ${played.nonce + 1}); do h=$(printf %s $h | xxd -r -p | sha256sum | cut -c1-64); done; echo $h`;
    commands.push([text.handLink, loop]);
  }
  const isTable = seeds.scheme === "bcgame-table";
  const key = isPlain ? seeds.serverSeed : hexOfBytes(utf8(isTable ? seeds.clientSeed : seeds.serverSeed));
  blocks.slice(0, 4).forEach((_, i) => {
    const message = isTable ? `printf %s ${seeds.serverSeed} | xxd -r -p` : `printf %s ${shellQuoted(messageOf(seeds, prefix, i))}`;
    commands.push([say(text.handBlock, { i }), `${message} | openssl dgst -sha256 -mac HMAC -macopt hexkey:${key}`]);
  });
  if (record) commands.push([text.handDigest, `printf %s ${shellQuoted(canonicalJson(record.pay_table))} | sha256sum`]);
  return commands;
}

function handStep(result) {
  return step(TEXT.steps.hand, TEXT.steps.handText, shellCommands(result).map(([label, command]) => valueBox(label, command)));
}
