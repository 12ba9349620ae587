// The table: a commitment is shown, a client seed chosen, coups are dealt, and in the end everything is proved here.

import { allRounds, bet, get, post, put } from "./asking.js";
import { scoreOf, verify } from "./proof.js";
import { bigRoad, card, element, nameOf, shortOf, slots, stack } from "./view.js";

const at = (id) => document.getElementById(id);
const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const CALM = matchMedia("(prefers-reduced-motion: reduce)").matches;

const table = { pair: null, commitment: null, bets: {}, last: null, balance: 0n, busy: true, currency: null };

// Money

function money(amount) {
  const decimals = table.currency?.decimals ?? 0;
  const digits = String(amount < 0n ? -amount : amount).padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, ",");
  return `${amount < 0n ? "−" : ""}$${whole}${decimals ? `.${digits.slice(-decimals)}` : ""}`;
}

const staked = () => Object.values(table.bets).reduce((sum, stake) => sum + stake, 0n);

async function showBalance() {
  const told = await get("/balance");
  table.currency = told.currency;
  table.balance = BigInt(told.balance);
  at("balance").textContent = money(table.balance);
}

// What can be done now

function call(text) {
  at("call").textContent = text;
}

function refresh() {
  const active = table.pair?.state === "active" && !table.busy;
  for (const spot of document.querySelectorAll(".spot")) {
    spot.disabled = !active;
    const stake = table.bets[spot.dataset.bet] ?? 0n;
    spot.querySelector(".stack").replaceChildren(...stack(stake, money(stake)));
  }
  at("deal").disabled = !active || !staked();
  at("clear").disabled = !active || !staked();
  at("repeat").disabled = !active || !table.last || Boolean(staked());
  at("prove").disabled = !active || !table.pair.next_nonce;
  at("dealt").textContent = String(table.pair?.next_nonce ?? 0);
}

// The seeds

function showPair(pair) {
  table.pair = pair;
  const committed = pair.state === "committed";
  at("commitment").textContent = pair.commitment;
  at("choose").hidden = !committed;
  at("active").hidden = committed;
  at("chosen").textContent = pair.client_seed ?? "";
  at("why").textContent = committed
    ? "The house has made a secret seed. This is its hash: from now on the seed can't be exchanged. Now you choose."
    : "Keep it: when the seed is revealed, its hash must be these digits.";
  if (committed) {
    table.commitment = pair.commitment;
    const random = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
    at("client-seed").value = `${random}-${pair.commitment.slice(0, 16)}`;
  }
  refresh();
}

async function chooseSeed(event) {
  event.preventDefault();
  at("seed-error").textContent = "";
  try {
    showPair(await put(`/pairs/${table.pair.id}/client-seed`, { client_seed: at("client-seed").value }));
    call("Place your bets.");
    document.querySelector(".spot").focus();
  } catch (error) {
    at("seed-error").textContent = error.message;
    at("client-seed").focus();
  }
}

// Bets

function place(name) {
  if (table.busy || table.pair?.state !== "active") return;
  const chip = BigInt(document.querySelector("input[name=chip]:checked").value);
  if (staked() + chip > table.balance) {
    call("There is not that much in your purse.");
    return;
  }
  table.bets[name] = (table.bets[name] ?? 0n) + chip;
  call(`${money(staked())} on the table.`);
  refresh();
}

function clearBets() {
  table.bets = {};
  call("Place your bets.");
  refresh();
}

function repeatBets() {
  const sum = Object.values(table.last ?? {}).reduce((all, stake) => all + stake, 0n);
  if (at("repeat").disabled) return;
  if (sum > table.balance) call("There is not that much in your purse.");
  else table.bets = { ...table.last };
  refresh();
}

// The coup

function clearHands() {
  for (const hand of ["player", "banker"]) {
    at(`${hand}-cards`).replaceChildren(...slots());
    at(`${hand}-score`).textContent = "";
    at(`${hand}-cards`).parentElement.classList.remove("won");
  }
}

async function showCoup(record) {
  clearHands();
  const steps = [0, 1, 2].flatMap((place) => ["player", "banker"].map((hand) => [hand, place])).filter(([hand, place]) => record[hand].cards[place]);
  for (const [hand, place] of steps) {
    const cards = at(`${hand}-cards`);
    const shown = card(record[hand].cards[place], place);
    if (cards.children[place]) cards.children[place].replaceWith(shown);
    else cards.append(shown);
    at(`${hand}-score`).textContent = String(scoreOf(record[hand].cards.slice(0, place + 1)));
    if (!CALM) await wait(place === 2 ? 420 : 260);
  }
  if (record.winner !== "tie") at(`${record.winner}-cards`).parentElement.classList.add("won");
}

function tell(record) {
  const hands = `player ${record.player.score}, banker ${record.banker.score}`;
  const net = BigInt(record.totals.net);
  const gained = net > 0n ? `You win ${money(net)}.` : net < 0n ? `You lose ${money(-net)}.` : "Your stake comes back.";
  const winner = record.winner === "tie" ? "Tie" : `${record.winner === "player" ? "Player" : "Banker"} wins`;
  call(`${winner}${record.natural ? ", by a natural" : ""}: ${hands}. ${gained}`);
}

async function deal() {
  if (at("deal").disabled) return;
  const bets = Object.fromEntries(Object.entries(table.bets).map(([name, stake]) => [name, String(stake)]));
  table.busy = true;
  refresh();
  call("No more bets.");
  try {
    const record = await bet(table.pair.id, bets);
    table.last = table.bets;
    table.bets = {};
    table.pair = { ...table.pair, next_nonce: record.nonce + 1 };
    await showCoup(record);
    tell(record);
  } catch (error) {
    call(error.message);
  }
  await Promise.allSettled([showBalance(), showRoad()]);
  table.busy = false;
  refresh();
  if (table.balance < 100n) await refill();
  at("repeat").focus();
}

async function refill() {
  await post("/refill");
  await showBalance();
  call("Your purse was empty: here is another one. It is only play money.");
}

async function showRoad() {
  const query = table.pair ? `?pair=${table.pair.id}` : "";
  const road = at("road");
  const shown = bigRoad(await get(`/roads${query}`));
  road.replaceChildren(shown);
  road.scrollLeft = Math.max(0, shown.dataset.end - road.clientWidth);
}

// The proof

async function prove() {
  if (at("prove").disabled) return;
  table.busy = true;
  refresh();
  try {
    const shown = table.commitment ?? table.pair.commitment;
    const { revealed, next_pair: following } = await post(`/pairs/${table.pair.id}/rotation`);
    const rounds = await allRounds(revealed.id);
    showProof(await verify(shown, revealed, rounds), revealed, rounds);
    clearHands();
    showPair(following);
    await showRoad();
    call("The house has made a new seed. Choose yours.");
  } catch (error) {
    call(error.message);
  }
  table.busy = false;
  refresh();
}

function showProof({ checks, differences, proved }, pair, rounds) {
  at("checks").replaceChildren(...checks.map(({ good, text }) => element("li", good ? {} : { class: "wrong" }, text)));
  at("verdict").textContent = proved ? `Proved: ${rounds.length} round${rounds.length === 1 ? "" : "s"}, computed in this browser.` : "Not proved.";
  at("verdict").classList.toggle("wrong", !proved);
  at("by-hand").replaceChildren("By hand: ", element("code", {}, `printf '${pair.label}:${pair.server_seed}' | sha256sum`));
  const lines = rounds.map(({ nonce, record }, place) => {
    const link = element("a", { href: verifierLink(record), target: "_blank", rel: "noopener" }, differences[place] ? "differs" : "verify");
    link.setAttribute("aria-label", `Verify nonce ${nonce} with the verifier page`);
    const cards = element("span", { title: record.cards.map(nameOf).join(", ") }, `${record.player.cards.map(shortOf).join(" ")} – ${record.banker.cards.map(shortOf).join(" ")}`);
    const cells = [String(nonce), cards, record.winner, money(BigInt(record.totals.net)), link];
    return element("tr", {}, ...cells.map((cell) => element("td", {}, cell)));
  });
  at("proved").querySelector("tbody").replaceChildren(...lines);
  at("proof").hidden = false;
  at("proof").scrollIntoView({ block: "nearest" });
}

const verifierLink = (record) => `api/verifier.html#record=${encodeURIComponent(JSON.stringify(record))}`;

// Sitting down

async function sitDown() {
  clearHands();
  const { pay_table: pays } = await get("/offer");
  for (const spot of document.querySelectorAll(".spot")) {
    const [whole, decimals] = pays[`${spot.dataset.bet}_multiplier`].split(".");
    spot.querySelector(".pays").textContent = `${Number(whole) - 1}${Number(decimals) ? `.${decimals}` : ""} to 1`;
  }
  await showBalance();
  const { pairs } = await get("/pairs?limit=1");
  const [latest] = pairs;
  const isUsable = latest && ["committed", "active"].includes(latest.state);
  showPair(isUsable ? latest : await post("/pairs"));
  await showRoad();
  table.busy = false;
  refresh();
  call(table.pair.state === "active" ? "Welcome back. Place your bets." : "Welcome. First, the seeds.");
}

const KEYS = { p: () => place("player"), t: () => place("tie"), b: () => place("banker"), d: deal, c: clearBets, r: repeatBets };

function press(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("#client-seed")) return;
  const chips = document.querySelectorAll("input[name=chip]");
  if ("1234".includes(event.key)) chips[Number(event.key) - 1].checked = true;
  else KEYS[event.key.toLowerCase()]?.();
}

for (const spot of document.querySelectorAll(".spot")) spot.addEventListener("click", () => place(spot.dataset.bet));
at("clear").addEventListener("click", clearBets);
at("repeat").addEventListener("click", repeatBets);
at("deal").addEventListener("click", deal);
at("prove").addEventListener("click", prove);
at("choose").addEventListener("submit", chooseSeed);
document.addEventListener("keydown", press);
sitDown().catch((error) => call(error.message));
