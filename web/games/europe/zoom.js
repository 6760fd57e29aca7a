// Zooming and panning the map: by buttons, by dragging, and with two fingers.
import { html } from "../../boards/lit.js";

/** @typedef {import("../../types").EuropeBoard} BoardElement */
/** @typedef {import("./geography.js").Geography} Geography */

const STEP = 1.5;
const MOST = 5;
const DRAG = 6;
/** How many pixels a unit of the map has where all can be read, and below which names are not shown. */
const LEGIBLE = 0.64;
const SMALL = 0.5;
/** Whether two fingers are on the map. */
let pinching = false;
/**
 * The buttons that move the map: name, sign, and how far, as fractions of the visible part.
 * @type {[string, string, number, number][]}
 */
const PANS = [
  ["pan_left", "←", -0.3, 0],
  ["pan_right", "→", 0.3, 0],
  ["pan_up", "↑", 0, -0.3],
  ["pan_down", "↓", 0, 0.3],
];

/** @param {BoardElement} board @param {Geography} map @returns {{ zoom: number, x: number, y: number }} */
function lens(board, map) {
  const [x, y, width, height] = map.frame;
  return board.local.lens ?? { zoom: 1, x: x + width / 2, y: y + height / 2 };
}

/** @param {BoardElement} board @param {Geography} map */
export function viewBox(board, map) {
  const { zoom, x, y } = lens(board, map);
  const [, , width, height] = map.frame;
  return [x - width / zoom / 2, y - height / zoom / 2, width / zoom, height / zoom]
    .map((value) => value.toFixed(1))
    .join(" ");
}

/**
 * @param {BoardElement} board
 * @param {Geography} map
 * @param {number} factor
 * @param {number} [dx] as a fraction of the visible part
 * @param {number} [dy]
 */
function look(board, map, factor, dx = 0, dy = 0) {
  const [left, top, width, height] = map.frame;
  const now = lens(board, map);
  const zoom = Math.min(MOST, Math.max(1, now.zoom * factor));
  const [halfWide, halfHigh] = [width / zoom / 2, height / zoom / 2];
  const x = Math.min(left + width - halfWide, Math.max(left + halfWide, now.x + (dx * width) / now.zoom));
  const y = Math.min(top + height - halfHigh, Math.max(top + halfHigh, now.y + (dy * height) / now.zoom));
  board.update({ lens: { zoom, x, y } });
}

/**
 * Measure the map, so that places to touch and names have a size on the screen (map.css). On a small screen it begins
 * with the user's own posts.
 * @param {BoardElement} board
 * @param {Geography} map
 */
export function measure(board, map) {
  const scale = /** @type {SVGSVGElement | null} */ (board.querySelector("svg.map"))?.getScreenCTM()?.a;
  if (!scale) return;
  board.style.setProperty("--unit", (1 / scale).toFixed(2));
  board.toggleAttribute("data-small", scale < SMALL);
  const { posts } = board.context.view;
  const own = Object.keys(posts).filter((city) => posts[city].owner === board.context.you);
  if (board.local.lens || scale >= SMALL || board.context.you === null || !own.length) return;
  const [left, top, width, height] = map.frame;
  const middle = (/** @type {0 | 1} */ axis) =>
    own.reduce((sum, city) => sum + map.cities[city].at[axis], 0) / own.length;
  look(board, map, LEGIBLE / scale, (middle(0) - left) / width - 0.5, (middle(1) - top) / height - 0.5);
}

/** @param {TouchEvent} event where two fingers are, and how far apart */
function fingers({ touches: [one, other] }) {
  const [dx, dy] = [one.clientX - other.clientX, one.clientY - other.clientY];
  return { x: one.clientX - dx / 2, y: one.clientY - dy / 2, apart: Math.hypot(dx, dy) || 1 };
}

/**
 * The touch handler of the map: two fingers zoom and move it; one finger scrolls the page.
 * @param {BoardElement} board
 * @param {Geography} map
 */
export const pinched = (board, map) => ({
  passive: false,
  handleEvent(/** @type {TouchEvent} */ start) {
    if (start.touches.length !== 2) return;
    start.preventDefault();
    const svg = /** @type {SVGSVGElement} */ (start.currentTarget);
    const box = svg.getBoundingClientRect();
    let last = fingers(start);
    pinching = true;
    const move = (/** @type {TouchEvent} */ event) => {
      if (event.touches.length !== 2) return;
      event.preventDefault();
      const now = fingers(event);
      const factor = now.apart / last.apart;
      const around = (/** @type {number} */ at) => (at - 0.5) * (1 - 1 / factor);
      const dx = (last.x - now.x) / box.width + around((now.x - box.x) / box.width);
      const dy = (last.y - now.y) / box.height + around((now.y - box.y) / box.height);
      look(board, map, factor, dx, dy);
      last = now;
    };
    const stop = () => {
      pinching = false;
      svg.removeEventListener("touchmove", move);
    };
    svg.addEventListener("touchmove", move, { passive: false });
    for (const end of ["touchend", "touchcancel"]) svg.addEventListener(end, stop, { once: true });
  },
});

/** @param {BoardElement} board @param {Geography} map */
export function zoomButtons(board, map) {
  const { t } = board.context;
  const { zoom } = lens(board, map);
  const button = (
    /** @type {string} */ name,
    /** @type {string} */ text,
    /** @type {() => void} */ press,
    /** @type {boolean} */ off,
  ) =>
    html`<button
      type="button"
      class="zoom-button ${name}"
      aria-label=${t(name)}
      title=${t(name)}
      ?disabled=${off}
      @click=${press}
    >
      ${text}
    </button>`;
  return html`<div class="zoom" role="group" aria-label=${t("zoom")}>
    ${button("zoom_in", "+", () => look(board, map, STEP), zoom >= MOST)}
    ${button("zoom_out", "−", () => look(board, map, 1 / STEP), zoom <= 1)}
    ${zoom > 1 ? PANS.map(([name, text, dx, dy]) => button(name, text, () => look(board, map, 1, dx, dy), false)) : ""}
  </div>`;
}

/**
 * The pointer handler of the map: while it is enlarged, dragging pans it. A drag is not a click.
 * @param {BoardElement} board
 * @param {Geography} map
 * @returns {(event: PointerEvent) => void}
 */
export const panned = (board, map) => (event) => {
  if (lens(board, map).zoom === 1 || event.button !== 0 || !event.isPrimary) return;
  const svg = /** @type {SVGSVGElement} */ (event.currentTarget);
  const box = svg.getBoundingClientRect();
  let [lastX, lastY, far] = [event.clientX, event.clientY, 0];
  const move = (/** @type {PointerEvent} */ to) => {
    far += Math.hypot(to.clientX - lastX, to.clientY - lastY);
    if (far > DRAG && !pinching)
      look(board, map, 1, (lastX - to.clientX) / box.width, (lastY - to.clientY) / box.height);
    [lastX, lastY] = [to.clientX, to.clientY];
  };
  const stop = () => {
    removeEventListener("pointermove", move);
    if (far <= DRAG) return;
    const swallow = (/** @type {Event} */ click) => click.stopPropagation();
    svg.addEventListener("click", swallow, { capture: true });
    setTimeout(() => svg.removeEventListener("click", swallow, { capture: true }));
  };
  addEventListener("pointermove", move);
  addEventListener("pointerup", stop, { once: true });
  addEventListener("pointercancel", stop, { once: true });
};
