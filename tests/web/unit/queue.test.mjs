import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { Service, clearStorage, silence, until } from "./browser.mjs";
import { Listener, MATCH, loaded, matchAt } from "./matches.mjs";
import { MatchFeed } from "../../../web/lib/match_feed.js";
import { PACES, Queue, budgetOf, mixed, stepsOf } from "../../../web/lib/queue.js";
import { settings } from "../../../web/lib/settings.js";
import { Staging, timeLeft } from "../../../web/pages/parts/staging.js";

const RULES = {
  rolled: { weight: 2, parts: ["dice"], big: true, chance: true },
  paid: {
    weight: 1,
    parts: ["seats.coins"],
    changes: ({ seat, by }) => [{ seat, of: "coins", by }],
    at: ({ seat }) => [`.seat-${seat}`],
  },
  noted: { weight: 0, parts: ["note"] },
};
const seats = (...coins) => coins.map((count) => ({ coins: count, name: "x" }));
const BEFORE = { dice: null, note: 1, seats: seats(5, 5) };
const AFTER = { dice: [3, 4], note: 2, seats: seats(4, 7) };
const position = (seat, facts, more = {}) => ({
  ...{ version: 4 + facts.length, first: 5, at: "t", by: "ben", seat, facts },
  ...{ texts: facts.map(({ type }) => (type === "noted" ? null : type)), to_act: [0], view: AFTER, ...more },
});
const ROLL = position(1, [{ type: "rolled", seat: 1 }, { type: "paid", seat: 0, by: -1 }, { type: "noted" }]);
const steps = (positions, you = 0, before = BEFORE) =>
  stepsOf(positions, before, { rules: RULES, you, tell: ({ text }) => text ?? null });

test("each fact is a step, which shows the parts of the view that it changes, and the last one the whole", () => {
  const [rolled, paid, noted] = steps([ROLL]);
  assert.deepEqual(rolled.view, { dice: [3, 4], note: 1, seats: seats(5, 5) });
  assert.deepEqual(paid.view, { dice: [3, 4], note: 1, seats: seats(4, 7) });
  assert.equal(noted.view, AFTER);
  assert.deepEqual(
    [rolled, paid, noted].map(({ version, weight, text }) => [version, weight, text]),
    [
      [5, 2, "rolled"],
      [6, 1, "paid"],
      [7, 0, ""],
    ],
  );
  assert.deepEqual([rolled.big, paid.big], [true, false]);
  assert.deepEqual(paid.at, [".seat-0"]);
});

test("parts that a fact does not change are shared with the view before, so that they are not drawn again", () => {
  const view = mixed(BEFORE, { ...AFTER, seats: seats(5, 7) }, ["seats.coins"]);
  assert.equal(view.seats[0], BEFORE.seats[0]);
  assert.deepEqual(view.seats[1], { coins: 7, name: "x" });
  assert.equal(view.note, 1);
});

test("what the reader loses by the act of another is a loss; what it pays by its own act is none", () => {
  assert.deepEqual(
    steps([ROLL]).map(({ loss }) => loss),
    [false, true, false],
  );
  assert.deepEqual(
    steps([ROLL], 1).map(({ loss }) => loss),
    [false, false, false],
  );
  assert.deepEqual(
    steps([ROLL], null).map(({ loss }) => loss),
    [false, false, false],
  );
  assert.equal(steps([position(0, [{ type: "paid", seat: 0, by: -1 }])])[0].loss, false);
});

test("the reader's own act takes little time, but chance as long as for everybody", () => {
  const own = [
    { type: "paid", seat: 0, by: -1 },
    { type: "paid", seat: 1, by: 1 },
  ];
  assert.deepEqual(
    steps([position(0, own)]).map(({ weight }) => weight),
    [0.4, 1],
  );
  assert.deepEqual(
    steps([position(0, [{ type: "rolled" }])]).map(({ weight, big }) => [weight, big]),
    [[2, true]],
  );
});

test("facts that the game does not know are ordinary steps; the first view of a match is shown whole", () => {
  const [unknown] = steps([position(1, [{ type: "new" }, { type: "rolled" }])], 0, null);
  assert.deepEqual([unknown.weight, unknown.view], [1, AFTER]);
});

test("a running clock allows a twentieth of its time, and nobody waits longer than the pace allows", () => {
  assert.equal(budgetOf("normal", null), 20_000);
  assert.equal(budgetOf("slow", null), 40_000);
  assert.equal(budgetOf("normal", 60_000), 3000);
  assert.equal(budgetOf("normal", -5), 0);
  assert.equal(budgetOf("instant", null), 0);
  const clock = (deadline) => ({ received: 1000, seats: [{ remaining_ms: 9000, deadline }] });
  assert.equal(timeLeft({ you: 0, clock: clock("t") }, 3000), 7000);
  assert.equal(timeLeft({ you: 0, clock: clock(null) }, 3000), null);
  assert.equal(timeLeft({ you: null, clock: clock("t") }, 3000), null);
});

/** A queue that notes when it shows what; time is the number of milliseconds that timers were set to. */
function queueWith(unit) {
  const shown = [];
  const timers = [];
  const { setTimeout: real } = globalThis;
  globalThis.setTimeout = (act, ms) => timers.push({ act, ms });
  const queue = new Queue({ unit: () => unit, change: () => shown.push(queue.current?.text ?? null) });
  const pass = () => timers.shift().act();
  return { queue, shown, timers, pass, restore: () => (globalThis.setTimeout = real) };
}
let running = null;
afterEach(() => running?.restore());

test("steps are shown one after the other, each as long as it weighs", () => {
  running = queueWith(PACES.normal);
  const { queue, shown, timers, pass } = running;
  queue.add(steps([ROLL]));
  assert.deepEqual([shown, timers[0].ms, queue.left], [["rolled"], 1300, 1]);
  pass();
  assert.deepEqual([shown, timers[0].ms], [["rolled", "paid"], 650]);
  pass();
  assert.deepEqual(shown, ["rolled", "paid", null]);
  assert.equal(queue.current, null);
});

test("what comes meanwhile is shown afterwards, and everything faster if there is little time", () => {
  running = queueWith(PACES.normal);
  const { queue, shown, timers, pass } = running;
  queue.add(steps([ROLL]));
  queue.add(steps([ROLL]), 2080);
  assert.deepEqual(shown, ["rolled"]);
  pass();
  assert.deepEqual([timers[0].ms, queue.left], [520, 2]);
  for (let step = 0; step < 3; step++) pass();
  assert.deepEqual(shown, ["rolled", "paid", "rolled", "paid", null]);
});

test("with too little time to follow, or at once, nothing is shown", () => {
  for (const [unit, budget] of [
    [PACES.normal, 100],
    [PACES.instant, Infinity],
  ]) {
    running = queueWith(unit);
    running.queue.add(steps([ROLL]), budget);
    assert.deepEqual([running.shown, running.timers], [[null], []]);
    running.restore();
  }
});

test("a click shows everything at once", () => {
  running = queueWith(PACES.slow);
  running.queue.add(steps([ROLL, ROLL]));
  running.queue.skip();
  assert.deepEqual([running.shown, running.queue.left], [["rolled", null], 0]);
});

test("nobody waits for the end of a queue in which nothing happens, such as an act of the reader's own", () => {
  running = queueWith(PACES.normal);
  running.queue.add(steps([position(0, [{ type: "paid", seat: 0, by: -1 }, { type: "noted" }])]));
  assert.deepEqual([running.shown, running.timers], [[null], []]);
});

// --- a match

const PATH = `/v1/matches/${MATCH}`;
const open = [];
let told;

/** A page of a match at version 5 whose service knows the positions after it. */
function stageWith(positions = []) {
  const service = new Service({
    [`GET ${PATH}/events`]: silence,
    [`GET ${PATH}/positions`]: { positions, next: null },
  });
  const feed = new MatchFeed(loaded(matchAt(5)), new Listener());
  const stage = new Staging(feed, { steps: RULES }, () => told.push(stage.step?.text ?? null));
  feed.listener = { change: () => stage.follow(), news() {}, fail: assert.fail };
  open.push(feed, stage);
  return { feed, stage, service };
}
const told_by = (by, version, type) => ({ version, at: "t", by, fact: { type, seat: 1, by: 1 }, text: type });
const byHouse = (version, facts) => ({
  ...position(1, facts, { version, first: version - facts.length + 1 }),
  by: "house",
});

beforeEach(() => {
  clearStorage();
  told = [];
  settings.pace = "normal";
});
afterEach(() => {
  open.splice(0).forEach((one) => one.close());
  document.visibilityState = "visible";
});

test("moves of house bots are loaded position by position; legal moves wait, clocks don't", async () => {
  const { feed, stage, service } = stageWith([
    byHouse(6, [{ type: "rolled" }]),
    byHouse(7, [{ type: "paid", seat: 1, by: 1 }]),
  ]);
  const before = stage.match;
  for (const [version, type] of [
    [6, "rolled"],
    [7, "paid"],
  ])
    feed.add([told_by("house", version, type)]);
  feed.take(matchAt(7, { clock: { kind: "bank", seats: [] } }));
  assert.ok(stage.behind);
  assert.equal(stage.match, before);
  await until(() => stage.step);
  const [{ query }] = service.requests("GET", `${PATH}/positions`);
  assert.deepEqual([query.get("from"), query.get("to")], ["6", "7"]);
  assert.deepEqual(stage.match.legal_moves, []);
  assert.equal(stage.match.clock.kind, "bank");
  await until(() => !stage.behind);
  assert.deepEqual(told.filter(Boolean), ["rolled", "paid"]);
  assert.equal(stage.match, feed.match);
  assert.deepEqual(
    stage.list.map(({ text }) => text),
    ["rolled", "paid"],
  );
});

test("one command of a player needs no request, and the reader's own starts the list again", async () => {
  const { feed, stage, service } = stageWith();
  feed.add([told_by("ben", 6, "rolled")]);
  feed.take(matchAt(6, { view: AFTER }));
  assert.equal(stage.step.text, "rolled");
  await until(() => !stage.behind);
  feed.take({ ...matchAt(7), first: 7, facts: [{ type: "paid", seat: 0, by: -1 }], texts: ["paid"], receipt: {} });
  assert.equal(stage.behind, false);
  assert.deepEqual(
    stage.list.map(({ text, loss }) => [text, loss]),
    [["paid", false]],
  );
  assert.equal(service.requests("GET", `${PATH}/positions`).length, 0);
});

test("who wants less motion, or looks elsewhere, gets the list at once", () => {
  const { matchMedia } = globalThis;
  for (const calm of [
    () => (globalThis.matchMedia = () => ({ matches: true })),
    () => (document.visibilityState = "hidden"),
  ]) {
    calm();
    const { feed, stage } = stageWith();
    for (const [version, type] of [
      [6, "rolled"],
      [7, "paid"],
    ])
      feed.add([told_by("house", version, type)]);
    feed.take(matchAt(7));
    assert.equal(stage.behind, false);
    assert.deepEqual(
      stage.list.map(({ text }) => text),
      ["rolled", "paid"],
    );
    globalThis.matchMedia = matchMedia;
  }
});

test("without a connection the newest position is shown, and what happened is named", async () => {
  const { feed, stage, service } = stageWith();
  service.answers[`GET ${PATH}/positions`] = () => Promise.reject(new TypeError("offline"));
  for (const [version, type] of [
    [6, "rolled"],
    [7, "paid"],
  ])
    feed.add([told_by("house", version, type)]);
  feed.take(matchAt(7));
  await until(() => !stage.behind);
  assert.equal(stage.match, feed.match);
  assert.deepEqual(
    stage.list.map(({ text }) => text),
    ["rolled", "paid"],
  );
});

test("a match that ends is shown as over only when its end was shown", async () => {
  const { feed, stage } = stageWith([byHouse(6, [{ type: "rolled" }]), byHouse(7, [{ type: "paid", seat: 1, by: 1 }])]);
  for (const [version, type] of [
    [6, "rolled"],
    [7, "paid"],
  ])
    feed.add([told_by("house", version, type)]);
  feed.take(matchAt(7, { status: "finished", result: { places: [1, 2] } }));
  await until(() => stage.step);
  assert.deepEqual([stage.match.status, stage.match.result], ["running", null]);
  await until(() => !stage.behind);
  assert.equal(stage.match.status, "finished");
});
