"use strict";
// Verification: replay a round from its revealed seeds, compare it with what was claimed, and say what that proves. Whatever differs ends
// the verification with the code of docs/reference/errors.md; every slip that is named was tried before.

const mismatch = (kind, subject, expected, found, slips) => refuse(`verification.${kind}`, subject, expected, found, slips);
const inRecord = (subject) => `${TEXT.subject.record}, ${subject}`;

function compare(kind, subject, expected, found, slips) {
  if (expected !== found) throw mismatch(kind, inRecord(subject), told(expected), told(found), slips);
}

const told = (value) => (value === null ? TEXT.found.none : String(value));

// The seeds (steps 1 and 2)

/** The scheme that is meant: with a chain, the one that deals from chains. */
function schemeOf(name, chain) {
  const scheme = schemeNamed(name);
  if (chain === null) {
    if (!scheme.dealsFromChains) return scheme;
    throw refuse("seed.scheme", say(TEXT.subject.schemeNamed, { scheme: name }), TEXT.expected.chain, TEXT.found.noSuch, [slip("chain")]);
  }
  if (scheme.name !== "pfb1" && !scheme.dealsFromChains) {
    throw refuse("seed.scheme", TEXT.subject.scheme, TEXT.expected.chainScheme, quoted(name));
  }
  return SCHEMES["pfb1-chain"];
}

/** Seeds that fit each other, from the texts that somebody gave, or the refusal that says why there are none. */
function readSeeds(given) {
  const scheme = schemeOf(given.scheme, given.chain);
  const decks = scheme.readDecks(given.decks);
  const seeds = { scheme, decks, chain: given.chain, label: scheme.label(decks) };
  try {
    seeds.serverSeed = scheme.readServerSeed(given.serverSeed);
    const isMissing = given.commitment === null && !scheme.needsCommitment;
    seeds.commitment = isMissing ? null : readHex(given.commitment, TEXT.subject.commitment, "seed.commitment");
    seeds.clientSeed = readClientSeed(given.clientSeed);
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    const slips = seedSlips(given, decks, scheme);
    throw mismatch("seed_text", refusal.subject, refusal.expected, refusal.found, slips.length ? slips : refusal.slips);
  }
  if (seeds.commitment !== null) requireCommitment(seeds, given);
  return seeds;
}

function requireCommitment(seeds, given) {
  const { scheme, decks, chain, commitment } = seeds;
  if (chain !== null) {
    const computed = chainCommitment(decks, chain);
    if (computed === commitment) return;
    const number = DECK_NUMBERS.find((other) => other !== decks && chainCommitment(other, chain) === commitment);
    throw mismatch("commitment", TEXT.subject.chainCommitment, commitment, computed, number ? [decksSlip(number)] : []);
  }
  const computed = scheme.commit(seeds.serverSeed, decks);
  if (computed === commitment) return;
  const slips = seedSlips(given, decks, scheme);
  const isSecret = slips.some(({ code }) => code === "commitment_swapped" || code === "commitment_as_server_seed");
  throw mismatch("commitment", TEXT.subject.seedCommitment, isSecret ? TEXT.expected.theCommitment : commitment, computed, slips);
}

const DECK_NUMBERS = [1, 2, 3, 4, 5, 6, 7, 8];
const decksSlip = (decks) => slip(decks === 1 ? "decks.one" : "decks.many", { decks });
const numbersOf = (scheme) => (scheme.isOwn ? DECK_NUMBERS : [null]);

function commits(scheme, serverSeed, decks, commitment) {
  if (scheme.dealsFromChains) return false;
  try {
    return scheme.commit(scheme.readServerSeed(serverSeed), decks) === commitment;
  } catch (refusal) {
    if (refusal instanceof Refusal) return false;
    throw refusal;
  }
}

/** What may have gone wrong where seeds do not fit their commitment, best guess first. */
function seedSlips(given, decks, scheme) {
  const asText = (value) => (typeof value === "string" ? value : "");
  const server = mendHex(asText(given.serverSeed)) ?? asText(given.serverSeed);
  const client = mendHex(asText(given.clientSeed)) ?? asText(given.clientSeed);
  const published = mendHex(asText(given.commitment));
  const slips = [];
  const all = Object.values(SCHEMES);
  if (published !== null) {
    if (server === published) return [slip("commitment_as_server_seed")];
    if (numbersOf(scheme).some((number) => commits(scheme, client, number, published))) return [slip("seeds_swapped")];
    if (all.some((known) => numbersOf(known).some((number) => commits(known, published, number, server)))) return [slip("commitment_swapped")];
    const number = numbersOf(scheme).find((each) => each !== null && each !== decks && commits(scheme, server, each, published));
    const other = all.find((known) => known !== scheme && numbersOf(known).some((each) => commits(known, server, each, published)));
    if (number) slips.push(decksSlip(number));
    else if (other) slips.push(slip("scheme.commitment", { scheme: other.name }));
  }
  if (scheme.needsCommitment) slips.push(...hexSlips(asText(given.serverSeed)));
  const inCommitment = hexSlips(asText(given.commitment));
  return [...slips, ...inCommitment.map(({ code, sentence }) => ({ code, sentence: say(TEXT.slips.in_commitment, { sentence }) }))];
}

// Chains (step 8)

/** Links that were proved, by the anchor of their chain: link(i) stands at place i. One pass down proves every link below. */
const LADDERS = new Map();

function ladderOf(anchor) {
  let ladder = LADDERS.get(anchor);
  if (ladder === undefined) {
    if (LADDERS.size >= 8) LADDERS.clear();
    ladder = { known: [wordsOfHex(anchor)] };
    LADDERS.set(anchor, ladder);
  }
  return ladder;
}

const sameWords = (one, other) => one.every((word, t) => word === other[t]);

/** Whether so many hashes lead from a link to the anchor; links that are proved already shorten the way. */
function leadsToAnchor(link, anchor, hashes) {
  const { known } = ladderOf(anchor);
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
    throw refuse("seed.nonce", TEXT.subject.nonce, say(TEXT.expected.belowLength, { n: chain.length.toLocaleString("en") }), describe(nonce));
  }
  if (leadsToAnchor(serverSeed, chain.anchor, nonce + 1)) return;
  const expected = sayCount(TEXT.expected.link, nonce + 1, { n: (nonce + 1).toLocaleString("en") });
  throw mismatch("link", TEXT.subject.link, expected, TEXT.found.another, thorough ? linkSlips(serverSeed, chain) : []);
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
    throw mismatch("index", TEXT.subject.index, say(TEXT.expected.indexTo, { last: coups.length - 1 }), describe(index));
  }
  return { ...played, cards: coups[index].cards, coup: coups[index] };
}

function readIndex(scheme, index) {
  if (!scheme.dealsShoes) {
    if (index === null) return null;
    throw mismatch("index", TEXT.subject.index, say(TEXT.expected.noIndex, { scheme: scheme.name }), describe(index));
  }
  if (Number.isInteger(index) && index >= 0) return index;
  throw mismatch("index", TEXT.subject.index, TEXT.expected.index, describe(index));
}

// The comparison, place by place

function compareOrigin(seeds, nonce, index, record) {
  compare("scheme", TEXT.subject.scheme, seeds.scheme.name, record.scheme);
  compare("decks", TEXT.subject.decks, seeds.decks, record.decks);
  compare("scheme", TEXT.subject.label, seeds.label, record.label);
  compare("commitment", TEXT.subject.commitment, seeds.commitment, record.commitment);
  compare("chain", TEXT.subject.chain, chainText(seeds.chain), chainText(record.chain));
  if (seeds.clientSeed !== record.client_seed) {
    compare("client_seed", TEXT.subject.clientSeed, seeds.clientSeed, record.client_seed, clientSeedSlips(seeds.clientSeed, record.client_seed));
  }
  compare("client_seed", TEXT.subject.clientSeedHex, hexOfBytes(utf8(seeds.clientSeed)), record.client_seed_hex);
  if (record.server_seed !== null && record.server_seed !== seeds.serverSeed) {
    throw mismatch("server_seed", inRecord(TEXT.subject.serverSeed), TEXT.expected.committedSeed, TEXT.found.another);
  }
  if (record.nonce !== nonce) {
    const word = nonce < record.nonce ? "low" : "high";
    const slips = Math.abs(nonce - record.nonce) === 1 ? [slip(`nonce.record_${word}`, { nonce: record.nonce })] : [];
    compare("nonce", TEXT.subject.nonce, nonce, record.nonce, slips);
  }
  compare("index", TEXT.subject.index, index, record.index);
}

const chainText = (chain) => (chain === null ? null : say(TEXT.found.chain, chain));

function compareCards(seeds, played, record, thorough) {
  const isSame = played.cut === record.cut && played.cards.join() === record.cards.join();
  if (isSame) return;
  const slips = thorough ? replaySlips(seeds, played, record) : [];
  compare("cut", TEXT.subject.cut, played.cut, record.cut, slips);
  compare("cards", TEXT.subject.cards, played.cards.join(" "), record.cards.join(" "), slips);
}

const handText = (cards, score) => `${cards.join(" ")} = ${score}`;

function compareCoup(coup, record) {
  for (const who of ["player", "banker"]) {
    const claimed = handText(record[who].cards, record[who].score);
    compare("coup", say(TEXT.subject.hand, { who: TEXT.subject[who] }), handText(coup[who], coup.scores[who]), claimed);
  }
  if (coup.natural !== record.natural) {
    throw mismatch("coup", inRecord(TEXT.subject.natural), TEXT.found[coup.natural], TEXT.found[record.natural]);
  }
  compare("coup", TEXT.subject.winner, coup.winner, record.winner);
}

/** What the record's bets come to under its own pay table, which must be the one of its digest and of the offer. */
function settleRecord(coup, record, offer) {
  for (const bet of Object.keys(record.pay_table.side_bets)) {
    if (!Object.hasOwn(TABLES.bets, bet)) {
      throw refuse("money.bet.unknown", TEXT.subject.tableBet, TEXT.expected.catalogue, say(TEXT.found.unknownBet, { bet: quoted(bet) }), [slip("own_bet")]);
    }
  }
  const table = preparedPayTable(record.pay_table);
  compare("pay_table", TEXT.subject.digest, table.digest, record.pay_table_digest);
  if (offer !== null) compare("pay_table", TEXT.subject.offerDigest, offer, record.pay_table_digest, [slip("other_offer")]);
  try {
    return { ...settle(coup, record.bets, table), table };
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    throw mismatch("settlement", inRecord(refusal.subject), refusal.expected, refusal.found, refusal.slips);
  }
}

function compareSettlement(settlement, record) {
  for (const { bet, status, returned } of settlement.lines) {
    compare("settlement", say(TEXT.subject.statusOf, { bet }), status, record.bets[bet].status);
    compare("settlement", say(TEXT.subject.returnOf, { bet }), returned, record.bets[bet].returned);
  }
  for (const sum of ["staked", "returned", "net"]) {
    compare("settlement", TEXT.subject[`sum_${sum}`], settlement[sum], record.totals[sum]);
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
  return visible(given) === visible(recorded) ? [slip("trimmed.differ")] : [];
}

/** Other texts that people take a client seed for, and the slip if it is the right one. */
function clientSeedVariants(text) {
  const [composed, apart] = [text.normalize("NFC"), text.normalize("NFD")];
  const first = String.fromCodePoint(...Array.from(text).slice(0, 1).map((letter) => letter.codePointAt(0)));
  const capital = first.toUpperCase() + text.slice(first.length).toLowerCase();
  return [
    [composed, slip("nfc")],
    ...(apart === composed ? [] : [[apart, slip("nfd")]]),
    [visible(text), slip("trimmed")],
    ...[text.toLowerCase(), text.toUpperCase(), capital].map((other) => [other, slip("case", { other: quoted(other) })]),
  ];
}

/** Which other nonce, client seed or scheme gives the cards that the record has. */
function replaySlips(seeds, played, record) {
  const { nonce, index } = played;
  const slips = [];
  const fits = (other, at) => {
    try {
      return replay(other, at, index, false).cards.join() === record.cards.join();
    } catch (refusal) {
      if (refusal instanceof Refusal) return false;
      throw refusal;
    }
  };
  for (const [other, word] of [[nonce - 1, "high"], [nonce + 1, "low"]]) {
    if (seeds.chain === null && other >= 0 && other <= MAX_NONCE && fits(seeds, other)) slips.push(slip(`nonce.cards_${word}`, { nonce: other }));
  }
  for (const [text, found] of clientSeedVariants(seeds.clientSeed)) {
    if (text === seeds.clientSeed || clientSeedRefusal(text) !== null) continue;
    if (fits({ ...seeds, clientSeed: text }, nonce)) {
      slips.push(found);
      break;
    }
  }
  for (const scheme of Object.values(SCHEMES)) {
    if (scheme === seeds.scheme || scheme.dealsFromChains || scheme.dealsShoes) continue;
    try {
      const other = { scheme, serverSeed: scheme.readServerSeed(seeds.serverSeed), clientSeed: seeds.clientSeed, chain: null };
      const decks = scheme.readDecks(MAX_DECKS);
      const at = scheme.hasNonces ? nonce : 0;
      if (fits({ ...other, decks, label: scheme.label(decks) }, at)) slips.push(slip("scheme.cards", { scheme: scheme.name }));
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
    }
  }
  return slips;
}

// What was proved, in sentences for the bettor

function checksOf(seeds, played, record, settlement, offer) {
  const text = TEXT.checks;
  const { coup } = played;
  const winner = say(coup.winner === "tie" ? text.tie : text.win, { winner: coup.winner }) + (coup.natural ? text.byNatural : "");
  const hands = { player: handText(coup.player, coup.scores.player), banker: handText(coup.banker, coup.scores.banker) };
  const checks = [];
  if (seeds.commitment !== null) checks.push({ code: "commitment", sentence: commitmentText(seeds, played.nonce) });
  const cut = played.cut === null ? "" : say(text.cut, { cut: played.cut });
  checks.push({ code: "cards", sentence: say(text.cards, { nonce: played.nonce, cut, cards: played.cards.join(" ") }) });
  checks.push({ code: "coup", sentence: say(text.coup, { ...hands, winner }) });
  if (record !== null) {
    const offered = offer === null ? "" : text.offered;
    const lines = settlement.lines.map((line) => say(text.line, line)).join(", ");
    checks.push({ code: "record", sentence: text.record });
    checks.push({ code: "pay_table", sentence: say(text.payTable, { digest: record.pay_table_digest, offered }) });
    checks.push({ code: "settlement", sentence: lines ? say(text.settlement, { lines }) : text.noBets });
  }
  return checks;
}

function commitmentText(seeds, nonce) {
  const { commitment, chain } = seeds;
  if (chain === null) return say(TEXT.checks.commitment, { commitment });
  return sayCount(TEXT.checks.chainCommitment, nonce + 1, { n: nonce + 1, anchor: chain.anchor, commitment });
}

/** Step 9: whether a client seed ends with the mark of a commitment. */
const isMarked = (clientSeed, commitment) => commitment !== null && clientSeed.endsWith(`-${commitment.slice(0, 16)}`);

function guaranteesOf(seeds, played, record, offer) {
  const text = TEXT.guarantees;
  const grade = (code, level, sentence) => ({ code, grade: level, sentence });
  const madeBy = record === null ? null : record.client_seed_made_by;
  const operator = madeBy === "operator" ? text.byOperator : "";
  const fixed = seeds.commitment === null
    ? grade("seed_fixed", "unknown", text.notFixed)
    : grade("seed_fixed", "proved", say(text.fixed, { commitment: commitmentText(seeds, played.nonce) }));
  const after = isMarked(seeds.clientSeed, seeds.commitment)
    ? grade("client_seed_after_commitment", "proved", text.marked + operator)
    : madeBy === "bettor"
      ? grade("client_seed_after_commitment", "claimed", text.claimed)
      : grade("client_seed_after_commitment", "unknown", text.notMarked + operator);
  const drawing = grade("unbiased_cards", seeds.scheme.isUnbiased ? "proved" : "unknown", TEXT.drawing[seeds.scheme.name]);
  const settled = record === null
    ? grade("settlement_exact", "unknown", text.notSettled)
    : grade("settlement_exact", "proved", say(text.settled, { table: offer === null ? text.ownTable : text.offeredTable }));
  return [fixed, after, drawing, settled];
}

// The verification itself

const first = (kept, otherwise) => (kept === null || kept === undefined ? otherwise : kept);

/**
 * Verifies a round: from what somebody kept, from a record, or a record against what was kept. `thorough` seeks slips that take a while.
 * What differs is the result's `error`; what was recomputed before that is in the result too.
 */
function verify(kept, record, thorough = true) {
  const result = { verdict: "failed", error: null, seeds: null, played: null, settlement: null, checks: [], guarantees: [], kept, record };
  try {
    verifyInto(result, kept, record, thorough);
    result.verdict = result.guarantees[0].grade === "proved" ? "proved" : "recomputed";
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    result.error = plainRefusal(refusal);
    if (refusal.code === "record" || refusal.code === "verification.seed_text" || (record === null && refusal.code.startsWith("seed"))) {
      result.verdict = "unreadable";
    }
  }
  return result;
}

const plainRefusal = ({ code, subject, expected, found, slips }) => ({ code, subject, expected, found, slips });

function verifyInto(result, kept, record, thorough) {
  const recorded = record ?? { scheme: "pfb1", decks: null, chain: null, commitment: null, server_seed: null, client_seed: null, nonce: null, index: null };
  const serverSeed = first(kept.serverSeed, recorded.server_seed);
  if (serverSeed === null && record !== null) {
    throw mismatch("not_revealed", TEXT.subject.recordSeed, TEXT.expected.revealed, TEXT.found.noSuch);
  }
  const given = {
    serverSeed,
    clientSeed: first(kept.clientSeed, recorded.client_seed),
    commitment: first(kept.commitment, recorded.commitment),
    decks: first(kept.decks, recorded.decks) ?? MAX_DECKS,
    scheme: first(kept.scheme, recorded.scheme),
    chain: first(kept.chain, recorded.chain),
  };
  if (record === null) requireInputs(given, kept);
  const isOpen = record === null && given.commitment === null && schemeOf(given.scheme, given.chain).needsCommitment;
  const seeds = isOpen ? withoutCommitment(given) : readSeeds(given);
  result.seeds = { ...seeds, scheme: seeds.scheme.name };
  const nonce = seeds.scheme.hasNonces ? readNonce(first(kept.nonce, recorded.nonce)) : readNonce(first(kept.nonce, recorded.nonce) ?? 0);
  const index = readIndex(seeds.scheme, first(kept.index, recorded.index));
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
function requireInputs(given, kept) {
  const scheme = schemeNamed(given.scheme);
  const missing = [];
  if (given.serverSeed === null) missing.push(TEXT.subject.serverSeed);
  if (given.clientSeed === null) missing.push(TEXT.subject.clientSeed);
  if (scheme.hasNonces && first(kept.nonce, null) === null) missing.push(TEXT.subject.nonce);
  if (missing.length) throw mismatch("seed_text", TEXT.subject.seeds, TEXT.expected.inputs, say(TEXT.found.missing, { names: missing.join(", ") }));
}

/** Seeds of our own schemes without their commitment: the cards can be recomputed, and nothing shows that the server seed was fixed. */
function withoutCommitment(given) {
  const scheme = schemeOf(given.scheme, given.chain);
  const decks = scheme.readDecks(given.decks);
  const chain = given.chain;
  try {
    const serverSeed = scheme.readServerSeed(given.serverSeed);
    const computed = chain === null ? scheme.commit(serverSeed, decks) : chainCommitment(decks, chain);
    return { scheme, decks, chain, label: scheme.label(decks), serverSeed, clientSeed: readClientSeed(given.clientSeed), commitment: null, computed };
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    throw mismatch("seed_text", refusal.subject, refusal.expected, refusal.found, refusal.slips);
  }
}
