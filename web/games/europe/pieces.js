// The pieces of the game, each drawn around its own origin. Colour, shape and letter show the seat.
import { nothing, svg } from "../../boards/lit.js";
import { letterOf, sign } from "../../boards/seats.js";

/** @typedef {{ colour: string, letter: string }} Owner */

/**
 * @param {import("../../types").EuropeContext} context
 * @param {number | null} seat null for the neutral posts
 * @returns {Owner}
 */
export const ownerOf = (context, seat) =>
  seat === null
    ? { colour: "neutral", letter: "–" }
    : { colour: context.view.players[seat].colour, letter: letterOf(seat) };

/** @type {Record<number, number>} How many of the 36 rolls give each number. */
const PIPS = { 2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3, 11: 2, 12: 1 };

/** @param {number} number @param {boolean} token whether it is a token, not printed @param {[number, number]} [at] */
export const numberSign = (
  number,
  token,
  [x, y] = [0, 0],
) => svg`<g class="number ${number === 6 || number === 8 ? "often" : ""}">
  ${
    token ? svg`<circle class="ring" cx=${x} cy=${y} r="22"></circle>` : nothing
  }<circle class="disc" cx=${x} cy=${y} r="18"></circle>
  <text x=${x} y=${y + 5} text-anchor="middle">${number}</text>
    <path class="pips" d=${pips(PIPS[number] ?? 0, x, y + 11.5)}></path></g>`;

/** A row of dots. @param {number} count @param {number} x @param {number} y */
const pips = (count, x, y) =>
  Array.from({ length: count }, (_, i) => `M${(x + (i - (count - 1) / 2) * 4.8).toFixed(1)} ${y.toFixed(1)}h.01`).join(
    "",
  );

/** @param {number} gold @param {[number, number]} [at] */
export const coin = (gold, [x, y] = [0, 0]) =>
  svg`<g class="gold-coin"><circle class="coin-rim" cx=${x} cy=${y} r="10"></circle>
    <circle class="coin-face" cx=${x} cy=${y} r="7.4"></circle>
    <text x=${x} y=${y + 4.6} text-anchor="middle">${gold}</text></g>`;

/** @param {Owner} owner */
export const post = ({ colour, letter }) => svg`<g class="post seat-${colour}">
  <path class="body" d="M-13 13 V-3 L0 -16 L13 -3 V13 Z"></path><path class="roof" d="M-16 -1 L0 -17 L16 -1"></path>
  <text y="9.5" text-anchor="middle">${letter}</text></g>`;

/** @param {Owner} owner */
export const caravan = ({ colour, letter }) => svg`<g class="caravan seat-${colour}">
  <path class="body" d="M-14 5 V-4 Q-14 -14 0 -14 Q14 -14 14 -4 V5 Z"></path>
    <path class="hoops" d="M-7 -12.5 V5 M7 -12.5 V5"></path>
  <circle class="wheel" cx="-8" cy="7.5" r="4.6"></circle><circle class="wheel" cx="8" cy="7.5" r="4.6"></circle>
  <text y="0.5" text-anchor="middle">${letter}</text></g>`;

/** @param {Owner} owner */
export const merchant = ({ colour, letter }) => svg`<g class="merchant seat-${colour}">
  <path class="body" d="M-10 14 Q-10 -2 0 -3 Q10 -2 10 14 Z"></path><circle class="head" cy="-8" r="6"></circle>
  <path class="hat" d="M-10 -10 H10 L5 -13 Q4 -19 0 -19 Q-4 -19 -5 -13 Z"></path>
  <text y="11.5" text-anchor="middle">${letter}</text></g>`;

/** @param {Owner} owner a good that was delivered */
export const crate = ({ colour, letter }) => svg`<g class="crate seat-${colour}">
  <path class="box" d="M-9 -9 H9 V9 H-9 Z"></path><path class="slats" d="M-9 -5.5 H9 M-9 5.5 H9"></path>
    <text y="4.5" text-anchor="middle">${letter}</text></g>`;

export const robber = svg`<g class="robber"><path class="cloak"
  d="M-12 18 Q-12 6 -6 1 A9.5 9.5 0 1 1 6 1 Q12 6 12 18 Z"></path>
  <path class="mask" d="M-6.5 -7 H6.5 V-3.4 H-6.5 Z"></path><circle class="eye" cx="-3" cy="-5.2" r="1.3"></circle>
    <circle class="eye" cx="3" cy="-5.2" r="1.3"></circle></g>`;

/**
 * A route between two points, with the sign of its owner in the middle.
 * @param {Pick<import("./geography.js").Path, "a" | "b" | "at">} path
 * @param {Owner} owner
 */
export const route = (path, owner) => {
  const [ax, ay] = path.a;
  const [bx, by] = path.b;
  const [dx, dy] = [(bx - ax) * 0.17, (by - ay) * 0.17];
  const ends = [ax + dx, ay + dy, bx - dx, by - dy];
  return svg`<g class="route seat-${owner.colour}">
    <line class="edge" x1=${ends[0]} y1=${ends[1]} x2=${ends[2]} y2=${ends[3]}></line>
      <line class="fill" x1=${ends[0]} y1=${ends[1]} x2=${ends[2]} y2=${ends[3]}></line>
    ${sign(owner.colour, owner.letter, path.at, 0.72)}</g>`;
};

const DOTS = [
  [],
  [[0, 0]],
  [
    [-5, -5],
    [5, 5],
  ],
  [
    [-5, -5],
    [0, 0],
    [5, 5],
  ],
  [
    [-5, -5],
    [5, -5],
    [-5, 5],
    [5, 5],
  ],
  [
    [-5, -5],
    [5, -5],
    [0, 0],
    [-5, 5],
    [5, 5],
  ],
  [
    [-5, -6],
    [5, -6],
    [-5, 0],
    [5, 0],
    [-5, 6],
    [5, 6],
  ],
];

/** @param {number} value */
export const die = (
  value,
) => svg`<svg class="die" viewBox="-12 -12 24 24" aria-hidden="true"><rect x="-11" y="-11" width="22" height="22"
  rx="4.5"></rect>
  ${DOTS[value].map(([x, y]) => svg`<circle cx=${x} cy=${y} r="2.2"></circle>`)}</svg>`;

/** @type {Record<string, unknown>} Resources and gold as pictures. */
const TERM_PICTURES = {
  lumber: svg`<path class="log" d="M-10 -1 H7 V7 H-10 Z"></path><circle class="log-end" cx="7" cy="3" r="4"></circle>
    <path class="log" d="M-8 -8 H9 V-1 H-8 Z"></path><circle class="log-end" cx="9" cy="-4.5" r="3.5"></circle>`,
  wool: svg`<path class="fleece" d="M-9 3 a5 5 0 0 1 3 -8 a6 6 0 0 1 11 -1 a5 5 0 0 1 3 8 a5 5 0 0 1 -6 5 h-6 a5 5 0
    0 1 -5 -4 Z"></path><path class="curl" d="M-4 0 q3 -4 5 0 q-1 3 -3 1 M2 3 q3 -3 5 0"></path>`,
  grain: svg`<path class="stalk" d="M0 11 V-4 M0 11 Q-5 4 -6 -2 M0 11 Q5 4 6 -2"></path>
    <path class="ear" d="M0 -12 q4 5 0 10 q-4 -5 0 -10 M-7 -9 q5 3 2 9 q-6 -3 -2 -9 M7 -9 q-5 3 -2 9 q6 -3 2
    -9"></path>`,
  ore: svg`<path class="ore" d="M-10 8 L-7 -4 L-1 -8 L6 -6 L10 3 L7 9 Z"></path>
    <path class="ore-shine" d="M-4 -3 L0 -5 L1 0 L-3 2 Z M3 2 L7 1 L6 6 L2 6 Z"></path>`,
  salt: svg`<path class="sack" d="M-8 10 Q-11 -2 -4 -6 L-6 -10 H6 L4 -6 Q11 -2 8 10 Z"></path>
    <path class="sack-line" d="M-4.5 -6 H4.5"></path><path class="crystal" d="M0 -2 l4 4 -4 4 -4 -4 Z"></path>`,
  gold: svg`<circle class="coin-rim" r="10"></circle><circle class="coin-face" r="7.2"></circle>
    <path class="coin-line" d="M2.6 -2.6 A3.8 3.8 0 1 0 2.6 2.6 V0.4 H0"></path>`,
};

/** @param {string} term */
export const termPicture = (term) =>
  svg`<svg class="term term-${term}" viewBox="-12 -12 24 24" aria-hidden="true">${TERM_PICTURES[term] ?? ""}</svg>`;

/** @param {unknown} piece as a picture of its own */
export const pictureOf = (piece) =>
  svg`<svg class="piece-picture" viewBox="-20 -21 40 42" aria-hidden="true">${piece}</svg>`;
