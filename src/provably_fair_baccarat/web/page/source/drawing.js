"use strict";
// What is seen: elements are made here, and everything from outside goes into them as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";

/** Fills an element: with classes, with properties if the first part is an object of them, and with the other parts, of which some may be missing. */
function fill(element, classes, [first, ...rest]) {
  const hasProperties = first?.constructor === Object;
  if (classes.length) element.setAttribute("class", classes.join(" "));
  for (const [name, value] of Object.entries(hasProperties ? first : {})) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value === true ? "" : value);
  }
  const children = hasProperties ? rest : [first, ...rest];
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** An element by its tag, with its classes behind points. */
function el(name, ...parts) {
  const [tag, ...classes] = name.split(".");
  return fill(document.createElement(tag), classes, parts);
}

function svg(name, ...parts) {
  const [tag, ...classes] = name.split(".");
  return fill(document.createElementNS(SVG, tag), classes, parts);
}

const paragraph = (sentence) => el("p.text", sentence);
const hint = (sentence) => el("p.hint", sentence);
const button = (label, properties) => el("button.small", { type: "button", ...properties }, label);

/** A heading that is read first when its sheet appears. */
const firstHead = (title) => el("h2", { tabindex: "-1", "data-focus": true }, title);

/** Names, each with one or more values. */
const facts = (pairs) => el("dl", pairs.map(([name, ...values]) => [el("dt", name), values.map((value) => (value instanceof Element ? value : el("dd", value)))]));

const cardName = (card) => say(TEXT.cards.name, { rank: TEXT.cards[card[0]] ?? card[0], suit: TEXT.cards[card[1]] });
const SUIT_SIGNS = { s: "♠\ufe0e", h: "♥\ufe0e", d: "♦\ufe0e", c: "♣\ufe0e" };
const shownRank = (card) => (card[0] === "T" ? "10" : card[0]);

/** How high the pips of a number card stand, in hundredths of the card's inner field: those at both sides, and those in the middle. */
const PIPS = {
  A: [[], [50]],
  2: [[], [5, 95]],
  3: [[], [5, 50, 95]],
  4: [[5, 95], []],
  5: [[5, 95], [50]],
  6: [[5, 50, 95], []],
  7: [[5, 50, 95], [27]],
  8: [[5, 50, 95], [27, 73]],
  9: [[5, 35, 65, 95], [50]],
  T: [[5, 35, 65, 95], [20, 80]],
};

function pip(card, x, y, size) {
  const transform = y > 70 ? `rotate(180 ${x} ${y})` : null;
  return svg("use", { href: `#suit-${card[1]}`, x: x - size / 2, y: y - size / 2, width: size, height: size, transform });
}

function drawCard(card) {
  const [rank, suit] = card;
  const colour = "hd".includes(suit) ? "var(--red)" : "var(--black)";
  const narrow = rank === "T" ? { textLength: 19, lengthAdjust: "spacingAndGlyphs" } : {};
  const corner = (properties) => svg("g", properties,
    svg("text", { x: 13, y: 23, "font-size": 20, "text-anchor": "middle", ...narrow }, shownRank(card)), pip(card, 13, 34.5, 13));
  const [sides, middle] = PIPS[rank] ?? [];
  const place = (x, y) => pip(card, x, 26 + y * 0.88, rank === "A" ? 40 : 17);
  const inside = sides
    ? [sides.map((y) => [place(33.2, y), place(66.8, y)]), middle.map((y) => place(50, y))]
    : [
      svg("rect", { x: 25, y: 17, width: 50, height: 106, rx: 3, fill: "none", stroke: colour, "stroke-width": 1.2 }),
      svg("text", { x: 50, y: 87, "font-size": 48, "text-anchor": "middle" }, rank), pip(card, 35, 28, 14), pip(card, 65, 112, 14),
    ];
  return svg("svg.card", { viewBox: "0 0 100 140", role: "img", "aria-label": cardName(card) },
    svg("rect", { x: 0.75, y: 0.75, width: 98.5, height: 138.5, rx: 8, fill: "var(--card)", stroke: "var(--card-line)", "stroke-width": 1.5 }),
    svg("g", { fill: colour, "aria-hidden": "true" }, inside, corner({}), corner({ transform: "rotate(180 50 70)" })));
}

const SEALS = { proved: "M13 25.5 21.5 34 36 17", failed: "M15 15 33 33M33 15 15 33", recomputed: "M14 24h20" };
SEALS.unreadable = SEALS.failed;
SEALS.followed = SEALS.recomputed;

function drawSeal(verdict) {
  const ring = (r, width) => svg("circle", { cx: 24, cy: 24, r, "stroke-width": width });
  return svg("svg.seal", { viewBox: "0 0 48 48", "aria-hidden": "true", fill: "none", stroke: "currentColor" },
    ring(22, 2), ring(18.5, 0.8), svg("path", { d: SEALS[verdict], "stroke-width": 4, "stroke-linecap": "round", "stroke-linejoin": "round" }));
}

/** A sheet that begins with a verdict. */
const verdictSheet = (verdict, title, ...parts) =>
  el("section.sheet.verdict", { "data-verdict": verdict }, el("div.head", drawSeal(verdict), firstHead(title)), parts);

const copy = async (text) => navigator.clipboard.writeText(text);

/** Makes a button copy a text, and say so for a while. */
function copying(element, textOf) {
  const label = element.textContent;
  element.addEventListener("click", async () => {
    element.textContent = await copy(textOf()).then(() => TEXT.page.copied, () => TEXT.page.notCopied);
    setTimeout(() => { element.textContent = label; }, 2000);
  });
  return element;
}

/** A value with its name, to be read whole and copied. */
function valueBox(label, value) {
  return el("div.value", el("div.label", label), el("div.line", el("code", value), copying(button(TEXT.page.copy), () => value)));
}

/** A table, and which of its columns hold numbers. A cell is a value, or an element with one; `styles` are classes of rows. */
function table(label, heads, rows, numbers, styles = []) {
  const cells = (tag, values, properties) => values.map((value, i) => (
    value?.tagName === "TD" ? value : el(tag, { ...properties, class: numbers.includes(i) ? "n" : null }, value)));
  return el("div.scroll", { tabindex: "0", role: "region", "aria-label": label }, el("table.plain",
    el("thead", el("tr", cells("th", heads, { scope: "col" }))),
    el("tbody", rows.map((values, i) => el("tr", { class: styles[i] }, cells("td", values))))));
}

/** The tableau as it is printed on the table, with the cell that decided lit. */
function drawTableau(lit) {
  const head = (scope, name, isOn) => el("th", { scope, class: isOn ? "on" : null }, name);
  const rows = TABLES.tableau.map((cells, row) => el("tr", head("row", row, lit?.row === row), Array.from(cells, (sign, column) => {
    const [isRow, isColumn] = [lit?.row === row, lit?.column === column];
    const isLit = isRow && isColumn;
    const style = isLit ? "lit" : isRow || isColumn ? "on" : null;
    return el("td", { "data-cell": sign, class: style, "aria-label": isLit ? `${sign}, ${TEXT.coup.tableauHere}` : null }, sign);
  })));
  const columns = ["–", 0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((name, column) => head("col", name, lit?.column === column));
  return el("table.tableau", el("caption.hint.over", TEXT.coup.tableauHead),
    el("thead", el("tr", el("th.corner", { scope: "col" }, TEXT.coup.tableauCorner), columns)), el("tbody", rows));
}

/** The shoe as two ribbons: where it was cut, and which slots of the cut shoe the cards come from. */
function drawShoe(size, cut, draws) {
  const rect = (x, width, properties) => svg("rect", { x, y: 0, width, height: 10, ...properties });
  const suits = (shift) => Array.from({ length: size / 13 }, (_, i) => {
    const from = (i * 13 - shift + size) % size;
    const style = { class: `suit-${i % 4}` };
    return [rect(from, Math.min(13, size - from), style), from + 13 > size && rect(0, from + 13 - size, style)];
  });
  const ribbon = (shift, slots, flags) => el("div.ribbon",
    svg("svg", { viewBox: `0 0 ${size} 10`, preserveAspectRatio: "none", "aria-hidden": "true" },
      suits(shift), slots.map((slot) => rect(slot, Math.max(1, size / 400), { fill: "var(--sheet)" }))), flags);
  const flag = (slot, text, lane, style) => {
    const mark = el(`span.flag${style}`, { "aria-hidden": "true" }, text);
    mark.style.left = `${Math.min(93, Math.max(7, (100 * (slot + 0.5)) / size))}%`;
    mark.style.setProperty("--lane", lane);
    return mark;
  };
  const lanes = [-100, -100, -100, -100];
  const flags = [...draws].sort((a, b) => a.j - b.j).map(({ j, k, card }) => {
    const place = (100 * j) / size;
    const lane = Math.max(0, lanes.findIndex((last) => place - last > 17));
    lanes[lane] = place;
    return flag(j, `${k + 1} ${shownRank(card)}${SUIT_SIGNS[card[1]]}`, lane, "");
  });
  const held = el("div.flags", flags);
  held.style.setProperty("--lanes", lanes.filter((last) => last >= 0).length - 1);
  const slots = draws.map(({ j }) => j);
  const legend = Array.from(SUITS, (suit, i) => [svg("svg.swatch", { viewBox: "0 0 10 10" }, rect(0, 10, { class: `suit-${i}` })), TEXT.cards[suit]]);
  return el("div.shoe", { role: "img", "aria-label": say(TEXT.steps.shoePicture, { size, cut, count: slots.length, slots: slots.join(", ") }) },
    el("p.hint.legend", legend), hint(TEXT.steps.factory),
    ribbon(0, [cut], el("div.flags", flag(cut, `${TEXT.steps.drawCut} ${cut}`, 0, ".cut"))), hint(TEXT.steps.afterCut), ribbon(cut, slots, held));
}
