// The five goods as cubes: each with a colour and a picture of its own.
import { html, nothing, svg } from "../../boards/lit.js";
import { heading } from "../../boards/context.js";

export const GOODS = ["coffee", "tea", "saffron", "rubber", "carpet"];

/** Pictures on the front of a cube, about 10 units wide, around the origin. */
const PICTURES = {
  coffee: svg`<ellipse rx="5.4" ry="3.9" transform="rotate(-35)"></ellipse>
    <path class="line" d="M-3.9 2.9 Q-0.6 1.6 -0.2 -0.4 Q0.4 -2 3.9 -2.9"></path>`,
  tea: svg`<path d="M-5 4 Q-5 -4.5 5 -5 Q5 4.5 -5 4 Z"></path><path class="line" d="M-5 4 L3 -3.2"></path>`,
  saffron: svg`<path d="M0 5.5 Q-5.8 2 -4.8 -4 Q-2.4 -3.4 -1.7 -1.6 Q-1.6 -4.2 0 -5.8 Q1.6 -4.2 1.7 -1.6 Q2.4 -3.4
    4.8 -4 Q5.8 2 0 5.5 Z"></path>`,
  rubber: svg`<path d="M0 -6 Q4.6 -0.4 4.6 2 A4.6 4.2 0 0 1 -4.6 2 Q-4.6 -0.4 0 -6 Z"></path>
    <path class="line" d="M-2.2 2.4 Q-2 4 -0.4 4.5"></path>`,
  carpet: svg`<path d="M-5 -4.5 H5 V4.5 H-5 Z"></path>
    <path class="line" d="M0 -3.4 L3.6 0 L0 3.4 L-3.6 0 Z M-5 -6 V-4.5 M-2.5 -6 V-4.5 M0 -6 V-4.5 M2.5 -6 V-4.5 M5 -6
    V-4.5 M-5 4.5 V6 M-2.5 4.5 V6 M0 4.5 V6 M2.5 4.5 V6 M5 4.5 V6"></path>`,
};

/**
 * A cube around the origin of an SVG, 22 units wide.
 * @param {string} good
 */
export const cubeShape = (good) => svg`
  <g class="cube good-${good}">
    <path class="top" d="M-11 -6 L-6 -11 H11 L6 -6 Z"></path>
    <path class="side" d="M6 -6 L11 -11 V6 L6 11 Z"></path>
    <path class="front" d="M-11 -6 H6 V11 H-11 Z"></path>
    <g class="picture" transform="translate(-2.5 2.5)">${PICTURES[/** @type {keyof typeof PICTURES} */ (good)]}</g>
  </g>`;

/**
 * A cube as a picture of its own.
 * @param {import("../../types").SpeicherstadtContext} context
 * @param {string} good
 * @param {string} [place] where it is, if it may glide from or to there
 */
export const cube = (context, good, place) =>
  html`<svg
    class="cube-picture"
    viewBox="-12.5 -12.5 25 25"
    role="img"
    aria-label=${heading(context, good)}
    data-piece=${place ? `cube ${good}` : nothing}
    data-place=${place ?? nothing}
  >
    <title>${heading(context, good)}</title>
    ${cubeShape(good)}
  </svg>`;

/** @param {import("../../types").SpeicherstadtContext} context @param {string | null} good */
export const emptyPlace = (context, good) =>
  html`<svg
    class="cube-picture vacant"
    viewBox="-12.5 -12.5 25 25"
    role="img"
    aria-label=${good ? context.t("open_for", { good: heading(context, good) }) : context.t("empty")}
  >
    <rect x="-10.5" y="-10.5" width="21" height="21" rx="3"></rect>
    ${good ? svg`<g class="picture good-${good}">${PICTURES[/** @type {keyof typeof PICTURES} */ (good)]}</g>` : ""}
  </svg>`;

/**
 * The goods of a collection in the order of GOODS, so that pictures keep their place.
 * @param {string[]} goods
 */
export const sorted = (goods) => [...goods].sort((one, other) => GOODS.indexOf(one) - GOODS.indexOf(other));
