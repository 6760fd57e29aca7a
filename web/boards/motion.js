/**
 * Motion between two views: pieces that moved glide to their new place, and new pieces appear.
 *
 * A piece is an element with `data-piece` (its kind: all workers of a seat are the same kind) and `data-place` (its place).
 * A piece stays still if its place held one of its kind before; the others come from a place that one of their kind has left.
 */

const DURATION = 450;

/** @typedef {Map<string, Map<string, DOMRect>>} Places  kind → place → its box */

/**
 * The boxes of all pieces now.
 * @param {Element} root
 * @returns {Places}
 */
export function places(root) {
  /** @type {Places} */
  const found = new Map();
  for (const element of root.querySelectorAll('[data-piece]')) {
    const { piece = '', place = '' } = /** @type {HTMLElement} */ (element).dataset;
    if (!found.has(piece)) found.set(piece, new Map());
    found.get(piece)?.set(place, element.getBoundingClientRect());
  }
  return found;
}

/** @param {Element} element */
const keyOf = (element) => {
  const { piece = '', place = '' } = /** @type {HTMLElement} */ (element).dataset;
  return `${piece} at ${place}`;
};

/**
 * Every piece with its place, as one string each.
 * @param {Element} root
 */
export const placesOf = (root) => new Set([...root.querySelectorAll('[data-piece]')].map(keyOf));

/**
 * Set `data-fresh` on the pieces that were not there before; on none if the earlier pieces are unknown.
 * @param {Element} root
 * @param {Set<string> | null} before
 */
export function markNews(root, before) {
  if (!before && !root.querySelector('[data-fresh]')) return;
  for (const element of root.querySelectorAll('[data-piece]')) element.toggleAttribute('data-fresh', Boolean(before) && !before?.has(keyOf(element)));
}

/**
 * Whether motion is allowed.
 * @param {{ reducedMotion: boolean }} context
 */
export const mayMove = (context) =>
  !context.reducedMotion && !matchMedia('(prefers-reduced-motion: reduce)').matches;

/**
 * Animate the pieces that have moved or appeared since `before`.
 * @param {Element} root
 * @param {Places} before
 */
export function glide(root, before) {
  const left = new Map([...before].map(([piece, boxes]) => [piece, vanished(root, piece, boxes)]));
  for (const element of root.querySelectorAll('[data-piece]')) {
    const { piece = '', place = '' } = /** @type {HTMLElement} */ (element).dataset;
    if (before.get(piece)?.has(place)) continue;
    const origin = left.get(piece)?.shift();
    if (origin) move(element, origin);
    else appear(element);
  }
}

/**
 * The boxes of pieces of a kind that have left their places.
 * @param {Element} root
 * @param {string} piece
 * @param {Map<string, DOMRect>} boxes
 */
function vanished(root, piece, boxes) {
  const now = [...root.querySelectorAll(`[data-piece="${CSS.escape(piece)}"]`)];
  const there = new Set(now.map((element) => /** @type {HTMLElement} */ (element).dataset.place ?? ''));
  return [...boxes].filter(([place]) => !there.has(place)).map(([, box]) => box);
}

/**
 * @param {Element} element
 * @param {DOMRect} origin
 */
function move(element, origin) {
  const box = element.getBoundingClientRect();
  const scale = scaleOf(element);
  const [dx, dy] = [(origin.x - box.x) / scale, (origin.y - box.y) / scale];
  if (Math.hypot(dx, dy) < 2) return;
  element.animate([{ transform: `translate(${dx}px, ${dy}px)` }, { transform: 'none' }], {
    duration: DURATION,
    easing: 'cubic-bezier(.3, .7, .2, 1)',
  });
}

/** @param {Element} element */
function appear(element) {
  element.animate([{ opacity: 0 }, { opacity: 1 }], { duration: DURATION, easing: 'ease-out' });
}

/**
 * The number of pixels of one unit in an element's own coordinates.
 * @param {Element} element
 */
function scaleOf(element) {
  if (!(element instanceof SVGGraphicsElement) || element instanceof SVGSVGElement) return 1;
  return element.getScreenCTM()?.a || 1;
}
