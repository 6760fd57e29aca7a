import assert from "node:assert/strict";
import { test } from "node:test";
import { apart } from "../../../web/games/europe/apart.js";

const distance = ([ax, ay], [bx, by]) => Math.hypot(ax - bx, ay - by);

test("pieces at the same place are set apart, and stay near it", () => {
  const place = [100, 100];
  const drawn = apart([place, place, place], []);
  for (const [i, one] of drawn.entries()) {
    assert.ok(distance(one, place) <= 17.1);
    for (const other of drawn.slice(i + 1)) assert.ok(distance(one, other) >= 25, `${one} ${other}`);
  }
});

test("a piece goes aside for one that stays, and others are not touched", () => {
  const [aside, alone] = apart(
    [
      [110, 100],
      [300, 300],
    ],
    [[100, 100]],
  );
  assert.ok(distance(aside, [100, 100]) >= 26);
  assert.ok(distance(alone, [300, 300]) < 0.1);
});

test("the same pieces are always drawn at the same places, whatever the arguments were used for", () => {
  const places = [
    [0, 0],
    [5, 0],
  ];
  assert.deepEqual(apart(places, []), apart(structuredClone(places), []));
  assert.deepEqual(places, [
    [0, 0],
    [5, 0],
  ]);
});
