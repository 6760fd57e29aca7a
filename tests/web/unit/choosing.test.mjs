import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { Service, clearStorage, silence, until } from "./browser.mjs";
import { ME, MATCH, Listener, loaded, matchAt } from "./matches.mjs";
import { Signer, hashFor } from "./signing.mjs";
import { signIn } from "../../../web/lib/api.js";
import { contradicting, receiptsOf } from "../../../web/lib/evidence.js";
import { MatchFeed } from "../../../web/lib/match_feed.js";
import { settings } from "../../../web/lib/settings.js";
import { Choosing } from "../../../web/pages/parts/choosing.js";
import { Runner } from "../../../web/pages/parts/runner.js";

const PATH = `/v1/matches/${MATCH}`;
const holdings = (view, seat) => [{ name: "coins", count: view.coins[seat] }];
let signer, table;

/** A user at a table; `answers` are those of the service. */
function sit(version, answers = {}) {
  const service = new Service({
    [`GET ${PATH}/events`]: silence,
    [`GET ${PATH}`]: () => matchAt(version),
    "GET /.well-known/kontor-keys.json": { keys: [signer.published] },
    [`POST ${PATH}/dry-runs`]: { version, facts: [], view: { coins: [5, 5] }, complete: true },
    ...answers,
  });
  const shown = [];
  const app = { update() {}, drawn: async () => {}, announce() {}, go() {} };
  const page = {
    app,
    runner: new Runner(app),
    drawing: { t: (key) => key, holdings, sequence: ["lay"] },
    show: async (place) => void shown.push(place),
    hasFocus: () => true,
  };
  const feed = new MatchFeed(loaded(matchAt(version)), new Listener());
  const choosing = new Choosing(feed, page);
  feed.listener = { change: () => choosing.follow(), news() {}, fail: (error) => page.runner.fail(error) };
  return { choosing, feed, runner: page.runner, service, shown };
}

/** The answer to a move. */
const played = async (version, head = matchAt(version).head) => ({
  ...matchAt(version, { head, legal_moves: [], to_act: [1] }),
  first: version,
  facts: [{ type: "card_bought" }],
  receipt: await signer.receipt(MATCH, version, head),
});

afterEach(() => table.feed.close());
beforeEach(async () => {
  clearStorage();
  signIn(ME);
  settings.confirm = "each";
  signer ??= await Signer.make();
});

test("a chosen move is dry-run, confirmed and sent with the version that the user saw", async () => {
  const answer = await played(6);
  table = sit(5, { [`POST ${PATH}/moves`]: answer });
  const { choosing, feed, service, shown } = table;
  choosing.choose(0);
  assert.equal(choosing.choice.state, "asking");
  await until(() => choosing.choice.state === "passes");
  assert.equal(service.requests("POST", `${PATH}/moves`).length, 0);
  choosing.confirm();
  await until(() => choosing.choice === null);
  const [sent] = service.requests("POST", `${PATH}/moves`);
  assert.deepEqual(sent.body, { type: "buy", card: 1 });
  assert.equal(sent.headers["If-Match"], '"5"');
  assert.equal(feed.match.version, 6);
  assert.deepEqual(shown, ["stage", "confirm", "status"]);
});

test("a receipt that contradicts an earlier one is kept, and the alert stays whatever happens next", async () => {
  const honest = await played(6);
  const forged = await played(6, "0".repeat(64));
  table = sit(5, { [`POST ${PATH}/moves`]: () => honest });
  const { choosing, feed, runner } = table;
  await choosing.send([{ type: "pass" }]);
  assert.deepEqual(runner.problems, []);
  Object.assign(table.service.answers, { [`POST ${PATH}/moves`]: forged, [`GET ${PATH}`]: () => matchAt(7) });
  feed.take(matchAt(6, { legal_moves: [{ type: "buy", card: 1 }] }));
  choosing.choose(0);
  await until(() => choosing.choice.state === "passes");
  choosing.confirm();
  await until(() => runner.problems.length === 1);
  // the stream delivers the true version, and the user chooses another move
  feed.take(matchAt(7));
  choosing.choose(1);
  await until(() => choosing.choice?.state === "passes");
  assert.deepEqual(
    runner.problems.map(({ key }) => key),
    ["trust.two_histories"],
  );
  const [group] = contradicting(receiptsOf("match", MATCH));
  assert.deepEqual(group.map(({ head }) => head).sort(), ["0".repeat(64), matchAt(6).head].sort());
});

test("an answer about a version that the stream delivered first is still checked and kept", async () => {
  const forged = await played(6, hashFor("another history"));
  table = sit(5, { [`POST ${PATH}/moves`]: await played(6) });
  const { choosing, feed, runner } = table;
  await choosing.send([{ type: "pass" }]);
  feed.take(matchAt(8));
  table.service.answers[`POST ${PATH}/moves`] = forged;
  await choosing.send([{ type: "pass" }]);
  assert.equal(runner.problems[0].key, "trust.two_histories");
  assert.equal(receiptsOf("match", MATCH).length, 2);
});

test("when the position changes under a chosen move, it is dry-run again; if it is gone, so is the choice", async () => {
  table = sit(5);
  const { choosing, feed, service } = table;
  choosing.choose(1);
  await until(() => choosing.choice.state === "passes");
  feed.take(matchAt(6, { legal_moves: [{ type: "pass" }] }));
  assert.equal(choosing.choice.offered.index, 0);
  await until(() => choosing.choice.state === "passes");
  const asked = service.requests("POST", `${PATH}/dry-runs`).map(({ headers }) => headers["If-Match"]);
  assert.deepEqual(asked, ['"5"', '"6"']);
  feed.take(matchAt(7, { legal_moves: [{ type: "buy", card: 2 }] }));
  assert.equal(choosing.choice, null);
});

test("a move that costs nothing is made at once, one that costs something is asked", async () => {
  settings.confirm = "costs";
  table = sit(5, { [`POST ${PATH}/moves`]: await played(6) });
  const { choosing, service } = table;
  choosing.choose(1);
  await until(() => choosing.choice === null);
  assert.equal(service.requests("POST", `${PATH}/moves`).length, 1);

  table.feed.close();
  table = sit(5, { [`POST ${PATH}/dry-runs`]: { version: 5, facts: [], view: { coins: [3, 5] }, complete: true } });
  table.choosing.choose(0);
  await until(() => table.choosing.choice.state === "passes");
  assert.deepEqual(table.choosing.changes, [{ name: "coins", before: 5, after: 3 }]);
  assert.equal(table.choosing.choice.quiet, false);
});

test("a refused move says why, and is not sent", async () => {
  const refusal = () => new Response(JSON.stringify({ code: "too_dear", rule: "S-14" }), { status: 409 });
  table = sit(5, { [`POST ${PATH}/dry-runs`]: refusal });
  const { choosing } = table;
  choosing.choose(0);
  await until(() => choosing.choice.state === "refused");
  assert.equal(choosing.choice.problem.rule, "S-14");
  choosing.confirm();
  assert.equal(choosing.choice.state, "refused");
  choosing.choose(null);
  assert.deepEqual(table.shown.at(-1), { move: 0 });
});

test("a kind of move that is not listed is filled in first", async () => {
  table = sit(5);
  const { choosing, feed, service } = table;
  const schema = { type: "object", properties: { coins: { type: "integer", minimum: 1 } }, required: ["coins"] };
  feed.match = matchAt(5, { legal_moves: [{ type: "bid", schema }], labels: ["Bid …"] });
  choosing.choose(0);
  assert.deepEqual(choosing.choice.filled, { coins: 1, type: "bid" });
  choosing.fill({ coins: 4, type: "bid" });
  await choosing.check();
  assert.deepEqual(service.requests("POST", `${PATH}/dry-runs`)[0].body, { coins: 4, type: "bid" });
});

test("a failure that is no broken promise is gone with the next command", async () => {
  table = sit(5);
  const { runner } = table;
  await runner.run(async () => {
    throw new Error("no connection");
  });
  assert.equal(runner.problems.length, 1);
  await runner.run(async () => {});
  assert.deepEqual(runner.problems, []);
});

// --- sequences

const LAID = (card) => ({ type: "lay", card });
/** A service in which cards 1 to 3 can be laid, one after the other, and passed at any time. */
function layingService(posted) {
  const after = (moves) => {
    const laid = moves.map(({ card }) => card);
    const legal_moves = [...[1, 2, 3].filter((card) => !laid.includes(card)).map(LAID), { type: "pass" }];
    return { version: 5, facts: [], view: { coins: [5 - laid.length, 5] }, complete: true, legal_moves };
  };
  const listed = (body) => body.moves ?? [body];
  return {
    [`POST ${PATH}/dry-runs`]: ({ body }) => after(listed(body)),
    [`POST ${PATH}/moves`]: ({ body }) => (posted.push(listed(body)), played(6)),
  };
}

/** Choose a listed move by its text, and wait until it was tried. */
async function lay(choosing, move) {
  const { index } = choosing.moves.find((one) => JSON.stringify(one.move) === JSON.stringify(move));
  choosing.choose(index);
  await until(() => choosing.choice?.state === "passes");
}

async function laying() {
  const posted = [];
  table = sit(5, layingService(posted));
  Object.assign(table.feed.match, { legal_moves: [LAID(1), LAID(2), LAID(3), { type: "pass" }], labels: undefined });
  settings.confirm = "costs";
  return { ...table, posted };
}

test("moves are laid out one after the other, shown as if made, and sent together", async () => {
  const { choosing, posted } = await laying();
  await lay(choosing, LAID(2));
  assert.deepEqual(choosing.view, { coins: [4, 5] });
  assert.deepEqual(posted, []);
  await lay(choosing, LAID(1));
  assert.deepEqual(
    choosing.moves.map(({ move }) => move),
    [LAID(3), { type: "pass" }],
  );
  assert.deepEqual(choosing.changes, [{ name: "coins", before: 5, after: 3 }]);
  await lay(choosing, { type: "pass" });
  assert.equal(choosing.sequence.length, 3);
  choosing.confirm();
  await until(() => posted.length);
  assert.deepEqual(posted, [[LAID(2), LAID(1), { type: "pass" }]]);
});

test("what is laid out stays while something else is picked up, and is taken back step by step", async () => {
  const { choosing, posted } = await laying();
  await lay(choosing, LAID(1));
  await lay(choosing, LAID(2));
  choosing.choose(null);
  assert.equal(choosing.sequence.length, 2);
  choosing.cancel();
  assert.deepEqual(choosing.view, { coins: [4, 5] });
  choosing.cancel();
  assert.deepEqual([choosing.choice, choosing.view, posted], [null, null, []]);
});

test("one move is taken out of a sequence; the others stay as far as they are possible", async () => {
  const { choosing } = await laying();
  for (const card of [1, 2, 3]) await lay(choosing, LAID(card));
  await choosing.remove(1);
  assert.deepEqual(choosing.toSend, [LAID(1), LAID(3)]);
});

test("when the position changes, a sequence is laid out again for the new one", async () => {
  const { choosing, feed, service } = await laying();
  for (const card of [1, 2]) await lay(choosing, LAID(card));
  feed.take(matchAt(6, { legal_moves: [LAID(2), LAID(3), { type: "pass" }], labels: undefined }));
  await until(() => choosing.choice?.state === "passes" && choosing.choice.version === 6);
  assert.deepEqual(choosing.toSend, [LAID(2)]);
  assert.equal(service.requests("POST", `${PATH}/dry-runs`).at(-1).headers["If-Match"], '"6"');
});
