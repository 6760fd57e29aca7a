/**
 * The hex grid under a board, as data/FORMAT.md of the game describes it: hexes stand on a corner and are named `q,r`;
 * a corner is named as the N or S corner of a hex, a side as the E, SE or SW side of a hex.
 */

/** @typedef {[number, number]} Point */

/** @type {Record<string, [number, number, string]>} A corner or side by any name: the step to its hex and its own name there. */
const CORNERS = { N: [0, 0, 'N'], NE: [1, -1, 'S'], SE: [0, 1, 'N'], S: [0, 0, 'S'], SW: [-1, 1, 'N'], NW: [0, -1, 'S'] };
/** @type {Record<string, [number, number, string]>} */
const SIDES = { E: [0, 0, 'E'], SE: [0, 0, 'SE'], SW: [0, 0, 'SW'], W: [-1, 0, 'E'], NW: [0, -1, 'SE'], NE: [1, -1, 'SW'] };
/** @type {Record<string, [string, string]>} */
const ENDS = { E: ['NE', 'SE'], SE: ['SE', 'S'], SW: ['S', 'SW'] };
/** @type {Record<string, [number, number][]>} */
const MEETING = { N: [[0, 0], [0, -1], [1, -1]], S: [[0, 0], [0, 1], [-1, 1]] };

/** The length of a hex side in a drawing. */
export const SIDE = 64;

/**
 * @param {string} text
 * @returns {[number, number, string]}
 */
function parts(text) {
  const [, q, r, where] = /** @type {RegExpExecArray} */ (/^(-?\d+),(-?\d+)([NESW]*)$/.exec(text));
  return [Number(q), Number(r), where];
}

/**
 * @param {number} q
 * @param {number} r
 * @param {[number, number, string]} step
 */
const moved = (q, r, [dq, dr, where]) => `${q + dq},${r + dr}${where}`;

/** @param {string} text @returns {string} the id of a corner */
export const cornerId = (text) => {
  const [q, r, where] = parts(text);
  return moved(q, r, CORNERS[where]);
};

/** @param {string} text @returns {string} the id of a side */
export const sideId = (text) => {
  const [q, r, where] = parts(text);
  return moved(q, r, SIDES[where]);
};

/** @param {string} side @returns {[string, string]} the corners between which it runs */
export const endsOf = (side) => {
  const [q, r, where] = parts(side);
  const [one, other] = ENDS[where];
  return [moved(q, r, CORNERS[one]), moved(q, r, CORNERS[other])];
};

/** @param {string} corner @returns {string[]} the three hexes that meet there */
export const hexesAt = (corner) => {
  const [q, r, where] = parts(corner);
  return MEETING[where].map(([dq, dr]) => `${q + dq},${r + dr}`);
};

/** @param {string} hex @returns {Point} */
export const middleOf = (hex) => {
  const [q, r] = parts(hex);
  return [Math.sqrt(3) * (q + r / 2) * SIDE, 1.5 * r * SIDE];
};

/** @param {string} corner @returns {Point} */
export const pointOf = (corner) => {
  const [q, r, where] = parts(corner);
  const [x, y] = middleOf(`${q},${r}`);
  return [x, where === 'N' ? y - SIDE : y + SIDE];
};

/** @param {Point} one @param {Point} other @param {number} [share] @returns {Point} */
export const between = ([ax, ay], [bx, by], share = 0.5) => [ax + (bx - ax) * share, ay + (by - ay) * share];

/** @param {string} hex @param {number} [size] @returns {string} its outline as path data */
export const outlineOf = (hex, size = SIDE) => {
  const [x, y] = middleOf(hex);
  const turns = [0, 1, 2, 3, 4, 5].map((k) => (k * Math.PI) / 3);
  return `M${turns.map((turn) => `${(x + size * Math.sin(turn)).toFixed(1)} ${(y - size * Math.cos(turn)).toFixed(1)}`).join('L')}Z`;
};
