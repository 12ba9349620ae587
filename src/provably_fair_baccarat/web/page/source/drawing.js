"use strict";
// What is seen: elements are made here, and everything from outside goes into them as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

const el = (tag, properties, ...children) => fill(document.createElement(tag), properties, children);
const svg = (tag, properties, ...children) => fill(document.createElementNS(SVG, tag), properties, children);

const cardName = (card) => say(TEXT.cards.name, { rank: TEXT.cards[card[0]], suit: TEXT.cards[card[1]] });
const SUIT_SIGNS = { s: "♠\ufe0e", h: "♥\ufe0e", d: "♦\ufe0e", c: "♣\ufe0e" };
const shownRank = (card) => (card[0] === "T" ? "10" : card[0]);

/** Where the pips of a number card stand, by column and row, in hundredths of the card's inner field. */
const PIPS = {
  A: [[50, 50]],
  2: [[50, 5], [50, 95]],
  3: [[50, 5], [50, 50], [50, 95]],
  4: [[15, 5], [85, 5], [15, 95], [85, 95]],
  5: [[15, 5], [85, 5], [50, 50], [15, 95], [85, 95]],
  6: [[15, 5], [85, 5], [15, 50], [85, 50], [15, 95], [85, 95]],
  7: [[15, 5], [85, 5], [50, 27], [15, 50], [85, 50], [15, 95], [85, 95]],
  8: [[15, 5], [85, 5], [50, 27], [15, 50], [85, 50], [50, 73], [15, 95], [85, 95]],
  9: [[15, 5], [85, 5], [15, 35], [85, 35], [50, 50], [15, 65], [85, 65], [15, 95], [85, 95]],
  T: [[15, 5], [85, 5], [50, 20], [15, 35], [85, 35], [15, 65], [85, 65], [50, 80], [15, 95], [85, 95]],
};

function pip(card, x, y, size) {
  const turn = y > 70 ? `rotate(180 ${x} ${y})` : null;
  return svg("use", { href: `#suit-${card[1]}`, x: x - size / 2, y: y - size / 2, width: size, height: size, transform: turn });
}

function drawCard(card) {
  const colour = "hd".includes(card[1]) ? "var(--red)" : "var(--black)";
  const corner = () => [
    svg("text", { x: 13, y: 23, "font-size": 20, "text-anchor": "middle", ...(card[0] === "T" ? { textLength: 19, lengthAdjust: "spacingAndGlyphs" } : {}) }, shownRank(card)),
    svg("use", { href: `#suit-${card[1]}`, x: 6.5, y: 28, width: 13, height: 13 }),
  ];
  const middle = Object.hasOwn(PIPS, card[0])
    ? PIPS[card[0]].map(([x, y]) => pip(card, 26 + x * 0.48, 26 + y * 0.88, card[0] === "A" ? 40 : 17))
    : [
      svg("rect", { x: 25, y: 17, width: 50, height: 106, rx: 3, fill: "none", stroke: colour, "stroke-width": 1.2 }),
      svg("text", { x: 50, y: 87, "font-size": 48, "text-anchor": "middle" }, card[0]),
      pip(card, 35, 28, 14),
      pip(card, 65, 112, 14),
    ];
  return svg("svg", { class: "card", viewBox: "0 0 100 140", role: "img", "aria-label": cardName(card) },
    svg("rect", { x: 0.75, y: 0.75, width: 98.5, height: 138.5, rx: 8, fill: "var(--card)", stroke: "var(--card-line)", "stroke-width": 1.5 }),
    svg("g", { fill: colour, "aria-hidden": "true" }, middle, svg("g", {}, corner()), svg("g", { transform: "rotate(180 50 70)" }, corner())));
}

const SEALS = {
  proved: "M13 25.5 21.5 34 36 17",
  failed: "M15 15 33 33M33 15 15 33",
  unreadable: "M15 15 33 33M33 15 15 33",
  recomputed: "M14 24h20",
  followed: "M14 24h20",
};

function drawSeal(verdict) {
  return svg("svg", { class: "seal", viewBox: "0 0 48 48", "aria-hidden": "true" },
    svg("circle", { cx: 24, cy: 24, r: 22, fill: "none", stroke: "currentColor", "stroke-width": 2 }),
    svg("circle", { cx: 24, cy: 24, r: 18.5, fill: "none", stroke: "currentColor", "stroke-width": 0.8 }),
    svg("path", { d: SEALS[verdict], fill: "none", stroke: "currentColor", "stroke-width": 4, "stroke-linecap": "round", "stroke-linejoin": "round" }));
}

/** A button that copies a text, and says so. */
function copyButton(text, label = TEXT.page.copy) {
  const button = el("button", { type: "button", class: "small", onclick: async () => {
    const isCopied = await copyText(text);
    button.textContent = isCopied ? TEXT.page.copied : TEXT.page.notCopied;
    setTimeout(() => { button.textContent = label; }, 2000);
  } }, label);
  return button;
}

async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** A value with its name, to be read whole and copied. */
function valueBox(label, value) {
  return el("div", { class: "value" }, el("div", { class: "label" }, label),
    el("div", { class: "line" }, el("code", {}, value), copyButton(value)));
}

function table(heads, rows, label) {
  const head = el("tr", {}, heads.map(({ text, isNumber }) => el("th", { scope: "col", class: isNumber ? "n" : null }, text)));
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label },
    el("table", { class: "plain" }, el("thead", {}, head), el("tbody", {}, rows)));
}

const cell = (text, style) => el("td", { class: style ?? null }, text);

/** The tableau as it is printed on the table, with the cell that decided lit. */
function drawTableau(lit) {
  const columns = ["–", 0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
  const isOn = (row, column) => lit !== null && (lit.row === row || lit.column === column);
  const head = el("tr", {}, el("th", { scope: "col", class: "corner" }, TEXT.coup.tableauCorner),
    columns.map((name, column) => el("th", { scope: "col", class: lit?.column === column ? "on" : null }, String(name))));
  const rows = TABLES.tableau.map((cells, row) => el("tr", {},
    el("th", { scope: "row", class: lit?.row === row ? "on" : null }, String(row)),
    Array.from(cells, (sign, column) => {
      const isLit = lit !== null && lit.row === row && lit.column === column;
      const classes = isLit ? "lit" : isOn(row, column) ? "on" : null;
      return el("td", { "data-cell": sign, class: classes, "aria-label": isLit ? `${sign}, ${TEXT.coup.tableauHere}` : null }, sign);
    })));
  return el("table", { class: "tableau" }, el("caption", { class: "hint over" }, TEXT.coup.tableauHead), el("thead", {}, head), el("tbody", {}, rows));
}

/** The shoe as two ribbons: where it was cut, and which slots of the cut shoe the cards come from. */
function drawShoe(size, cut, draws) {
  const suits = (shift) => {
    const bands = Array.from({ length: size / 13 }, (_, i) => ({ from: (i * 13 - shift + size) % size, suit: i % 4 }));
    return bands.flatMap(({ from, suit }) => [
      svg("rect", { x: from, y: 0, width: Math.min(13, size - from), height: 10, class: `suit-${suit}` }),
      from + 13 > size ? svg("rect", { x: 0, y: 0, width: from + 13 - size, height: 10, class: `suit-${suit}` }) : null,
    ]);
  };
  const ribbon = (shift, marks) => svg("svg", { viewBox: `0 0 ${size} 10`, preserveAspectRatio: "none", "aria-hidden": "true" },
    suits(shift), marks.map((slot) => svg("rect", { x: slot, y: 0, width: Math.max(1, size / 400), height: 10, fill: "var(--sheet)" })));
  const flag = (slot, text, lane, style = "") => {
    const mark = el("span", { class: `flag ${style}`, "aria-hidden": "true" }, text);
    mark.style.left = `${Math.min(93, Math.max(7, (100 * (slot + 0.5)) / size))}%`;
    mark.style.setProperty("--lane", lane);
    return mark;
  };
  const lanes = [-100, -100, -100, -100];
  const flags = [...draws].sort((a, b) => a.j - b.j).map((drawn) => {
    const place = (100 * drawn.j) / size;
    const lane = Math.max(0, lanes.findIndex((last) => place - last > 17));
    lanes[lane] = place;
    return flag(drawn.j, `${drawn.k + 1} ${shownRank(drawn.card)}${SUIT_SIGNS[drawn.card[1]]}`, lane);
  });
  const held = el("div", { class: "flags" }, flags);
  held.style.setProperty("--lanes", lanes.filter((last) => last >= 0).length - 1);
  const slots = draws.map((drawn) => drawn.j).join(", ");
  const legend = Array.from(SUITS, (suit, i) => [svg("svg", { class: "swatch", viewBox: "0 0 10 10" }, svg("rect", { width: 10, height: 10, class: `suit-${i}` })), TEXT.cards[suit]]);
  return el("div", { class: "shoe", role: "img", "aria-label": say(TEXT.steps.shoePicture, { size, cut, count: draws.length, slots }) },
    el("p", { class: "hint legend" }, legend),
    el("p", { class: "hint" }, TEXT.steps.factory),
    el("div", { class: "ribbon" }, ribbon(0, [cut]), el("div", { class: "flags" }, flag(cut, `${TEXT.steps.drawCut} ${cut}`, 0, "cut"))),
    el("p", { class: "hint" }, TEXT.steps.afterCut),
    el("div", { class: "ribbon" }, ribbon(cut, draws.map((drawn) => drawn.j)), held));
}
