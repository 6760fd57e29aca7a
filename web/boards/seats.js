// How seats are distinguished: by colour, shape and letter, never by colour alone.
import { svg } from "./lit.js";
import { moved } from "./outline.js";

/** The colours, each with its shape. CSS defines their values: `.seat-red` and so on. */
export const COLOURS = ["red", "blue", "white", "orange", "green"];

/** @type {Record<string, string>} Shapes around the origin, about 20 units wide. */
const SHAPES = {
  red: "M0 -10 A10 10 0 1 1 -0.01 -10 Z",
  blue: "M-9 -7 Q-9 -9 -7 -9 H7 Q9 -9 9 -7 V7 Q9 9 7 9 H-7 Q-9 9 -9 7 Z",
  white:
    "M0 -11.5 Q1 -11.5 1.6 -10.4 L11 6.6 Q11.4 8.4 9.8 8.8 H-9.8 Q-11.4 8.4 -11 6.6 L-1.6 -10.4 Q-1 -11.5 0 -11.5 Z",
  orange: "M0 -11.5 L11.5 0 L0 11.5 L-11.5 0 Z",
  green: "M0 -11 L9.5 -5.5 V5.5 L0 11 L-9.5 5.5 V-5.5 Z",
};

/**
 * The colour of a seat: the one in the view, or else the one of its number.
 * @param {number} seat
 * @param {import("../types").View | null} [view]
 * @returns {string}
 */
export const colourOf = (seat, view = null) => {
  const { players } = /** @type {{players?: {colour?: string}[]}} */ (view ?? {});
  return players?.[seat]?.colour ?? COLOURS[seat % COLOURS.length];
};

/**
 * The letter of a seat, as the page shows it beside the names.
 * @param {number} seat
 */
export const letterOf = (seat) => "ABCDE"[seat] ?? String(seat + 1);

/**
 * The sign of a seat in an SVG, around the origin or somewhere else.
 * @param {string} colour
 * @param {string} letter
 * @param {[number, number]} [at]
 * @param {number} [scale]
 */
export const sign = (colour, letter, at = [0, 0], scale = 1) => svg`
  <g class="sign seat-${colour}">
    <path d=${scale === 1 && !at[0] && !at[1] ? SHAPES[colour] : moved(SHAPES[colour], at, scale)}></path>
    <text x=${at[0]} y=${at[1] + scale * (colour === "white" ? 6.5 : 4.5)} text-anchor="middle">${letter}</text>
  </g>`;

/**
 * The sign of a seat as a picture of its own, beside a name that says the same.
 * @param {string} colour
 * @param {string} letter
 */
export const seatMark = (colour, letter) => svg`
  <svg class="seat-mark" viewBox="-13 -13 26 26" aria-hidden="true">${sign(colour, letter)}</svg>`;
