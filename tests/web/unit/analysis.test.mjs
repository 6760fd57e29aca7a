import assert from "node:assert/strict";
import test from "node:test";
import { decisionAt, filled, mistakeFrom, valueAt } from "../../../web/lib/analysis.js";

const decision = (version, seat, before, after) => ({ version, seat, before, after, made: {}, line: [] });
const FOUND = {
  decisions: [decision(3, 0, 2, 1), decision(5, 1, 4, 4), decision(8, 0, 6, -2)],
  mistakes: [[8, 3], []],
};

test("the bar shows what the position is worth to the followed seat", () => {
  assert.deepEqual(
    [2, 3, 4, 8, 9].map((version) => valueAt(FOUND, 0, version)),
    [0, 2, 1, 6, -2],
  );
  assert.equal(valueAt(FOUND, 1, 9), 4);
});

test("a decision is found at the version of the match before it", () => {
  assert.equal(decisionAt(FOUND, 5).seat, 1);
  assert.equal(decisionAt(FOUND, 6), null);
});

test("half of the bar is filled at a value of 0, and never all of it", () => {
  assert.deepEqual([0, 8, -8].map(filled), [50, 75, 25]);
  assert.ok(filled(1e6) <= 100 && filled(-1e6) >= 0);
});

test("the arrows lead from mistake to mistake in the order of the match", () => {
  const from = (version, way, seat = 0) => mistakeFrom(FOUND, seat, version, way);
  assert.deepEqual([from(1, 1), from(3, 1), from(8, 1)], [3, 8, null]);
  assert.deepEqual([from(9, -1), from(8, -1), from(3, -1)], [8, 3, null]);
  assert.equal(from(1, 1, 1), null);
});
