"use strict";
// The page itself: what is pasted, dropped, typed or linked goes to the worker, and what comes back is shown.

const byId = (id) => document.getElementById(id);

/** What can be kept, by its name in a link: the name of its field, how it is read, and how wide it is. */
const KEPT = {
  server_seed: { name: "serverSeed", width: "" },
  client_seed: { name: "clientSeed", width: "half" },
  commitment: { name: "commitment", width: "" },
  nonce: { name: "nonce", width: "third", isNumber: true },
  decks: { name: "decks", width: "third", isNumber: true },
  scheme: { name: "scheme", width: "half" },
  index: { name: "index", width: "third", isNumber: true },
  anchor: { name: "anchor", width: "" },
  length: { name: "length", width: "third", isNumber: true },
  pay_table: { name: "offer", width: "half" },
};
const FIELD_ORDER = ["server_seed", "commitment", "client_seed", "scheme", "nonce", "decks", "index", "pay_table", "length", "anchor"];

function makeFields() {
  const option = (value, text) => el("option", { value }, text);
  const choices = {
    scheme: [option("", TEXT.fields.schemeRecord), ...Object.keys(SCHEMES).map((name) => option(name, name))],
    decks: [option("", TEXT.fields.decksRecord), ...DECK_NUMBERS.map((number) => option(number, number))],
    pay_table: [option("", TEXT.fields.offerNone), ...Object.keys(TABLES.payTables).map((name) => option(name, name))],
  };
  byId("fields").append(...FIELD_ORDER.map((key) => {
    const { name, width, isNumber } = KEPT[key];
    const field = choices[key]
      ? el("select", { id: key, name: key }, choices[key])
      : el("input", { type: "text", id: key, name: key, inputmode: isNumber ? "numeric" : null, spellcheck: "false", autocapitalize: "off", autocorrect: "off" });
    return el("div", { class: width }, el("label", { for: key }, TEXT.fields[name]), field);
  }));
}

/** A whole number as somebody types it. What is none is left as text, to be refused by whoever reads it. */
const typedNumber = (text) => (/^(?:0|[1-9][0-9]{0,15})$/.test(text) ? Number(text) : text);

/** What was typed, as it is verified: null where nothing was. A link may bring the digest of a pay table in place of its name. */
function keptOf(texts) {
  const value = (key) => (texts[key] === undefined || texts[key] === "" ? null : KEPT[key].isNumber ? typedNumber(texts[key]) : texts[key]);
  const anchor = value("anchor");
  const length = value("length");
  const offer = value("pay_table");
  return {
    serverSeed: value("server_seed"), clientSeed: value("client_seed"), commitment: value("commitment"), nonce: value("nonce"),
    decks: value("decks"), scheme: value("scheme"), index: value("index"),
    chain: anchor === null && length === null ? null : readChain(anchor, length),
    offer: offer === null ? null : readOffer(offer),
  };
}

function readOffer(offer) {
  if (Object.hasOwn(TABLES.payTables, offer)) return TABLES.payTables[offer];
  return readHex(offer, TEXT.subject.offerDigest, "verification.seed_text");
}

const typedTexts = () => Object.fromEntries(FIELD_ORDER.map((key) => [key, byId(key).value]));

// Links

/** The texts in the part of a link behind its #: percent-encoded UTF-8, each name once; a plus is a plus. */
function readFragment(fragment) {
  const texts = {};
  const known = [...Object.keys(KEPT), "record"];
  for (const part of fragment.split("&")) {
    const [name, ...rest] = part.split("=");
    if (!known.includes(name)) {
      throw refuse("record", TEXT.subject.linkText, say(TEXT.expected.linkKeys, { names: known.join(", ") }), describe(name), nearest(name, known));
    }
    if (Object.hasOwn(texts, name)) throw refuse("record", TEXT.subject.linkText, TEXT.expected.linkOnce, say(TEXT.found.keyTwice, { key: describe(name) }));
    try {
      texts[name] = decodeURIComponent(rest.join("="));
    } catch {
      throw refuse("record", `${TEXT.subject.linkText}, ${name}`, TEXT.expected.linkText, describe(rest.join("=")));
    }
  }
  return texts;
}

function makeFragment(texts) {
  const given = Object.entries(texts).filter(([, text]) => text !== "");
  return given.map(([name, text]) => `${name}=${encodeURIComponent(text)}`).join("&");
}

/** Puts the texts of a link into the page and verifies them. */
function openFragment(fragment) {
  guarded((turn) => {
    const texts = readFragment(fragment);
    byId("paste").value = texts.record ?? "";
    for (const key of FIELD_ORDER) fillField(key, texts[key] ?? "");
    byId("byhand").open = FIELD_ORDER.some((key) => texts[key]);
    return verifyInput(turn);
  });
}

/** A select gets what it does not know as one more choice, so that it is refused by its name and not lost. */
function fillField(key, text) {
  const field = byId(key);
  if (field.tagName === "SELECT" && !Array.from(field.options).some((option) => option.value === text)) {
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
  const code = Array.from(document.querySelectorAll("script[data-works]"), (script) => script.textContent.replace('"use strict";', "")).join("\n");
  const url = URL.createObjectURL(new Blob(['"use strict";\n', code], { type: "text/javascript" }));
  const made = new Worker(POLICY ? POLICY.createScriptURL(url) : url);
  made.onmessage = ({ data }) => {
    const question = waiting.get(data.id);
    if (question === undefined) return;
    if (data.progress) return question.report(data.progress);
    waiting.delete(data.id);
    if (data.broken) question.reject(new Error(data.broken));
    else question.resolve(data.answer);
  };
  made.onerror = (event) => {
    event.preventDefault();
    for (const question of waiting.values()) question.reject(new Error(event.message || "worker"));
    waiting.clear();
  };
  return made;
}

/** Asks the worker; where a browser makes none, the page itself does the work and rests in between. */
async function ask(kept, blob, report = () => undefined) {
  try {
    worker ??= makeWorker();
  } catch {
    worker = false;
  }
  if (worker === false) {
    const rest = () => new Promise((resolve) => { setTimeout(resolve); });
    return blob === undefined ? { single: verify(kept, null, true) } : verifyBlob(blob, kept, report, rest);
  }
  const id = (asked += 1);
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject, report });
    worker.postMessage({ id, kept, blob });
  });
}

function stopWorker() {
  if (worker) worker.terminate();
  worker = worker && null;
  for (const question of waiting.values()) question.reject(new Error(TEXT.page.cancel));
  waiting.clear();
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
    if (error instanceof Refusal) {
      const kept = { commitment: null };
      show(showResult({ verdict: "unreadable", error: plainRefusal(error), guarantees: [], played: null, kept, record: null }));
    } else {
      show([el("section", { class: "sheet verdict", "data-verdict": "failed" },
        el("h2", { tabindex: "-1", "data-focus": true }, say(TEXT.page.broken, { error: String(error.message).slice(0, 200) })))]);
    }
  }
}

function show(parts) {
  byId("result").replaceChildren(...parts.flat(Infinity).filter(Boolean));
  const head = byId("result").querySelector("[data-focus]");
  head?.focus({ preventScroll: true });
  byId("result").scrollIntoView({ block: "start", behavior: "auto" });
}

/** A pasted text: of a link what is behind its #, or that alone; anything else is a record or more. */
async function verifyInput(turn) {
  const pasted = byId("paste").value;
  const linked = /^\s*(?:[^\s{}]*#)?((?:[a-z_]+=[^\s&]*)(?:&[a-z_]+=[^\s&]*)*)\s*$/.exec(pasted);
  if (linked) return openFragment(linked[1]);
  const texts = typedTexts();
  const kept = keptOf(texts);
  if (pasted.trim() !== "") return verifySource(new Blob([pasted]), kept, turn);
  if (Object.values(texts).every((text) => text === "")) {
    throw refuse("record", TEXT.subject.input, TEXT.expected.something, TEXT.found.nothing);
  }
  return showAnswer(await ask(kept), null, kept, turn);
}

async function verifySource(blob, kept, turn) {
  const began = performance.now();
  const bar = el("progress", { max: 1, value: 0, "aria-label": TEXT.page.working });
  const words = el("p", { class: "hint" });
  const timer = setTimeout(() => show([el("section", { class: "sheet" }, el("h2", { tabindex: "-1", "data-focus": true }, TEXT.page.working), bar, words,
    el("div", { class: "buttons" }, el("button", { type: "button", onclick: cancel }, TEXT.page.cancel)))]), 150);
  try {
    const answer = await ask(kept, blob, ({ done, size, counts }) => {
      bar.value = done / size;
      const rounds = Object.values(counts).reduce((a, b) => a + b).toLocaleString(TEXT.language);
      words.textContent = say(TEXT.many.progress, { done: `${Math.round(done / 1024).toLocaleString(TEXT.language)}`, total: `${Math.round(size / 1024).toLocaleString(TEXT.language)} KiB`, rounds });
    });
    clearTimeout(timer);
    showAnswer(answer, blob, kept, turn, performance.now() - began);
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

function showAnswer(answer, blob, kept, turn, took) {
  if (turn !== latest) return;
  if (answer.single) show(showResult(answer.single));
  else if (answer.history) show(showHistory(answer.history));
  else show(showSummary(answer.summary, blob, kept, took));
}

// Many rounds

function showSummary(summary, blob, kept, took) {
  const { counts, total, failures } = summary;
  const bad = counts.failed + counts.unreadable;
  const verdict = bad ? "failed" : counts.recomputed || summary.grades.unbiased_cards?.unknown ? "followed" : "proved";
  const title = bad
    ? say(TEXT.verdicts.manyFailed, { bad: bad.toLocaleString(TEXT.language), total: total.toLocaleString(TEXT.language) })
    : sayCount(verdict === "proved" ? TEXT.verdicts.manyProved : TEXT.verdicts.manyFollowed, total);
  const parts = [
    el("div", { class: "head" }, drawSeal(verdict), el("h2", { tabindex: "-1", "data-focus": true }, title)),
    el("div", { class: "counts" }, Object.entries(counts).filter(([name, count]) => count || name === "proved").map(([name, count]) => el("div", {},
      el("div", { class: name === "failed" || name === "unreadable" ? "number bad" : "number" }, count.toLocaleString(TEXT.language)), TEXT.many[name]))),
    ...remarksOf(summary).map(({ sentence, isBad }) => el("p", { class: isBad ? "claim" : "text" }, sentence)),
    Object.keys(summary.grades).length ? gradesTable(summary.grades) : null,
    el("p", { class: "hint text" }, say(TEXT.many.took, { seconds: (took / 1000).toFixed(1) })),
  ];
  const again = () => show(showSummary(summary, blob, kept, took));
  return [el("section", { class: "sheet verdict", "data-verdict": verdict }, parts),
    failures.length ? showFailures(summary, bad, blob, kept, again) : null, showOpenLine(blob, kept, again)].filter(Boolean);
}

function remarksOf({ series, madeByOperator, staked, returned }) {
  const text = TEXT.many;
  const listed = (nonces, count) => (count > nonces.length ? say(text.more, { nonces: nonces.join(", "), n: (count - nonces.length).toLocaleString(TEXT.language) }) : nonces.join(", "));
  const remarks = series.slice(0, 20).map((each) => ({
    isBad: each.missingCount + each.twiceCount > 0,
    sentence: say(each.first === each.last ? text.nonce : text.nonces, {
      ...each, commitment: each.commitment.slice(0, 16),
      missing: each.missingCount ? say(text.missing, { nonces: listed(each.missing, each.missingCount) }) : text.noneMissing,
      twice: each.twiceCount ? say(text.twice, { nonces: listed(each.twice, each.twiceCount) }) : text.noneTwice,
    }),
  }));
  if (madeByOperator) remarks.push({ isBad: true, sentence: sayCount(text.byOperator, madeByOperator) });
  remarks.push({ isBad: false, sentence: say(text.sums, { staked, returned }) });
  return remarks;
}

function gradesTable(grades) {
  const levels = ["proved", "claimed", "unknown"];
  const heads = [{ text: TEXT.many.guarantee }, ...levels.map((level) => ({ text: TEXT.grades[level], isNumber: true }))];
  const rows = Object.entries(grades).map(([code, counts]) => el("tr", {}, cell(TEXT.guarantees[code]),
    levels.map((level) => cell(counts[level].toLocaleString(TEXT.language), "n"))));
  return table(heads, rows, TEXT.guarantees.title);
}

function showFailures({ failures }, bad, blob, kept, again) {
  const items = failures.map(({ number, start, end, error }) => el("li", {},
    el("p", {}, el("strong", {}, say(TEXT.many.line, { n: number })), ` ${TEXT.errors[error.code] ?? error.code} `,
      el("span", { class: "mono" }, `${error.subject}: ${error.expected} / ${error.found}`),
      error.slips.map(({ sentence }) => el("strong", {}, ` ${sentence}`))),
    el("button", { type: "button", class: "small", "aria-label": `${TEXT.many.open}, ${say(TEXT.many.line, { n: number })}`,
      onclick: () => openRound(blob.slice(start, end), kept, again) }, TEXT.many.open)));
  return el("section", { class: "sheet", "aria-labelledby": "failures" }, el("h2", { id: "failures" }, TEXT.many.failures),
    el("ul", { class: "failures" }, items),
    bad > failures.length ? el("p", { class: "hint" }, sayCount(TEXT.many.moreFailures, bad - failures.length)) : null);
}

function showOpenLine(blob, kept, again) {
  const field = el("input", { type: "text", id: "line", inputmode: "numeric" });
  const note = el("p", { class: "hint", role: "status" });
  const open = async (event) => {
    event.preventDefault();
    let number = 0;
    for await (const line of linesOf(blob)) {
      number += 1;
      if (String(number) === field.value.trim()) return openRound(blob.slice(line.start, line.end), kept, again);
    }
    note.textContent = say(TEXT.many.noLine, { n: field.value.trim().slice(0, 20) });
  };
  return el("form", { class: "sheet", onsubmit: open }, el("div", { class: "openline" },
    el("div", {}, el("label", { for: "line" }, TEXT.many.openLine), field), el("button", { type: "submit" }, TEXT.many.open)), note);
}

function openRound(blob, kept, again) {
  guarded(async (turn) => {
    const { single } = await ask(kept, blob);
    if (turn !== latest) return;
    const back = el("button", { type: "button", class: "small", onclick: again }, TEXT.many.back);
    show([el("div", { class: "buttons" }, back), ...showResult(single)]);
  });
}

// A history

function showHistory(history) {
  const text = TEXT.history;
  const { error, line, openings, isSignedHere, proved } = history;
  const verdict = error ? "failed" : isSignedHere ? "proved" : "recomputed";
  const coups = openings.reduce((sum, each) => sum + each.coups, 0);
  const count = (number) => number.toLocaleString(TEXT.language);
  const log = history.log ? say(text.log, { origin: history.log.origin, size: count(history.log.size), witnesses: history.log.witnesses }) : text.noLog;
  const facts = [
    [text.bettor, history.bettor], [text.madeAt, history.madeAt], [text.statements, count(history.statements)],
    [text.coups, say(text.coupsProved, { proved: count(proved), coups: count(coups) })], [text.sums, say(text.sumsText, history)],
    [text.inLog, history.unlogged ? sayCount(text.unlogged, history.unlogged) : log], [text.keys, history.keys.join(" ")],
  ];
  const rows = openings.map((each) => el("tr", {}, el("td", { class: "mono" }, each.commitment), cell(each.label), cell(count(each.coups), "n"),
    cell(count(each.proved), "n"), cell(each.isClosed ? text.closed : text.open), cell(each.isMarked ? TEXT.grades.proved : TEXT.grades.unknown)));
  const heads = ["commitment", "label", "coups", "proved", "state", "marked"].map((name) => ({ text: text.columns[name], isNumber: name === "coups" || name === "proved" }));
  return [
    el("section", { class: "sheet verdict", "data-verdict": verdict },
      el("div", { class: "head" }, drawSeal(verdict), el("h2", { tabindex: "-1", "data-focus": true }, error ? text.failed : isSignedHere ? text.proved : text.unsigned)),
      error ? [el("p", { class: "text" }, say(TEXT.many.line, { n: count(line) })), refusalTexts(error)]
        : [el("p", { class: "text" }, isSignedHere ? text.provedText : text.unsignedText), coups > proved ? el("p", { class: "text" }, sayCount(text.still, coups - proved)) : null],
      error ? null : el("p", { class: "text" }, text.compare),
      el("dl", {}, facts.filter(([, value]) => value).map(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]))),
    rows.length ? el("div", { class: "sheet" }, el("h2", {}, text.openings), table(heads, rows, text.openings)) : null,
  ];
}

// Getting started

const EXAMPLE = {
  server_seed: KNOWN_SEED, client_seed: "7c5e1d9b3f8a2046-3e2d8157faae5379", nonce: "14", decks: "8",
  commitment: "3e2d8157faae5379e90c5d6823c04f90989da344d47c312f910bee3aac8792e4",
};

function listen() {
  byId("input").addEventListener("submit", (event) => {
    event.preventDefault();
    guarded(verifyInput);
  });
  byId("input").addEventListener("reset", () => {
    cancel();
    history.replaceState(null, "", location.pathname + location.search);
  });
  byId("file").addEventListener("change", ({ target }) => {
    const [file] = target.files;
    if (file) guarded((turn) => verifySource(file, keptOf(typedTexts()), turn));
    target.value = "";
  });
  byId("example").addEventListener("click", () => openFragment(makeFragment(EXAMPLE)));
  byId("link").addEventListener("click", async () => {
    const record = byId("paste").value.trim();
    const link = `${location.href.split("#")[0]}#${makeFragment({ ...typedTexts(), record })}`;
    const isCopied = await copyText(link);
    byId("link").textContent = isCopied ? TEXT.page.copied : TEXT.page.notCopied;
    setTimeout(() => { byId("link").textContent = TEXT.page.link; }, 2000);
  });
  globalThis.addEventListener("hashchange", () => { if (location.hash.length > 1) openFragment(location.hash.slice(1)); });
  const hide = () => { byId("drop").hidden = true; };
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    byId("drop").hidden = false;
  });
  document.addEventListener("dragleave", (event) => { if (event.relatedTarget === null) hide(); });
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    hide();
    const [file] = event.dataTransfer.files;
    if (file) guarded((turn) => verifySource(file, keptOf(typedTexts()), turn));
    else if (event.dataTransfer.getData("text")) {
      byId("paste").value = event.dataTransfer.getData("text");
      guarded(verifyInput);
    }
  });
}

async function showSelfTest() {
  const note = byId("selftest");
  try {
    const { answers, compared, hasSignatures: isAble } = await runSelfTest();
    const passed = say(compared === null ? TEXT.selftest.alone : TEXT.selftest.passed, { answers, compared });
    note.textContent = isAble ? passed : `${passed} ${TEXT.selftest.unsigned}`;
    note.dataset.state = "passed";
  } catch (error) {
    note.textContent = say(TEXT.selftest.failed, { name: error.message });
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
  if (location.hash.length > 1) openFragment(location.hash.slice(1));
}

start();
