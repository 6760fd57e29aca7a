// Zooming and panning the map, by buttons or by dragging.
import { html } from "../../boards/lit.js";

/** @typedef {import("../../types").EuropeBoard} BoardElement */
/** @typedef {import("./geography.js").Geography} Geography */

const STEP = 1.5;
const MOST = 5;
const DRAG = 6;
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
  if (lens(board, map).zoom === 1 || event.button !== 0) return;
  const svg = /** @type {SVGSVGElement} */ (event.currentTarget);
  const box = svg.getBoundingClientRect();
  let [lastX, lastY, far] = [event.clientX, event.clientY, 0];
  const move = (/** @type {PointerEvent} */ to) => {
    far += Math.hypot(to.clientX - lastX, to.clientY - lastY);
    if (far > DRAG) look(board, map, 1, (lastX - to.clientX) / box.width, (lastY - to.clientY) / box.height);
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
