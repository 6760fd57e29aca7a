// Motion between two views: pieces that moved glide to their new place, and new pieces appear.
//
// A piece is an element with `data-piece` (its kind: all workers of a seat are the same kind) and `data-place` (its
// place).
// A piece stays still if its place held one of its kind before; the others come from a place that one of their kind
// has left.

const DURATION = 450;
/** How much longer a way takes for each point on it, and the longest one. */
const PER_POINT = 150;
const MOST = 900;

/** @param {Element} root @returns {HTMLElement[]} */
const pieces = (root) =>
  [...root.querySelectorAll("[data-piece]")].map((element) => /** @type {HTMLElement} */ (element));

/** @param {HTMLElement} element */
const keyOf = ({ dataset: { piece = "", place = "" } }) => `${piece} at ${place}`;

/**
 * Every piece with its place, as one string each.
 * @param {Element} root
 */
export const placesOf = (root) => new Set(pieces(root).map(keyOf));

/** @param {Element} root */
export const boxesOf = (root) =>
  pieces(root).map((element) => ({
    kind: element.dataset.piece,
    key: keyOf(element),
    box: element.getBoundingClientRect(),
  }));

/**
 * Set `data-fresh` on the pieces that were not there before; on none if the earlier pieces are unknown.
 * @param {Element} root
 * @param {Set<string> | null} before
 */
export function markNews(root, before) {
  if (!before && !root.querySelector("[data-fresh]")) return;
  for (const element of pieces(root))
    element.toggleAttribute("data-fresh", Boolean(before) && !before?.has(keyOf(element)));
}

/** @typedef {{piece: string, points: [number, number][]}} Way the way of a piece, in the coordinates of its picture */

/**
 * Animate the pieces that have moved or appeared.
 * @param {Element} root
 * @param {ReturnType<typeof boxesOf>} before
 * @param {Way | null} [way] along which one of them goes
 */
export function glide(root, before, way = null) {
  const then = new Set(before.map(({ key }) => key));
  const now = placesOf(root);
  const left = before.filter(({ key }) => !now.has(key));
  for (const element of pieces(root).filter((one) => !then.has(keyOf(one)))) {
    const origin = left.findIndex(({ kind }) => kind === element.dataset.piece);
    if (origin < 0) appear(element);
    else move(element, left.splice(origin, 1)[0].box, element.dataset.piece === way?.piece ? way?.points : []);
  }
}

/** @param {Element} element @param {DOMRect} origin @param {[number, number][]} [points] between here and there */
function move(element, origin, points = []) {
  const box = element.getBoundingClientRect();
  const scale = scaleOf(element);
  const [dx, dy] = [(origin.x - box.x) / scale, (origin.y - box.y) / scale];
  if (Math.hypot(dx, dy) < 2) return;
  const [endX, endY] = points[points.length - 1] ?? [0, 0];
  const between = points.slice(0, -1).map(([px, py]) => [px - endX, py - endY]);
  const frames = [[dx, dy], ...between].map(([tx, ty]) => ({ transform: `translate(${tx}px, ${ty}px)` }));
  element.animate([...frames, { transform: "none" }], {
    duration: Math.min(DURATION + PER_POINT * between.length, MOST),
    easing: "cubic-bezier(.3, .7, .2, 1)",
  });
}

/** @param {Element} element */
function appear(element) {
  element.animate([{ opacity: 0 }, { opacity: 1 }], { duration: DURATION, easing: "ease-out" });
}

/**
 * The number of pixels of one unit in an element's own coordinates.
 * @param {Element} element
 */
function scaleOf(element) {
  if (!(element instanceof SVGGraphicsElement) || element instanceof SVGSVGElement) return 1;
  return element.getScreenCTM()?.a || 1;
}
