// Runs the page's working scripts without a browser: a job of JSON on each line of standard input, an answer on each line of the output.
const fs = require("fs");
const readline = require("readline");
const vm = require("vm");

const html = fs.readFileSync(process.argv[2], "utf8");
const scripts = Array.from(html.matchAll(/<script id="\w+" data-works>(.*?)<\/script>/gs), (found) => found[1]);
vm.runInThisContext(`${scripts.join("\n")}\nglobalThis.page = { verify, verifyText, verifyBlob, runSelfTest, dealCoup, EVENTS, paymentOf, TABLES, TEXT, SCHEMES,
  readStatement, readKeys, readCheckpoint, readNoteKey, rootFrom, leafHash, entryOf };`);
const { page } = globalThis;

const NOTHING = { serverSeed: null, clientSeed: null, commitment: null, nonce: null, decks: null, scheme: null, index: null, chain: null, offer: null };
const plain = (value) => JSON.stringify(value, (_, inner) => (typeof inner === "bigint" ? String(inner) : inner));

function told(result) {
  const { verdict, error, played, checks, guarantees, settlement } = result;
  return {
    verdict, error, checks, guarantees, cut: played?.cut ?? null, cards: played?.cards ?? null, coup: played?.coup ?? null,
    rejected: played?.derived?.draws ? [played.derived.cutDraw, ...played.derived.draws].flatMap((drawn) => drawn.rejected ?? []) : [],
    shoe: played?.derived?.shoe ? { order: played.derived.cards, burnt: played.derived.shoe.burnt, coups: played.derived.shoe.coups } : null,
    lines: settlement?.lines ?? null,
  };
}

const JOBS = {
  selfTest: () => page.runSelfTest(),
  texts: () => ({ tables: page.TABLES, texts: page.TEXT, events: Object.keys(page.EVENTS) }),
  record: ({ text, kept }) => told(page.verifyText({ ...NOTHING, ...kept }, new TextEncoder().encode(text), true)),
  seeds: ({ kept }) => told(page.verify({ ...NOTHING, ...kept }, null, true)),
  bytes: ({ base64, kept }) => told(page.verifyText({ ...NOTHING, ...kept }, new Uint8Array(Buffer.from(base64, "base64")), true)),
  rounds: async ({ text, kept }) => {
    const answer = await page.verifyBlob(new Blob([text]), { ...NOTHING, ...kept }, () => undefined);
    return answer.single ? { single: told(answer.single) } : answer;
  },
  history: async ({ base64, kept }) => {
    const answer = await page.verifyBlob(new Blob([Buffer.from(base64, "base64")]), { ...NOTHING, ...kept }, () => undefined);
    return answer.history ?? null;
  },
  statements: ({ jwks, statements }) => Promise.all(statements.map(async (statement) => {
    try {
      const read = await page.readStatement(statement, page.readKeys(jwks));
      return { kind: read.kind, digest: read.digest, entry: page.entryOf(read) };
    } catch (error) {
      return error.code ?? String(error);
    }
  })),
  keys: ({ jwks }) => jwks.map((jwk) => {
    try {
      return Array.from(page.readKeys({ keys: [jwk] }).keys());
    } catch (error) {
      return error.code ?? String(error);
    }
  }),
  checkpoints: ({ log, witnesses, texts }) => Promise.all(texts.map(async (text) => {
    try {
      const read = await page.readCheckpoint(text, page.readNoteKey(log, 1), witnesses.map((witness) => page.readNoteKey(witness, 4)));
      return { origin: read.origin, size: read.size, root: Buffer.from(read.root).toString("hex") };
    } catch (error) {
      return error.code ?? String(error);
    }
  })),
  inclusion: ({ leaf, index, size, proof }) => {
    const root = page.rootFrom(Uint8Array.from(Buffer.from(leaf, "hex")), index, size, proof.map((hash) => Uint8Array.from(Buffer.from(hash, "hex"))));
    return root && Buffer.from(root).toString("hex");
  },
  shoes: ({ shoes }) => shoes.map(([serverSeed, clientSeed, nonce, decks]) => {
    const { shoe } = page.SCHEMES["pfb1-shoe"].derive({ serverSeed, clientSeed, decks }, nonce);
    return [shoe.burnt, ...shoe.coups.map((coup) => coup.cards.join(" "))].join("|");
  }),
  deal: ({ coups }) => coups.map((cards) => page.dealCoup(cards)),
  settle: ({ coups, payouts }) => coups.map((cards) => {
    const coup = page.dealCoup(cards);
    return Object.fromEntries(Object.entries(payouts).map(([bet, pays]) => [bet, String(page.paymentOf(page.EVENTS[bet](coup), pays).multiplier)]));
  }),
  derive: ({ rounds }) => rounds.map(([serverSeed, clientSeed, nonce, decks]) => {
    const derived = page.SCHEMES.pfb1.derive({ serverSeed, clientSeed, decks }, nonce);
    const coup = page.dealCoup(derived.cards);
    return [page.SCHEMES.pfb1.commit(serverSeed, decks), derived.cut, derived.cards.join(" "), coup.winner, coup.scores.player, coup.scores.banker].join("|");
  }),
};

(async () => {
  for await (const line of readline.createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    const job = JSON.parse(line);
    process.stdout.write(`${plain(await JOBS[job.kind](job))}\n`);
  }
})();
