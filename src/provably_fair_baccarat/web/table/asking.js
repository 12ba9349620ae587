// Asking the house: JSON in and out, problems as errors, and a bet that got no answer asked again with the same key.

export class Problem extends Error {
  constructor(told) {
    super(told.hint ?? told.detail ?? told.title);
    this.code = told.code;
  }
}

async function ask(method, path, body, headers = {}) {
  const options = { method, headers: { ...headers } };
  if (body !== undefined) {
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  const answer = await fetch(`api${path}`, options);
  const told = await answer.json();
  if (!answer.ok) throw new Problem(told);
  return told;
}

export const get = (path) => ask("GET", path);
export const put = (path, body) => ask("PUT", path, body);
export const post = (path, body) => ask("POST", path, body);

const AGAIN = new Set(["web.key_in_flight", "house.store", "house.store.busy", "house.store.full"]);

export async function bet(pair, bets) {
  const key = crypto.randomUUID();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask("POST", `/pairs/${pair}/rounds`, { bets }, { "Idempotency-Key": key });
    } catch (error) {
      const lost = !(error instanceof Problem) || AGAIN.has(error.code);
      if (!lost || attempt === 4) throw error;
      await new Promise((resolve) => setTimeout(resolve, 400 * attempt));
    }
  }
}

export async function allRounds(pair) {
  const rounds = [];
  let after = "";
  do {
    const page = await get(`/pairs/${pair}/rounds?limit=200${after}`);
    rounds.push(...page.rounds);
    after = page.next === null ? null : `&after=${page.next}`;
  } while (after !== null);
  return rounds;
}
