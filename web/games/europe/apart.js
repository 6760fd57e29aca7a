// Pieces around crowded places are set apart: each is pushed from the others, but stays near its place.

/** @typedef {[number, number]} Point */

const NEAR = 29;
const FAR = 17;
const ROUNDS = 12;
/** Pieces at the same place start to different sides of it, by the golden angle. */
const [TURN, ASIDE] = [2.4, 0.01];

/**
 * Where pieces are drawn that belong somewhere.
 * @param {Point[]} places of pieces that can be moved aside
 * @param {Point[]} fixed places of pieces that stay
 * @returns {Point[]}
 */
export function apart(places, fixed) {
  const drawn = places.map(
    ([x, y], i) => /** @type {Point} */ ([x + ASIDE * Math.cos(TURN * i), y + ASIDE * Math.sin(TURN * i)]),
  );
  for (let round = 0; round < ROUNDS; round++)
    drawn.forEach((at, i) => {
      for (const [j, other] of [...drawn, ...fixed].entries()) if (j !== i) push(at, other);
      keepNear(at, places[i]);
    });
  return drawn;
}

/**
 * Move a point away from another one.
 * @param {Point} at
 * @param {Point} from
 */
function push(at, from) {
  const [dx, dy] = [at[0] - from[0], at[1] - from[1]];
  const far = Math.hypot(dx, dy);
  if (far >= NEAR) return;
  const step = (NEAR - far) / 2 / far;
  at[0] += dx * step;
  at[1] += dy * step;
}

/** @param {Point} at @param {Point} place */
function keepNear(at, place) {
  const [dx, dy] = [at[0] - place[0], at[1] - place[1]];
  const far = Math.hypot(dx, dy);
  if (far <= FAR) return;
  at[0] = place[0] + (dx / far) * FAR;
  at[1] = place[1] + (dy / far) * FAR;
}
