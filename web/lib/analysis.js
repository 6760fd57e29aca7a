// What the analysis of a finished match says about a position.

/**
 * @typedef {import("../types").Analysis} Found
 * @typedef {Found["decisions"][number]} Decision
 */
/** The value at which three quarters of the bar are filled. */
const HALF_WAY = 8;

/** How much of the bar is filled, in percent: half at a value of 0. @param {number} value */
export const filled = (value) => 50 + (50 * value) / (Math.abs(value) + HALF_WAY);

/** The decision that is made at a version of the match. @param {Found} found @param {number} version */
export const decisionAt = (found, version) => found.decisions.find((one) => one.version === version) ?? null;

/**
 * What the position is worth to a seat: as after its last decision, or before the one that it makes here.
 * @param {Found} found
 * @param {number} seat
 * @param {number} version
 */
export function valueAt(found, seat, version) {
  const last = found.decisions.findLast((one) => one.seat === seat && one.version <= version);
  return last ? (last.version === version ? last.before : last.after) : 0;
}

/**
 * The next of the largest mistakes of a seat, or the one before; null if there is none.
 * @param {Found} found
 * @param {number} seat
 * @param {number} version
 * @param {1 | -1} direction
 */
export function mistakeFrom(found, seat, version, direction) {
  const ahead = found.mistakes[seat].filter((one) => (one - version) * direction > 0);
  return ahead.length ? (direction > 0 ? Math.min(...ahead) : Math.max(...ahead)) : null;
}
