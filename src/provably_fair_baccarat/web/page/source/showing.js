"use strict";
// What came of one round: the verdict first, then the coup on its felt, then every step that the verdict rests on.

const isByHouse = (record) => record?.client_seed_made_by === "operator";

const verdictOf = ({ verdict, guarantees, record }) => {
  const isFair = !isByHouse(record) && guarantees.some(({ code, grade }) => code === "unbiased_cards" && grade === "proved");
  return verdict === "proved" && !isFair ? "followed" : verdict;
};

function showResult(result) {
  const { error, guarantees } = result;
  const verdict = verdictOf(result);
  const { waiting, waitingText } = TEXT.verdicts;
  if (error?.code === "verification.not_revealed") return [verdictSheet("recomputed", waiting, paragraph(waitingText))];
  const isAlone = verdict === "proved" && result.record === null;
  const proves = guarantees.length ? showGuarantees(guarantees) : null;
  const parts = error === null ? provedTexts(result, verdict).map((sentence) => sentence && paragraph(sentence)) : refusalTexts(error);
  return [
    isAlone ? verdictSheet("recomputed", TEXT.verdicts.seeds, parts, proves) : verdictSheet(verdict, TEXT.verdicts[verdict], parts, proves),
    ...(result.played === null ? [] : [showCoup(result), showSteps(result)]),
  ];
}

function provedTexts({ seeds, kept, record, guarantees: [, { grade, sentence }] }, verdict) {
  const text = TEXT.verdicts;
  if (verdict === "recomputed") {
    return [text.recomputedText, SCHEMES[seeds.scheme].isOwn && say(text.recomputedOwn, { commitment: seeds.computed })];
  }
  if (verdict === "followed") return [text.followedText, isByHouse(record) ? text.byHouse : drawingOf(seeds.scheme)];
  return [grade !== "proved" && sentence, record === null ? text.provedSeeds : text.provedRecord, kept.commitment !== null && record && text.compared];
}

const meaningOf = ({ code }) => TEXT.errors[code.replace("verification.", "")] ?? code;

/** A refusal in plain words: what it means, what was expected and found, and the slip that is likely. */
function refusalTexts(error) {
  const text = TEXT.verdicts;
  const { code, slips, subject, expected, found } = error;
  const isClaimed = code !== "record" && subject.startsWith(inRecord(""));
  const isMismatch = code.startsWith("verification.") && code !== "verification.seed_text";
  return [
    paragraph(meaningOf(error)),
    facts([
      ...(slips.length ? [[slips.length > 1 ? text.slips : text.slip, ...slips.map(({ sentence }) => el("dd.slip", sentence))]] : []),
      [text.where, subject], [isClaimed ? text.follows : text.expected, el("dd.mono", expected)],
      [isClaimed ? TEXT.steps.bets.record : text.found, el("dd.mono", found)],
    ]),
    el("p.hint.text", say(text.code, { code })),
    isMismatch && !slips.length && el("p.hint.text", text.noSlip),
  ];
}

function showGuarantees(guarantees) {
  const text = TEXT.guarantees;
  return [el("h3.proves", text.title), el("ul.guarantees", guarantees.map(({ code, grade, sentence }) => el("li",
    el("span.grade", { "data-grade": grade }, TEXT.grades[grade]), el("span.what", text[code]), el("span.why", sentence))))];
}

// The coup

function showCoup({ played, record }) {
  const { coup } = played;
  const text = TEXT.coup;
  const headline = { player: text.playerWins, banker: text.bankerWins, tie: text.tie }[coup.winner];
  return el("section.felt", { "aria-labelledby": "coup" }, el("h2", { id: "coup" }, say(headline, coup.scores)),
    el("div.hands", ["player", "banker"].map((who) => showHand(who, coup, record))),
    el("ul.reasons", reasonsOf(coup).map((reason) => el("li", reason))));
}

/** A hand with the positions of its cards (step 6): 1 and 3, or 2 and 4, and a third card from 5 or 6. */
function showHand(who, coup, record) {
  const text = TEXT.coup;
  const [cards, score] = [coup[who], coup.scores[who]];
  const places = who === "player" ? [1, 3, 5] : [2, 4, coup.player.length + 3];
  const claim = record && handText(record[who].cards, record[who].score);
  return el(coup.winner === who ? "div.hand.wins" : "div.hand", el("h3", text[who]), el("p.score", score),
    el("div.row", cards.map((each, i) => el("figure", drawCard(each), el("figcaption", say(text.position, { n: places[i] }))))),
    claim && claim !== handText(cards, score) ? el("p.claim", say(text.claims, { claim })) : null);
}

function reasonsOf({ first: { player, banker }, natural, player: [, , third], cell }) {
  const text = TEXT.coup;
  if (natural) {
    const sentence = player < 8 ? text.naturalBanker : banker < 8 ? text.naturalPlayer : text.naturals;
    return [say(sentence, { player, banker })];
  }
  const banking = text[`banker${cell.draws ? "Draws" : "Stands"}${third ? "" : "Alone"}`];
  return [say(third ? text.playerDraws : text.playerStands, { player }), say(banking, { banker, third: third && pointsOf(third) })];
}

// The steps

function step(title, short, inside, isOpen = false) {
  return el("details.step", { open: isOpen }, el("summary", el("h3", title), short ? el("span.short", short) : null), el("div.inside", inside));
}

function showSteps(result) {
  const steps = [
    commitmentStep, linkStep, wordsStep, shoeStep, tableauStep, settlementStep, allBetsStep, payTableStep, handStep, checksStep, recordStep,
  ].map((show) => show(result)).filter(Boolean);
  const all = button(TEXT.page.openAll, { onclick: () => {
    const isOpen = steps.some((each) => !each.open);
    steps.forEach((each) => { each.open = isOpen; });
    all.textContent = isOpen ? TEXT.page.closeAll : TEXT.page.openAll;
  } });
  return el("section.sheet", { "aria-labelledby": "steps" }, el("div.steps-head", el("h2", { id: "steps" }, TEXT.steps.title), all), steps);
}

const isOwnScheme = ({ scheme }) => SCHEMES[scheme].isOwn;
const isTableScheme = ({ scheme }) => scheme === "bcgame-table";

/** What is hashed for the commitment. */
function committedText(seeds) {
  const { label, serverSeed, chain } = seeds;
  if (chain !== null) return `${label}:${chain.length}:${chain.anchor}`;
  return isOwnScheme(seeds) ? `${label}:${serverSeed}` : serverSeed;
}

function commitmentStep({ seeds }) {
  const text = TEXT.steps;
  const { chain, commitment, computed } = seeds;
  const about = chain ? text.commitmentChain : isOwnScheme(seeds) ? text.commitmentText : isTableScheme(seeds) ? text.commitmentRound : text.commitmentOther;
  const short = commitment === null ? text.noCommitment : commitment === computed ? text.same : text.different;
  return step(text.commitment, short, [
    hint(about), valueBox(text.hashed, committedText(seeds)), valueBox(text.computed, computed), commitment && valueBox(text.given, commitment),
  ]);
}

function linkStep({ seeds: { chain, serverSeed }, played: { nonce } }) {
  return chain && step(TEXT.steps.link, sayCount(TEXT.steps.linkText, nonce + 1, { n: nonce + 1, nonce }), [
    valueBox(TEXT.fields.server_seed, serverSeed), valueBox(TEXT.fields.anchor, chain.anchor),
  ]);
}

function wordsStep({ seeds, played }) {
  const text = TEXT.steps;
  const { blocks, hashes, draws, cutDraw } = played.derived;
  const taken = new Set();
  const rejected = new Set();
  for (const drawn of draws ? [cutDraw, ...draws] : []) {
    drawn.rejected?.forEach((_, i) => rejected.add(drawn.place - 1 - i));
    taken.add(drawn.place);
  }
  const isTable = isTableScheme(seeds);
  const key = isOwnScheme(seeds) ? [text.keyHex, seeds.serverSeed] : isTable ? [text.keySalt, seeds.clientSeed] : [text.keyText, seeds.serverSeed];
  const wordOf = (place, word) => {
    const isRejected = rejected.has(place);
    const style = isRejected ? "rejected" : draws && !taken.has(place) ? "spare" : null;
    return el("span", { class: style, title: isRejected ? text.rejected : null }, word >>> 0);
  };
  return step(text.words, rejected.size ? say(text.rejecting, { words: sayCount(text.rejections, rejected.size) }) : draws && text.noRejections, [
    hint(text.wordsText),
    valueBox(...key),
    blocks.slice(0, 4).map((block, i) => [
      isTable ? valueBox(text.messageHash, seeds.serverSeed) : valueBox(say(text.message, { i }), messageOf(seeds, played, i)),
      valueBox(say(text.block, { i }), hexOfWords(block)),
      hashes ? null : el("div.words", Array.from(block, (word, t) => wordOf(8 * i + t, word))),
    ]),
    hashes?.map((hash, i) => valueBox(say(text.sortHash, { i: i + 1 }), hash)),
  ]);
}

const messageOf = (seeds, { derived: { prefix } }, i) => (isOwnScheme(seeds) || seeds.scheme === "stake" ? `${prefix}${i}` : prefix);

function shoeStep({ seeds, played }) {
  const text = TEXT.steps;
  const { derived: { cut, draws, cutDraw, shoe, stream }, cards, index, coup } = played;
  if (!draws) return step(text.shoe, cards.join(" "), [hint(stream ? text.stakeText : text.bcgameText), el("p.mono", (stream ?? cards).join(" "))]);
  const size = 52 * seeds.decks;
  const [from, to] = shoe ? coup.slots : [0, 5];
  const used = draws.slice(from, to + 1);
  const row = (name, { n, word, value, j, number, card }) => [name, card, value, n, j, number, word];
  const rows = [row(text.drawCut, { ...cutDraw, j: cut }), ...used.map((drawn) => row(drawn.k + 1, drawn))];
  return step(text.shoe, say(text.shoeText, { size, cut }), [
    shoe ? el("p", say(text.order, { burnt: shoe.burnt, index, count: shoe.coups.length, from, to })) : null,
    drawShoe(size, cut, used), table(text.draws, Object.values(text.columns), rows, [0, 2, 3, 4, 5, 6]),
  ], true);
}

function tableauStep({ played: { coup } }) {
  return step(TEXT.coup.tableau, reasonsOf(coup).at(-1), [coup.natural ? el("p", TEXT.coup.tableauNone) : null, drawTableau(coup.cell)], true);
}

/** What a record says of something, and whether it is right. */
const claimCell = (isRight, claim) => el(isRight ? "td.good" : "td.bad", `${isRight ? "✓" : "✗"} ${claim}`);

function settlementStep({ record, settlement }) {
  const text = TEXT.steps;
  if (record === null) return null;
  const { bets, currency, totals } = record;
  const money = currency && say(text.currency, { code: currency.code, units: 10n ** BigInt(currency.decimals) });
  const about = hint(say(text.settlementText, { currency: money ?? "" }));
  if (settlement === null) return step(text.settlement, null, about, true);
  const { lines, staked, returned, net } = settlement;
  const rows = lines.map((line) => [line.bet, line.stake, line.returned,
    claimCell(bets[line.bet].returned === line.returned && bets[line.bet].status === line.status, `${TEXT.events[bets[line.bet].status]}, ${bets[line.bet].returned}`),
    TEXT.events[line.answer], line.multiplier ?? "–"]);
  const isRight = staked === totals.staked && returned === totals.returned && net === totals.net;
  rows.push([text.bets.sum, staked, returned, claimCell(isRight, `${totals.returned}, ${say(text.bets.net, totals)}`), say(text.bets.net, { net }), ""]);
  const short = lines.map((line) => say(TEXT.checks.line, line)).join(", ") || text.noBets;
  return step(text.settlement, short, [about, lines.length ? table(text.settlement, headsOf(text.bets), rows, [1, 2, 5]) : null], true);
}

/** The heads of a table of bets. */
const headsOf = ({ sum, net, ...heads }) => Object.values(heads);

/** When a bet wins; some have one sentence for several, told apart by the last word of their names. */
function betText(bet) {
  const [, name, which] = /^(.*)_(.*)$/.exec(bet) ?? [];
  return TEXT.bets[bet] ?? say(TEXT.bets[name], { which });
}

function allBetsStep({ played, record, settlement }) {
  const text = TEXT.steps;
  const offers = settlement?.table.offers ?? {};
  const styles = [];
  const rows = Object.entries(TABLES.bets).map(([bet, usual]) => {
    const answer = EVENTS[bet](played.coup);
    const isOffered = Object.hasOwn(offers, bet);
    const payment = paymentOf(answer, isOffered ? offers[bet] : usual);
    styles.push(payment.status === "won" ? "hit" : null);
    const note = record && !isOffered ? ` (${text.notOffered})` : "";
    return [[`${bet}${note}`, el("span.hint", betText(bet))], TEXT.events[answer], payment.text ?? "–", (100n * payment.multiplier) / UNIT];
  });
  return step(text.allBets, null, [
    hint(text.allBetsText), table(text.allBets, Object.values(text.all), rows, [2, 3], styles),
  ]);
}

function payTableStep({ record }) {
  if (record === null) return null;
  const text = TEXT.steps;
  const form = canonicalJson(record.pay_table);
  const digest = record.pay_table_digest;
  const name = Object.keys(TABLES.payTables).find((known) => TABLES.payTables[known] === digest);
  return step(text.payTable, name && say(text.payTableKnown, { name }), [
    hint(text.payTableText), valueBox(text.hashed, form), valueBox(text.computed, sha256OfText(form)), valueBox(text.given, digest),
  ]);
}

const checksStep = ({ checks }) => checks.length > 0 && step(TEXT.steps.checks, null, checks.map(({ sentence }) => el("p", sentence)));
const recordStep = ({ record }) => record && step(TEXT.steps.record, null, valueBox(TEXT.steps.record, canonicalJson(withTexts(record))));

// By hand

const shellQuoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** The commands that compute by hand what this page computed: what each gives, and the command. */
function shellCommands({ seeds, played, record }) {
  const text = TEXT.steps;
  const { serverSeed, clientSeed, chain } = seeds;
  const isOwn = isOwnScheme(seeds);
  const isTable = isTableScheme(seeds);
  const commands = [[isTable ? text.handPrevious : text.commitment, `printf ${isOwn ? "" : "%s "}${shellQuoted(committedText(seeds))} | sha256sum`]];
  if (chain) {
    const loop = `h=${serverSeed}; for i in $(seq ${played.nonce + 1}); do h=$(printf %s $h | xxd -r -p | sha256sum | cut -c1-64); done; echo $h`;
    commands.push([text.handLink, loop]);
  }
  const key = isOwn ? serverSeed : hexOfBytes(utf8(isTable ? clientSeed : serverSeed));
  played.derived.blocks.slice(0, 4).forEach((_, i) => {
    const message = isTable ? `${serverSeed} | xxd -r -p` : shellQuoted(messageOf(seeds, played, i));
    commands.push([say(text.block, { i }), `printf %s ${message} | openssl dgst -sha256 -mac HMAC -macopt hexkey:${key}`]);
  });
  if (record) commands.push([text.handDigest, `printf %s ${shellQuoted(canonicalJson(record.pay_table))} | sha256sum`]);
  return commands;
}

const handStep = (result) => step(TEXT.steps.hand, TEXT.steps.handText, shellCommands(result).map((command) => valueBox(...command)));
