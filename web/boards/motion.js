/**
 * Motion between two views: what lies somewhere else now glides there, and what is new appears.
 *
 * A piece is an element with `data-piece` (what it is: all workers of a seat are alike) and `data-place` (where it is).
 * A piece that is where one like it was before stays still; the others come from where one like them has vanished.
 */

const DURATION = 450;

/** @typedef {Map<string, Map<string, DOMRect>>} Places  what it is → where it is → its box */

/**
 * Where every piece is now.
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
 * Every piece with its place, in one text each.
 * @param {Element} root
 */
export const placesOf = (root) => new Set([...root.querySelectorAll('[data-piece]')].map(keyOf));

/**
 * Give `data-fresh` to the pieces that were not there before; to none if nothing is known of before.
 * @param {Element} root
 * @param {Set<string> | null} before
 */
export function markNews(root, before) {
  if (!before && !root.querySelector('[data-fresh]')) return;
  for (const element of root.querySelectorAll('[data-piece]')) element.toggleAttribute('data-fresh', Boolean(before) && !before?.has(keyOf(element)));
}

/**
 * Whether motion is welcome.
 * @param {{ reducedMotion: boolean }} context
 */
export const mayMove = (context) =>
  !context.reducedMotion && !matchMedia('(prefers-reduced-motion: reduce)').matches;

/**
 * Show what has changed since.
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
 * The boxes of pieces of a kind that are not at their places any more.
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
 * How many pixels one unit of an element's own drawing takes up.
 * @param {Element} element
 */
function scaleOf(element) {
  if (!(element instanceof SVGGraphicsElement) || element instanceof SVGSVGElement) return 1;
  return element.getScreenCTM()?.a || 1;
}
