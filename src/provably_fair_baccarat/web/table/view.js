// How things look: cards, chips, roads. Everything is made of elements, never of markup, so that no text can become a program.

const NAMES = { A: "ace", T: "ten", J: "jack", Q: "queen", K: "king" };
const SUITS = { s: "spades", h: "hearts", d: "diamonds", c: "clubs" };
const SIGNS = { s: "♠", h: "♥", d: "♦", c: "♣" };
const SIZES = [[10000n, "hundred", "100"], [2500n, "twentyfive", "25"], [500n, "five", "5"], [100n, "one", "1"]];
const SVG = "http://www.w3.org/2000/svg";

export function element(name, attributes = {}, ...inner) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...inner);
  return made;
}

function drawn(name, attributes = {}, ...inner) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...inner);
  return made;
}

export const shortOf = (card) => `${card[0] === "T" ? "10" : card[0]}${SIGNS[card[1]]}\ufe0e`;

export const nameOf = (card) => `${NAMES[card[0]] ?? card[0]} of ${SUITS[card[1]]}`;

export function card(text, place) {
  const red = "hd".includes(text[1]) ? " red" : "";
  const pip = (kind) => drawn("svg", { class: kind, "aria-hidden": "true" }, drawn("use", { href: `#${text[1]}` }));
  return element(
    "div",
    { class: `card${red}${place === 2 ? " third" : ""}`, role: "img", "aria-label": nameOf(text) },
    element("b", { "aria-hidden": "true" }, text[0] === "T" ? "10" : text[0]),
    pip("corner"),
    pip("pip"),
  );
}

export const slots = () => [element("div", { class: "slot" }), element("div", { class: "slot" })];

export function stack(amount, told) {
  const [, look, text] = SIZES.find(([size]) => amount >= size) ?? SIZES[3];
  return amount ? [element("span", { class: `chip ${look}`, "aria-hidden": "true" }, text), element("span", {}, told)] : [];
}

const CELL = 20;

export function bigRoad(roads) {
  const cells = roads.big_road.streaks.flat();
  const columns = Math.max(36, ...cells.map((cell) => cell.column + 2));
  const size = { width: columns * CELL + 1, height: 6 * CELL + 1 };
  const lines = [];
  for (let column = 0; column <= columns; column += 1) lines.push(`M${column * CELL + 0.5} 0V${size.height}`);
  for (let row = 0; row <= 6; row += 1) lines.push(`M0 ${row * CELL + 0.5}H${size.width}`);
  const shown = cells.map(({ column, row, winner, ties }) => {
    const [x, y] = [column * CELL + CELL / 2 + 0.5, row * CELL + CELL / 2 + 0.5];
    const group = drawn("g", { class: winner }, drawn("circle", { cx: x, cy: y, r: 7 }));
    if (ties) group.append(drawn("line", { class: "ties", x1: x - 7, y1: y + 7, x2: x + 7, y2: y - 7 }));
    if (ties > 1) group.append(drawn("text", { x, y: y + 3 }, String(ties)));
    return group;
  });
  const told = cells.length ? `${cells.length} wins in ${roads.big_road.streaks.length} streaks, the last one the ${cells.at(-1).winner}'s` : "no wins yet";
  const end = Math.max(0, ...cells.map((cell) => (cell.column + 3) * CELL));
  return drawn("svg", { ...size, "data-end": end, role: "img", "aria-label": told }, drawn("path", { class: "grid", fill: "none", d: lines.join("") }), ...shown);
}
