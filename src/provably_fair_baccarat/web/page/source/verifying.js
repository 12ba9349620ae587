"use strict";
// Verification: replay a round from its revealed seeds, compare it with what was claimed, and say what that proves. Whatever differs ends
// the verification with the code of docs/reference/errors.md; every slip that is named was tried before.

const mismatch = (kind, subject, expected, found, slips) => refuse(`verification.${kind}`, subject, expected, found, slips);

/** Seeds in a form from which nothing can be replayed. */
const refuseSeeds = (subject, expected, found, slips) => mismatch("seed_text", subject, expected, found, slips);

const told = (value) => String(value ?? FOUND.none);

/** Holds what was replayed against what the record says; `slipsOf` seeks the slips behind a difference. */
function compare(kind, subject, expected, found, slipsOf = () => []) {
  if (expected !== found) throw mismatch(kind, inRecord(subject), told(expected), told(found), slipsOf());
}

// The seeds (steps 1 and 2)

/** The scheme that is meant: with a chain, the one that deals from chains. */
function schemeOf(name, chain) {
  const scheme = schemeNamed(name);
  if (chain === null && scheme.dealsFromChains) {
    throw refuse("seed.scheme", say(SUBJECT.schemeNamed, { scheme: name }), EXPECTED.chain, FOUND.noSuch, [slip("chain")]);
  }
  if (chain === null || scheme.dealsFromChains) return scheme;
  if (name !== "pfb1") throw refuse("seed.scheme", SUBJECT.scheme, EXPECTED.chainScheme, quoted(name));
  return SCHEMES["pfb1-chain"];
}

/**
 * Seeds that fit each other, from the texts that somebody gave, or the refusal that says why there are none. `mayBeOpen` takes seeds of our
 * own schemes without their commitment too: then the cards can be recomputed, and nothing shows that the server seed was fixed.
 */
function readSeeds(given, mayBeOpen = false) {
  const { chain, commitment } = given;
  const scheme = schemeOf(given.scheme, chain);
  const decks = scheme.readDecks(given.decks);
  const isOpen = commitment === null && (mayBeOpen || !scheme.isOwn);
  const seeds = { scheme, decks, chain, label: scheme.label(decks), commitment };
  attempt(() => {
    seeds.serverSeed = scheme.readServerSeed(given.serverSeed);
    if (!isOpen) readHex(commitment, SUBJECT.commitment, "seed.commitment");
    seeds.clientSeed = readClientSeed(given.clientSeed);
  }, ({ subject, expected, found, slips }) => {
    const likely = isOpen && scheme.isOwn ? [] : seedSlips(given, decks, scheme);
    throw refuseSeeds(subject, expected, found, likely.length ? likely : slips);
  });
  seeds.computed = chain === null ? scheme.commit(seeds.serverSeed, decks) : chainCommitment(decks, chain);
  if (isOpen || seeds.computed === commitment) return seeds;
  if (chain !== null) {
    const number = DECK_NUMBERS.find((other) => chainCommitment(other, chain) === commitment);
    throw mismatch("commitment", SUBJECT.chainCommitment, commitment, seeds.computed, number ? [decksSlip(number)] : []);
  }
  const slips = seedSlips(given, decks, scheme);
  if (!slips.length) slips.push(...digitSlips(commitment, seeds.computed));
  const isSecret = slips.some(({ code }) => code.startsWith("commitment_"));
  throw mismatch("commitment", SUBJECT.seedCommitment, isSecret ? EXPECTED.theCommitment : commitment, seeds.computed, slips);
}

function digitSlips(one, other) {
  const places = Array.from(one, (digit, i) => digit !== other[i] && i + 1).filter(Boolean);
  return places.length === 1 ? [slip("one_digit", { place: places[0] })] : [];
}

const DECK_NUMBERS = [1, 2, 3, 4, 5, 6, 7, 8];
const decksSlip = (decks) => slip(decks === 1 ? "decks.one" : "decks.many", { decks });
const numbersOf = (scheme) => (scheme.isOwn ? DECK_NUMBERS : [null]);

const isCommitted = (scheme, serverSeed, decks, commitment) =>
  !scheme.dealsFromChains && attempt(() => scheme.commit(scheme.readServerSeed(serverSeed), decks) === commitment, () => false);

/** What may have gone wrong where seeds do not fit their commitment, best guess first. */
function seedSlips(given, decks, scheme) {
  const mended = (value) => mendHex(value) ?? (isText(value) ? value : "");
  const [server, client, published] = [mended(given.serverSeed), mended(given.clientSeed), mendHex(given.commitment)];
  const slips = [];
  if (published !== null) {
    const decksOf = (known, seed, commitment) => numbersOf(known).find((number) => isCommitted(known, seed, number, commitment));
    if (server === published) return [slip("commitment_as_server_seed")];
    if (decksOf(scheme, client, published) !== undefined) return [slip("seeds_swapped")];
    if (ALL_SCHEMES.some((known) => decksOf(known, published, server) !== undefined)) return [slip("commitment_swapped")];
    const number = decksOf(scheme, server, published);
    const other = ALL_SCHEMES.find((known) => known !== scheme && decksOf(known, server, published) !== undefined);
    if (number && number !== decks) slips.push(decksSlip(number));
    else if (other) slips.push(slip("scheme.commitment", { scheme: other.name }));
  }
  if (scheme.isOwn) slips.push(...hexSlips(given.serverSeed));
  return [...slips, ...hexSlips(given.commitment).map(({ code, sentence }) => ({ code, sentence: say(TEXT.slips.in_commitment, { sentence }) }))];
}

// Chains (step 8)

/** Links that were proved, by the anchor of their chain: link(i) stands at place i. One pass down proves every link below. */
const linksOf = remembering(8, (anchor) => [wordsOfHex(anchor)]);

const sameWords = (one, other) => one.every((word, t) => word === other[t]);

/** Whether so many hashes lead from a link to the anchor; links that are proved already shorten the way. */
function leadsToAnchor(link, anchor, hashes) {
  const known = linksOf(anchor);
  const path = [];
  let digest = wordsOfHex(link);
  let place = hashes;
  while (known[place] === undefined) {
    path.push(digest);
    digest = hashDigest(digest);
    place -= 1;
  }
  if (!sameWords(digest, known[place])) return false;
  path.forEach((each, i) => { known[hashes - i] = each; });
  return true;
}

function requireLink(seeds, nonce, thorough) {
  const { chain, serverSeed } = seeds;
  if (nonce >= chain.length) {
    throw refuse("seed.nonce", SUBJECT.nonce, say(EXPECTED.belowLength, { n: grouped(chain.length) }), describe(nonce));
  }
  if (leadsToAnchor(serverSeed, chain.anchor, nonce + 1)) return;
  const expected = say(EXPECTED.link, { hashes: sayCount(TEXT.checks.hashes, nonce + 1) });
  throw mismatch("link", SUBJECT.link, expected, FOUND.another, thorough ? linkSlips(serverSeed, chain) : []);
}

function linkSlips(link, chain) {
  if (link === chain.anchor) return [slip("anchor_as_link")];
  const anchor = wordsOfHex(chain.anchor);
  let digest = wordsOfHex(link);
  for (let nonce = 0; nonce < chain.length; nonce++) {
    digest = hashDigest(digest);
    if (sameWords(digest, anchor)) return [slip("nonce.link", { nonce })];
  }
  return [];
}

// The replay

/** The one round that seeds, nonce and, in a shoe, an index name. */
function replay(seeds, nonce, index, thorough) {
  if (seeds.chain !== null) requireLink(seeds, nonce, thorough);
  const derived = seeds.scheme.derive(seeds, nonce);
  const played = { nonce, index, derived, cut: derived.cut };
  if (!seeds.scheme.dealsShoes) return { ...played, cards: derived.cards, coup: dealCoup(derived.cards) };
  const coups = derived.shoe.coups;
  if (index >= coups.length) {
    throw mismatch("index", SUBJECT.index, say(EXPECTED.indexTo, { last: coups.length - 1 }), describe(index));
  }
  return { ...played, cards: coups[index].cards, coup: coups[index] };
}

function readIndex(scheme, index) {
  const isRight = scheme.dealsShoes ? Number.isInteger(index) && index >= 0 : index === null;
  if (isRight) return index;
  throw mismatch("index", SUBJECT.index, scheme.dealsShoes ? EXPECTED.index : say(EXPECTED.noIndex, { scheme: scheme.name }), describe(index));
}

// The comparison, place by place

function compareOrigin(seeds, nonce, index, record) {
  compare("scheme", SUBJECT.scheme, seeds.scheme.name, record.scheme);
  compare("decks", SUBJECT.decks, seeds.decks, record.decks);
  compare("scheme", SUBJECT.label, seeds.label, record.label);
  compare("commitment", SUBJECT.commitment, seeds.commitment, record.commitment);
  compare("chain", SUBJECT.chain, chainText(seeds.chain), chainText(record.chain));
  const { clientSeed } = seeds;
  compare("client_seed", SUBJECT.clientSeed, clientSeed, record.client_seed, () => clientSeedSlips(clientSeed, record.client_seed));
  compare("client_seed", SUBJECT.clientSeedHex, hexOfBytes(utf8(clientSeed)), record.client_seed_hex);
  if (record.server_seed !== null && record.server_seed !== seeds.serverSeed) {
    throw mismatch("server_seed", inRecord(SUBJECT.serverSeed), EXPECTED.committedSeed, FOUND.another);
  }
  compare("nonce", SUBJECT.nonce, nonce, record.nonce, () => {
    const word = nonce < record.nonce ? "low" : "high";
    return Math.abs(nonce - record.nonce) === 1 ? [slip(`nonce.record_${word}`, { nonce: record.nonce })] : [];
  });
  compare("index", SUBJECT.index, index, record.index);
}

const chainText = (chain) => (chain === null ? null : say(FOUND.chain, chain));

function compareCards(seeds, played, record, thorough) {
  const slipsOf = () => (thorough ? replaySlips(seeds, played, record) : []);
  compare("cut", SUBJECT.cut, played.cut, record.cut, slipsOf);
  compare("cards", SUBJECT.cards, played.cards.join(" "), record.cards.join(" "), slipsOf);
}

const handText = (cards, score) => `${cards.join(" ")} = ${score}`;

function compareCoup(coup, record) {
  for (const who of ["player", "banker"]) {
    const claimed = handText(record[who].cards, record[who].score);
    compare("coup", say(SUBJECT.hand, { who: SUBJECT[who] }), handText(coup[who], coup.scores[who]), claimed);
  }
  if (coup.natural !== record.natural) {
    throw mismatch("coup", inRecord(SUBJECT.natural), FOUND[coup.natural], FOUND[record.natural]);
  }
  compare("coup", SUBJECT.winner, coup.winner, record.winner);
}

/** What the record's bets come to under its own pay table, which must be the one of its digest and of the offer. */
function settleRecord(coup, record, offer) {
  const own = Object.keys(record.pay_table.side_bets).find((bet) => !Object.hasOwn(TABLES.bets, bet));
  if (own !== undefined) {
    throw refuse("money.bet.unknown", SUBJECT.tableBet, EXPECTED.catalogue, say(FOUND.unknownBet, { bet: quoted(own) }), [slip("own_bet")]);
  }
  const table = preparedPayTable(record.pay_table);
  compare("pay_table", SUBJECT.digest, table.digest, record.pay_table_digest);
  if (offer !== null) compare("pay_table", SUBJECT.offerDigest, offer, record.pay_table_digest, () => [slip("other_offer")]);
  return attempt(() => ({ ...settle(coup, record.bets, table), table }), ({ subject, expected, found, slips }) => {
    throw mismatch("settlement", inRecord(subject), expected, found, slips);
  });
}

function compareSettlement(settlement, record) {
  for (const { bet, status, returned } of settlement.lines) {
    compare("settlement", say(SUBJECT.statusOf, { bet }), status, record.bets[bet].status);
    compare("settlement", say(SUBJECT.returnOf, { bet }), returned, record.bets[bet].returned);
  }
  for (const sum of ["staked", "returned", "net"]) {
    compare("settlement", say(SUBJECT.sum, { sum }), settlement[sum], record.totals[sum]);
  }
}

// The likely slips behind a record that differs from its replay

const INVISIBLE = " \\t\\r\\n\\u180e\\u200b\\u200c\\u200d\\u2060\\ufeff";
const INVISIBLE_ENDS = new RegExp(`^[${INVISIBLE}]+|[${INVISIBLE}]+$`, "g");
const visible = (text) => text.replace(INVISIBLE_ENDS, "");
const folded = (text) => text.toUpperCase().toLowerCase();

function clientSeedSlips(given, recorded) {
  if (given.normalize("NFC") === recorded.normalize("NFC")) return [slip(recorded === recorded.normalize("NFC") ? "nfc" : "nfd")];
  if (folded(given) === folded(recorded)) return [slip("case.differ")];
  if (visible(given) === visible(recorded)) return [slip("trimmed.differ")];
  return given === hexOfBytes(utf8(recorded)) ? [slip("hex_text")] : [];
}

/** Other texts that people take a client seed for, and the slip if it is the right one. */
function clientSeedVariants(text) {
  const [composed, apart] = [text.normalize("NFC"), text.normalize("NFD")];
  const [first] = text;
  const capital = first.toUpperCase() + text.slice(first.length).toLowerCase();
  return [
    [composed, slip("nfc")],
    ...(apart === composed ? [] : [[apart, slip("nfd")]]),
    [visible(text), slip("trimmed")],
    ...[text.toLowerCase(), text.toUpperCase(), capital].map((other) => [other, slip("case", { other: quoted(other) })]),
    ...(/^(?:[0-9a-f]{2})+$/.test(text) ? [[new TextDecoder().decode(bytesOfHex(text)), slip("hex_text")]] : []),
  ];
}

/** Which other nonce, client seed or scheme gives the cards that the record has. */
function replaySlips(seeds, played, record) {
  const { nonce, index } = played;
  const { clientSeed } = seeds;
  const fits = (other, at) => attempt(() => {
    const serverSeed = other.scheme.readServerSeed(seeds.serverSeed);
    return replay({ ...other, serverSeed }, at, index, false).cards.join() === record.cards.join();
  }, () => false);
  const slips = [];
  for (const [other, word] of [[nonce - 1, "high"], [nonce + 1, "low"]]) {
    if (seeds.chain === null && other >= 0 && other <= MAX_NONCE && fits(seeds, other)) slips.push(slip(`nonce.cards_${word}`, { nonce: other }));
  }
  const isVariant = ([text]) => text !== clientSeed && clientSeedRefusal(text) === null && fits({ ...seeds, clientSeed: text }, nonce);
  const variant = clientSeedVariants(clientSeed).find(isVariant);
  if (variant) slips.push(variant[1]);
  for (const scheme of ALL_SCHEMES) {
    if (scheme === seeds.scheme || scheme.dealsFromChains || scheme.dealsShoes) continue;
    const decks = scheme.readDecks(MAX_DECKS);
    const other = { scheme, decks, label: scheme.label(decks), clientSeed, chain: null };
    if (fits(other, scheme.hasNonces ? nonce : 0)) slips.push(slip("scheme.cards", { scheme: scheme.name }));
  }
  return slips;
}

// What was proved, in sentences for the bettor

function checksOf(seeds, played, record, settlement, offer) {
  const text = TEXT.checks;
  const { nonce, coup } = played;
  const { player, banker } = coup.scores;
  const winner = say(coup.winner === "tie" ? text.tie : text.win, coup) + (coup.natural ? text.byNatural : "");
  const hands = { player: handText(coup.player, player), banker: handText(coup.banker, banker) };
  const cut = played.cut === null ? "" : say(text.cut, played);
  const checks = [];
  const add = (code, sentence, values) => checks.push({ code, sentence: say(sentence, values) });
  if (seeds.commitment !== null) add("commitment", commitmentText(seeds, nonce));
  add("cards", text.cards, { nonce, cut, cards: played.cards.join(" ") });
  add("coup", text.coup, { ...hands, winner });
  if (record !== null) {
    const lines = settlement.lines.map((line) => say(text.line, line)).join(", ");
    add("record", text.record);
    add("pay_table", text.payTable, { digest: record.pay_table_digest, offered: offer === null ? "" : text.offered });
    add("settlement", lines ? text.settlement : text.noBets, { lines });
  }
  return checks;
}

function commitmentText({ commitment, chain }, nonce) {
  if (chain === null) return say(TEXT.checks.commitment, { commitment });
  const hashes = sayCount(TEXT.checks.hashes, nonce + 1, { n: nonce + 1 });
  return say(TEXT.checks.chainCommitment, { hashes, anchor: chain.anchor, commitment });
}

/** Step 9: whether a client seed ends with the mark of a commitment. */
const isMarked = (clientSeed, commitment) => commitment !== null && clientSeed.endsWith(`-${commitment.slice(0, 16)}`);

function guaranteesOf(seeds, played, record, offer) {
  const text = TEXT.guarantees;
  const { scheme, commitment, clientSeed } = seeds;
  const maker = record?.client_seed_made_by;
  const operator = maker === "operator" ? text.byOperator : "";
  const proved = (code, isProved, sentence, otherwise, level = "unknown") =>
    ({ code, grade: isProved ? "proved" : level, sentence: isProved ? sentence : otherwise });
  const isMade = maker === "bettor";
  const fixed = say(text.fixed, { commitment: commitment && commitmentText(seeds, played.nonce) });
  const settled = say(text.settled, { table: offer === null ? text.ownTable : text.offeredTable });
  return [
    proved("seed_fixed", commitment !== null, fixed, text.notFixed),
    proved("client_seed_after_commitment", isMarked(clientSeed, commitment), text.marked + operator,
      isMade ? text.claimed : text.notMarked + operator, isMade ? "claimed" : "unknown"),
    proved("unbiased_cards", scheme.isOwn, drawingOf(scheme.name), drawingOf(scheme.name)),
    proved("settlement_exact", record !== null, settled, text.notSettled),
  ];
}

/** What a scheme says of its drawing; ours all say the same. */
const drawingOf = (name) => TEXT.drawing[name] ?? TEXT.drawing.pfb1;

// The verification itself

/** What somebody may have kept of a round, and what a record calls it. */
const KEPT = {
  serverSeed: "server_seed", clientSeed: "client_seed", commitment: "commitment", nonce: "nonce", decks: "decks", scheme: "scheme", index: "index", chain: "chain",
};

const unreadable = (error, kept) => ({ verdict: "unreadable", error, seeds: null, played: null, settlement: null, checks: [], guarantees: [], kept, record: null });

/**
 * Verifies a round: from what somebody kept, from a record, or a record against what was kept. `thorough` seeks slips that take a while.
 * What differs is the result's `error`; what was recomputed before that is in the result too.
 */
function verify(kept, record, thorough = true) {
  const result = { ...unreadable(null, kept), record };
  attempt(() => {
    verifyInto(result, kept, record, thorough);
    result.verdict = result.guarantees[0].grade === "proved" ? "proved" : "recomputed";
  }, ({ code, told: error }) => {
    result.error = error;
    const isUnreadable = code === "record" || code === "verification.seed_text" || (record === null && code.startsWith("seed"));
    if (!isUnreadable) result.verdict = "failed";
  });
  return result;
}

function verifyInto(result, kept, record, thorough) {
  const given = Object.fromEntries(Object.entries(KEPT).map(([name, field]) => [name, kept[name] ?? record?.[field] ?? null]));
  given.decks ??= MAX_DECKS;
  given.scheme ??= "pfb1";
  if (record === null) requireInputs(given);
  else if (given.serverSeed === null) throw mismatch("not_revealed", SUBJECT.recordSeed, EXPECTED.revealed, FOUND.noSuch);
  const seeds = readSeeds(given, record === null);
  const { scheme } = seeds;
  result.seeds = { ...seeds, scheme: scheme.name };
  const nonce = readNonce(scheme.hasNonces ? given.nonce : given.nonce ?? 0);
  const index = readIndex(scheme, given.index);
  const offer = kept.offer ?? null;
  if (record !== null) compareOrigin(seeds, nonce, index, record);
  const played = replay(seeds, nonce, index, thorough);
  result.played = played;
  if (record !== null) {
    compareCards(seeds, played, record, thorough);
    compareCoup(played.coup, record);
    result.settlement = settleRecord(played.coup, record, offer);
    compareSettlement(result.settlement, record);
  }
  result.checks = checksOf(seeds, played, record, result.settlement, offer);
  result.guarantees = guaranteesOf(seeds, played, record, offer);
}

/** What a round without a record cannot be replayed without. */
function requireInputs(given) {
  const needed = ["serverSeed", "clientSeed", ...(schemeNamed(given.scheme).hasNonces ? ["nonce"] : [])];
  const names = needed.filter((name) => given[name] === null).map((name) => SUBJECT[name]).join(", ");
  if (names) throw refuseSeeds(SUBJECT.seeds, EXPECTED.inputs, say(FOUND.missing, { names }));
}
