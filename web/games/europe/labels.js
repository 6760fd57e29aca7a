// Where the names of the cities go, so that none covers another name, a number or a piece.

/** @typedef {{ left: number, top: number, right: number, bottom: number }} Box */
/** @typedef {{ text: string, x: number, y: number, box: Box }} Label */

const FONT = 15;
/** @type {Record<string, number>} */
const WIDE = { m: 0.95, w: 0.9, i: 0.36, l: 0.36, j: 0.36, t: 0.45, r: 0.5, f: 0.42, " ": 0.32 };
/** Left (-1) to right (1) of the city, above (-1) to below (1), and the penalty. */
const ANCHORS = [
  [0, -1, 0],
  [0, 1, 0],
  [1, 0, 0],
  [-1, 0, 0],
  [1, -0.62, 6],
  [-1, -0.62, 6],
  [1, 0.62, 6],
  [-1, 0.62, 6],
  [0.55, -1, 9],
  [-0.55, -1, 9],
  [0.55, 1, 9],
  [-0.55, 1, 9],
];
const ROUNDS = 6;

/** @param {[number, number]} at @param {number} room @returns {Box} */
export const around = ([x, y], room) => ({ left: x - room, top: y - room, right: x + room, bottom: y + room });

/** @param {Box} one @param {Box} other */
function overlap(one, other) {
  const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return wide > 0 && high > 0 ? wide * high : 0;
}

/** @param {string} text */
const widthOf = (text) =>
  [...text].reduce((sum, letter) => sum + (WIDE[letter] ?? (letter === letter.toUpperCase() ? 0.74 : 0.62)), 0) * FONT;

/**
 * Place each name: first at its best position alone, then repeatedly at the best one given all others.
 * @param {{ text: string, at: [number, number] }[]} names
 * @param {Box[]} taken
 * @param {Box} frame
 * @returns {Label[]}
 */
export function placed(names, taken, frame) {
  const choices = names.map(({ text, at }) => candidates(text, at));
  const alone = choices.map((each) => each.map(({ label, dislike }) => cost(label, dislike, taken, frame)));
  const chosen = alone.map((costs) => costs.indexOf(Math.min(...costs)));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, each] of choices.entries()) {
      const full = each.map(({ label }, c) => {
        const others = choices.reduce(
          (sum, other, j) => sum + (j === i ? 0 : overlap(label.box, other[chosen[j]].label.box)),
          0,
        );
        return alone[i][c] + 4 * others;
      });
      chosen[i] = full.indexOf(Math.min(...full));
    }
  }
  return choices.map((each, i) => each[chosen[i]].label);
}

/** @param {string} text @param {[number, number]} at */
const candidates = (text, [x, y]) =>
  ANCHORS.map(([across, down, dislike]) => {
    const wide = widthOf(text);
    const left = x - wide / 2 + across * (wide / 2 + 20);
    const middle = y + down * (16 + FONT / 2 + (Math.abs(across) < 1 ? 2 : 0));
    const box = { left: left - 1, top: middle - FONT / 2, right: left + wide + 1, bottom: middle + FONT / 2 };
    return { label: { text, x: left, y: middle + FONT * 0.34, box }, dislike };
  });

/** @param {Label} label @param {number} dislike @param {Box[]} taken @param {Box} frame */
function cost(label, dislike, taken, frame) {
  const { left, top, right, bottom } = label.box;
  const outside = (right - left) * (bottom - top) - overlap(label.box, frame);
  return dislike + 2 * taken.reduce((sum, box) => sum + overlap(label.box, box), 0) + 10 * outside;
}
