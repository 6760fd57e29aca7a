import assert from "node:assert/strict";
import { test } from "node:test";
import { Service } from "./browser.mjs";
import { eventsOf, patched, pointsOf, read, withViews } from "../../../web/lib/replay.js";

const VIEW = { row: ["a", "b"], seats: [{ coins: 5 }, { coins: 3 }], "a/b": { "c~d": 1 } };
const changed = (path, op, value) => patched(VIEW, path, { op, value });

test("each operation of a patch makes a new view and leaves the old one alone", () => {
  const before = structuredClone(VIEW);
  assert.deepEqual(changed(["seats", "1", "coins"], "replace", 4).seats, [{ coins: 5 }, { coins: 4 }]);
  assert.deepEqual(changed(["row", "1"], "add", "x").row, ["a", "x", "b"]);
  assert.deepEqual(changed(["row", "-"], "add", "x").row, ["a", "b", "x"]);
  assert.deepEqual(changed(["row", "0"], "remove").row, ["b"]);
  assert.deepEqual(changed(["row", "0"], "replace", "x").row, ["x", "b"]);
  assert.deepEqual(Object.keys(changed(["row"], "remove")), ["seats", "a/b"]);
  assert.deepEqual(changed(["new"], "add", 1).new, 1);
  assert.deepEqual(changed([], "replace", 7), 7);
  assert.deepEqual(VIEW, before);
});

test("unchanged parts are shared with the view before, so that boards do not draw them again", () => {
  const [, next] = withViews([
    { version: 1, view: VIEW },
    { version: 2, patch: [{ op: "replace", path: "/seats/0/coins", value: 9 }] },
  ]);
  assert.equal(next.view.row, VIEW.row);
  assert.equal(next.view.seats[1], VIEW.seats[1]);
  assert.deepEqual(next.view.seats[0], { coins: 9 });
  assert.ok(!("patch" in next));
});

test("steps of a pointer are unescaped", () => {
  const [{ view }] = withViews([{ patch: [{ op: "replace", path: "/a~1b/c~0d", value: 2 }] }], VIEW);
  assert.deepEqual(view["a/b"], { "c~d": 2 });
});

test("a position before the start has no view", () => {
  assert.equal(withViews([{ version: 1 }])[0].view, null);
});

test("the facts of a position are events with versions of their own", () => {
  const position = { first: 6, at: "t", by: "ada", facts: [{ type: "one" }, { type: "two" }], texts: ["One.", null] };
  assert.deepEqual(eventsOf(position), [
    { version: 6, at: "t", by: "ada", fact: { type: "one" }, text: "One." },
    { version: 7, at: "t", by: "ada", fact: { type: "two" }, text: null },
  ]);
  assert.ok(!("text" in eventsOf({ ...position, texts: undefined })[0]));
});

test("points are found in the view of any game, for all seats or not at all", () => {
  assert.deepEqual(pointsOf({ round: 1, seats: [{ score: 3 }, { score: -1 }] }, 2), [3, -1]);
  assert.deepEqual(pointsOf({ players: [{ goods: { delivered: 2 } }, { goods: { delivered: 0 } }] }, 2), [2, 0]);
  assert.equal(pointsOf({ seats: [{ score: 3 }, { coins: 1 }] }, 2), null);
  assert.equal(pointsOf({ seats: [{ score: 3 }] }, 2), null);
  assert.equal(pointsOf(null, 2), null);
});

test("a replay is read page by page, until nobody wants it any more", async () => {
  const pages = [
    { positions: [{ version: 1, view: 1 }], next: 2 },
    { positions: [{ version: 2, view: 2 }], next: 3 },
    { positions: [{ version: 3, view: 3 }], next: null },
  ];
  const service = new Service({ "GET /v1/matches/m/positions": ({ query }) => pages[Number(query.get("from")) - 1] });
  const parts = [];
  await read(
    "m",
    "0",
    (part, isLast) => parts.push([part[0].version, isLast]),
    () => false,
  );
  assert.deepEqual(parts, [
    [1, false],
    [2, false],
    [3, true],
  ]);
  assert.equal(service.asked[0].query.get("viewer"), "0");
  parts.length = 0;
  await read(
    "m",
    null,
    (part) => parts.push(part),
    () => parts.length === 1,
  );
  assert.equal(parts.length, 1);
});
