"use strict";
// The page itself: what is pasted, dropped, typed or linked goes to the worker, and what comes back is shown.

const byId = (id) => document.getElementById(id);

/** What can be kept, by its name in a link, and how wide its field is: thirds are whole numbers. */
const FIELDS = {
  server_seed: "", commitment: "", client_seed: "half", scheme: "half", nonce: "third", decks: "third", index: "third", pay_table: "half", length: "third",
  anchor: "",
};
const FIELD_NAMES = Object.keys(FIELDS);

function makeFields() {
  const text = TEXT.fields;
  const choices = {
    scheme: [text.schemeRecord, Object.keys(SCHEMES)],
    decks: [text.decksRecord, DECK_NUMBERS],
    pay_table: [text.offerNone, Object.keys(TABLES.payTables)],
  };
  byId("fields").append(...FIELD_NAMES.map((id) => {
    const [none, names] = choices[id] ?? [];
    const inputmode = FIELDS[id] === "third" ? "numeric" : null;
    const field = names
      ? el("select", { id, name: id }, el("option", { value: "" }, none), names.map((name) => el("option", name)))
      : el("input", { type: "text", id, name: id, inputmode, spellcheck: "false", autocapitalize: "off", autocorrect: "off" });
    return el("div", { class: FIELDS[id] }, el("label", { for: id }, text[id]), field);
  }));
}

const typedTexts = () => Object.fromEntries(FIELD_NAMES.map((id) => [id, byId(id).value]));

/** What was typed, as it is verified: null where nothing was. What is no whole number is left as text, to be refused by whoever reads it. */
function keptOf(texts) {
  const value = (id) => (FIELDS[id] === "third" && /^(?:0|[1-9][0-9]{0,15})$/.test(texts[id]) ? Number(texts[id]) : texts[id] || null);
  const [anchor, length, offer] = [value("anchor"), value("length"), value("pay_table")];
  return {
    ...Object.fromEntries(Object.entries(KEPT).map(([name, id]) => [name, value(id)])),
    chain: anchor === null && length === null ? null : readChain(anchor, length),
    offer: offer && readOffer(offer),
  };
}

/** The digest of a pay table that was offered; a link may bring it in place of a name. */
function readOffer(offer) {
  return Object.hasOwn(TABLES.payTables, offer) ? TABLES.payTables[offer] : readHex(offer, SUBJECT.offerDigest, "verification.seed_text");
}

// Links

/** The texts in the part of a link behind its #: percent-encoded UTF-8, each name once; a plus is a plus. */
function readFragment(fragment) {
  const texts = {};
  const known = [...FIELD_NAMES, "record"];
  const refused = (expected, found, slips) => refuse("record", SUBJECT.linkText, expected, found, slips);
  for (const part of fragment.split("&")) {
    const [name, ...rest] = part.split("=");
    const text = rest.join("=");
    if (!known.includes(name)) throw refused(say(EXPECTED.linkKeys, { names: known.join(", ") }), describe(name), nearest(name, known));
    if (Object.hasOwn(texts, name)) throw refused(EXPECTED.linkOnce, say(FOUND.keyTwice, { key: describe(name) }));
    try {
      texts[name] = decodeURIComponent(text);
    } catch {
      throw refuse("record", `${SUBJECT.linkText}, ${name}`, EXPECTED.linkText, describe(text));
    }
  }
  return texts;
}

function makeFragment(texts) {
  return Object.entries(texts).filter(([, text]) => text).map(([name, text]) => `${name}=${encodeURIComponent(text)}`).join("&");
}

/** Puts the texts of a link into the page and verifies them. */
function openFragment(fragment) {
  guarded((turn) => {
    const texts = readFragment(fragment);
    byId("paste").value = texts.record ?? "";
    for (const id of FIELD_NAMES) fillField(byId(id), texts[id] ?? "");
    byId("byhand").open = FIELD_NAMES.some((id) => texts[id]);
    return verifyInput(turn);
  });
}

/** A select gets what it does not know as one more choice, so that it is refused by its name and not lost. */
function fillField(field, text) {
  if (field.options && !Array.from(field.options).some((option) => option.value === text)) {
    field.append(el("option", { value: text }, text.slice(0, 100)));
  }
  field.value = text;
}

// The worker, made of the scripts of this very page

let worker = null;
let asked = 0;
const waiting = new Map();

/** A browser that asks for it makes a worker of a trusted address only. A name serves one policy, so that there is one. */
const POLICY = globalThis.trustedTypes?.createPolicy("worker", { createScriptURL: (address) => address });

function makeWorker() {
  const code = Array.from(document.querySelectorAll("script[data-works]"), (script) => script.textContent).join("\n");
  const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  const made = new Worker(POLICY ? POLICY.createScriptURL(url) : url);
  made.onmessage = ({ data: { id, progress, broken, answer } }) => {
    const question = waiting.get(id);
    if (question === undefined) return;
    if (progress) return question.report(progress);
    waiting.delete(id);
    if (broken) question.reject(new Error(broken));
    else question.resolve(answer);
  };
  made.onerror = (event) => {
    event.preventDefault();
    rejectAll(event.message || "worker");
  };
  return made;
}

function rejectAll(reason) {
  for (const question of waiting.values()) question.reject(new Error(reason));
  waiting.clear();
}

/** Asks the worker; where a browser makes none, the page itself does the work and rests in between. */
async function ask(kept, blob, report = () => undefined) {
  try {
    worker ??= makeWorker();
  } catch {
    worker = false;
  }
  if (worker === false) return answerTo({ kept, blob }, report, () => new Promise((resolve) => { setTimeout(resolve); }));
  const id = (asked += 1);
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject, report });
    worker.postMessage({ id, kept, blob });
  });
}

function stopWorker() {
  if (worker) worker.terminate();
  worker = worker && null;
  rejectAll(TEXT.page.cancel);
}

// Verifying what is there

let latest = 0;

/** Runs something that may refuse or fail, and shows that in place of a result. Whatever ran before is given up. */
async function guarded(work) {
  const turn = (latest += 1);
  if (waiting.size) stopWorker();
  try {
    await work(turn);
  } catch (error) {
    if (turn !== latest) return;
    const broken = () => verdictSheet("failed", say(TEXT.page.broken, { error: String(error.message).slice(0, 200) }));
    show(error instanceof Refusal ? showResult(unreadable(error.told, {})) : [broken()]);
  }
}

function show(parts) {
  const result = byId("result");
  result.replaceChildren(...parts.flat(Infinity).filter(Boolean));
  result.querySelector("[data-focus]")?.focus({ preventScroll: true });
  result.scrollIntoView({ block: "start", behavior: "auto" });
}

/** A pasted text: of a link what is behind its #, or that alone; anything else is a record or more. */
async function verifyInput(turn) {
  const pasted = byId("paste").value;
  const linked = /^\s*(?:[^\s{}]*#)?((?:[a-z_]+=[^\s&]*)(?:&[a-z_]+=[^\s&]*)*)\s*$/.exec(pasted);
  if (linked) return openFragment(linked[1]);
  const texts = typedTexts();
  const kept = keptOf(texts);
  if (pasted.trim() !== "") return verifySource(new Blob([pasted]), kept, turn);
  if (!Object.values(texts).some(Boolean)) throw refuse("record", SUBJECT.input, EXPECTED.something, FOUND.nothing);
  return showAnswer(await ask(kept), null, kept, turn);
}

async function verifySource(blob, kept, turn) {
  const text = TEXT.page;
  const bar = el("progress", { max: 1, value: 0, "aria-label": text.working });
  const words = hint("");
  const working = () => el("section.sheet", firstHead(text.working), bar, words,
    el("div.buttons", el("button", { type: "button", onclick: cancel }, text.cancel)));
  const timer = setTimeout(() => show([working()]), 150);
  const kibibytes = (bytes) => grouped(Math.round(bytes / 1024));
  try {
    const answer = await ask(kept, blob, ({ done, size, rounds }) => {
      bar.value = done / size;
      words.textContent = say(TEXT.many.progress, { done: kibibytes(done), total: `${kibibytes(size)} KiB`, rounds: grouped(rounds) });
    });
    clearTimeout(timer);
    showAnswer(answer, blob, kept, turn);
  } finally {
    clearTimeout(timer);
  }
}

function cancel() {
  latest += 1;
  stopWorker();
  show([]);
  byId("paste").focus();
}

function showAnswer({ single, history: told, summary }, blob, kept, turn) {
  if (turn === latest) show(single ? showResult(single) : told ? showHistory(told) : showSummary(summary, blob, kept));
}

// Many rounds

function showSummary(summary, blob, kept) {
  const { counts, total, failures, grades, madeByOperator, series } = summary;
  const text = TEXT.verdicts;
  const bad = counts.failed + counts.unreadable;
  const isLess = counts.recomputed || grades.unbiased_cards?.unknown || madeByOperator || series.some((each) => each.missingCount + each.twiceCount);
  const verdict = counts.unreadable === total ? "unreadable" : bad ? "failed" : isLess ? "followed" : "proved";
  const title = verdict === "unreadable" ? text.unreadable : bad
    ? say(text.manyFailed, { bad: grouped(bad), total: grouped(total) })
    : say(verdict === "proved" ? text.manyProved : text.manyFollowed, { total: grouped(total) });
  const again = () => show(showSummary(summary, blob, kept));
  const open = (line) => openRound(blob.slice(line.start, line.end), kept, again);
  return [
    verdictSheet(verdict, title,
      el("div.counts", Object.entries(counts).filter(([name, count]) => count || name === "proved").map(([name, count]) => el("div",
        el(name === "failed" || name === "unreadable" ? "div.number.bad" : "div.number", grouped(count)), TEXT.many[name]))),
      remarksOf(summary),
      Object.keys(grades).length ? gradesTable(grades) : null),
    failures.length ? showFailures(failures, bad, open) : null, showOpenLine(blob, open),
  ];
}

function remarksOf({ series, madeByOperator, staked, returned, grades }) {
  const text = TEXT.many;
  const { claimed = 0, unknown = 0 } = grades.client_seed_after_commitment ?? {};
  const unmarked = claimed + unknown;
  const remark = (isBad, sentence) => el(isBad ? "p.claim" : "p.text", sentence);
  const listed = (sentence, none, numbers, count) => {
    const more = { nonces: numbers.join(", "), n: grouped(count - numbers.length) };
    return count ? say(sentence, { nonces: count > numbers.length ? say(text.more, more) : more.nonces }) : none;
  };
  return [
    series.slice(0, 20).map(({ commitment, first, last, missing, missingCount, twice: doubled, twiceCount }) => remark(missingCount + twiceCount > 0,
      say(text.nonces, {
        first, last, commitment: commitment.slice(0, 16),
        missing: listed(text.missing, text.noneMissing, missing, missingCount), twice: listed(text.twice, text.noneTwice, doubled, twiceCount),
      }))),
    madeByOperator ? remark(true, say(text.byOperator, { n: grouped(madeByOperator) })) : null,
    unmarked ? remark(false, say(text.unmarked, { n: grouped(unmarked) })) : null,
    remark(false, say(text.sums, { staked, returned })),
  ];
}

function gradesTable(grades) {
  const rows = Object.entries(grades).map(([code, { proved, claimed, unknown }]) => [TEXT.guarantees[code], ...[proved, claimed, unknown].map(grouped)]);
  return table(TEXT.guarantees.title, [TEXT.many.guarantee, ...Object.values(TEXT.grades)], rows, [1, 2, 3]);
}

function showFailures(failures, bad, open) {
  const text = TEXT.many;
  const items = failures.map((line) => {
    const { number: n, error } = line;
    const { subject, expected, found, slips } = error;
    const name = say(text.line, { n });
    return el("li", el("p", el("strong", name), ` ${meaningOf(error)} `, el("span.mono", `${subject}: ${expected} / ${found}`),
      slips.map(({ sentence }) => el("strong", ` ${sentence}`))), button(text.open, { "aria-label": `${text.open}, ${name}`, onclick: () => open(line) }));
  });
  return el("section.sheet", { "aria-labelledby": "failures" }, el("h2", { id: "failures" }, text.failures), el("ul.failures", items),
    bad > failures.length ? hint(say(text.moreFailures, { n: grouped(bad - failures.length) })) : null);
}

function showOpenLine(blob, open) {
  const text = TEXT.many;
  const field = el("input", { type: "text", id: "line", inputmode: "numeric" });
  const note = el("p.hint", { role: "status" });
  const onsubmit = async (event) => {
    event.preventDefault();
    const wanted = field.value.trim();
    let number = 0;
    for await (const line of linesOf(blob)) {
      number += 1;
      if (String(number) === wanted) return open(line);
    }
    note.textContent = say(text.noLine, { n: wanted.slice(0, 20) });
  };
  return el("form.sheet", { onsubmit }, el("div.openline", el("div", el("label", { for: "line" }, text.openLine), field),
    el("button", { type: "submit" }, text.open)), note);
}

function openRound(blob, kept, again) {
  guarded(async (turn) => {
    const { single } = await ask(kept, blob);
    if (turn === latest) show([el("div.buttons", button(TEXT.many.back, { onclick: again })), showResult(single)]);
  });
}

// A history

function showHistory(told) {
  const text = TEXT.history;
  const { error, line, openings, isSignedHere, proved, unlogged, log } = told;
  const coups = openings.reduce((sum, each) => sum + each.coups, 0);
  const isChanged = error?.slips[0]?.code === "reformatted";
  const verdict = isChanged ? "unreadable" : error ? "failed" : isSignedHere ? "proved" : "unsigned";
  const known = [
    [text.bettor, told.bettor], [text.madeAt, told.madeAt], [text.statements, grouped(told.statements)],
    [text.coups, say(text.coupsProved, { proved: grouped(proved), coups: grouped(coups) })], [text.sums, say(text.sumsText, told)],
    [text.inLog, unlogged ? say(text.unlogged, { n: grouped(unlogged) }) : log ? say(text.log, { ...log, size: grouped(log.size) }) : text.noLog],
    [text.keys, told.keys.join(" ")],
  ];
  const gradeOf = ({ isMarked: isLater, madeBy }) => TEXT.grades[isLater ? "proved" : madeBy === "bettor" ? "claimed" : "unknown"];
  const rows = openings.map((each) => [el("td.mono", each.commitment), gradeOf(each), grouped(each.coups), grouped(each.proved),
    each.isClosed ? text.closed : text.open, each.label]);
  return [
    verdictSheet(error || (proved && isSignedHere) ? verdict : "recomputed", text[verdict] ?? TEXT.verdicts[verdict],
      error
        ? [paragraph(say(TEXT.many.line, { n: grouped(line) })), refusalTexts(error)]
        : [paragraph(text[`${verdict}Text`]), coups > proved ? paragraph(say(text.still, { n: grouped(coups - proved) })) : null, paragraph(text.compare), paragraph(text.limit)],
      facts(known.filter(([, value]) => value))),
    rows.length ? el("div.sheet", el("h2", text.openings), table(text.openings, Object.values(text.columns), rows, [2, 3])) : null,
  ];
}

// Getting started

const EXAMPLE = {
  server_seed: KNOWN_SEED, client_seed: "7c5e1d9b3f8a2046-3e2d8157faae5379", nonce: "14", decks: "8",
  commitment: KNOWN_COMMITMENT,
};

function listen() {
  const on = (target, kind, act) => target.addEventListener(kind, act);
  const takeFile = (file) => guarded((turn) => verifySource(file, keptOf(typedTexts()), turn));
  const input = byId("input");
  on(input, "submit", (event) => {
    event.preventDefault();
    guarded(verifyInput);
  });
  on(input, "input", () => {
    latest += 1;
    byId("result").replaceChildren();
  });
  on(input, "reset", () => {
    cancel();
    history.replaceState(null, "", location.pathname + location.search);
  });
  on(byId("file"), "change", ({ target }) => {
    if (target.files.length) takeFile(target.files[0]);
    target.value = "";
  });
  on(byId("example"), "click", () => openFragment(makeFragment(EXAMPLE)));
  copying(byId("link"), () => `${location.href.split("#")[0]}#${makeFragment({ ...typedTexts(), record: byId("paste").value.trim() })}`);
  on(globalThis, "hashchange", openHash);
  const hide = (isHidden) => { byId("drop").hidden = isHidden; };
  on(document, "dragover", (event) => {
    event.preventDefault();
    hide(false);
  });
  on(document, "dragleave", (event) => { if (event.relatedTarget === null) hide(true); });
  on(document, "drop", (event) => {
    event.preventDefault();
    hide(true);
    const { files: [file] } = event.dataTransfer;
    const text = event.dataTransfer.getData("text");
    if (file) takeFile(file);
    else if (text) {
      byId("paste").value = text;
      guarded(verifyInput);
    }
  });
}

function openHash() {
  if (location.hash.length > 1) openFragment(location.hash.slice(1));
}

async function showSelfTest() {
  const text = TEXT.selftest;
  const note = byId("selftest");
  try {
    const told = await runSelfTest();
    const passed = say(told.compared === null ? text.alone : text.compared, { ...told, passed: say(text.passed, told) });
    note.textContent = told.hasSignatures ? passed : `${passed} ${text.unsigned}`;
    note.dataset.state = "passed";
  } catch (error) {
    note.textContent = say(text.failed, { name: error.message });
    note.dataset.state = "failed";
  }
}

async function start() {
  document.documentElement.lang = TEXT.language;
  document.title = TEXT.page.title;
  for (const each of document.querySelectorAll("[data-text]")) {
    const [group, name] = each.dataset.text.split(".");
    each.textContent = TEXT[group][name];
  }
  makeFields();
  listen();
  await showSelfTest();
  openHash();
}

start();
