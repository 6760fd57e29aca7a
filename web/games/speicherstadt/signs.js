// Small pictures: coins, workers, seasons, and the symbols of cards in a tableau.
import { html, svg } from "../../boards/lit.js";
import { colourOf, letterOf, sign } from "../../boards/seats.js";

/** @typedef {import("../../types").SpeicherstadtContext} Context */

export const coin = html`<svg class="coin" viewBox="-12 -12 24 24" aria-hidden="true">
  <circle class="coin-rim" r="10.5"></circle>
  <circle class="coin-face" r="7.5"></circle>
  <path class="coin-line" d="M0 -4.5 V4.5 M-2.5 -2.5 H1.8 M-2.5 2.5 H1.8"></path>
</svg>`;

/** The metal coin that marks the first player. It is not money. */
export const metalCoin = html`<svg class="metal-coin" viewBox="-12 -12 24 24" aria-hidden="true">
  <circle r="10.5"></circle>
  <path d="M0 -6 L1.8 -2 L6 -1.6 L2.8 1.2 L3.8 5.6 L0 3.2 L-3.8 5.6 L-2.8 1.2 L-6 -1.6 L-1.8 -2 Z"></path>
</svg>`;

export const helmet = html`<svg class="helmet-sign" viewBox="-12 -12 24 24" aria-hidden="true">
  <path class="helmet" d="M-8.5 4 Q-8.5 -9 0 -9 Q8.5 -9 8.5 4 Z"></path>
  <path class="helmet-crest" d="M-1.8 -9 Q0 -12 1.8 -9 V1 H-1.8 Z"></path>
  <path class="helmet-rim" d="M-11.5 6 Q-9 2.6 -6 3.2 H6 Q9 2.6 11.5 6 Q9 7.6 6 7 H-6 Q-9 7.6 -11.5 6 Z"></path>
</svg>`;

export const trophy = html`<svg class="trophy" viewBox="-12 -12 24 24" aria-hidden="true">
  <path d="M0 -10 L3 -3.4 L10 -2.8 L4.8 2 L6.4 9 L0 5.4 L-6.4 9 L-4.8 2 L-10 -2.8 L-3 -3.4 Z"></path>
</svg>`;

/**
 * A worker: a head above the sign of its seat.
 * @param {Context} context
 * @param {number} seat
 * @param {string} place
 */
export const worker = (context, seat, place) =>
  html`<svg
    class="worker"
    viewBox="-12 -21 24 34"
    role="img"
    aria-label=${context.names[seat]}
    data-piece="worker ${seat}"
    data-place=${place}
  >
    <title>${context.names[seat]}</title>
    <g class="seat-${colourOf(seat)}"><circle class="head" cy="-14.5" r="5.4"></circle></g>
    ${sign(colourOf(seat), letterOf(seat))}
  </svg>`;

/** @type {Record<string, unknown>} */
const SEASONS = {
  winter: svg`<path class="line" d="M0 -9 V9 M-7.8 -4.5 L7.8 4.5 M-7.8 4.5 L7.8 -4.5 M-2.5 -8 L0 -5.5 L2.5 -8 M-2.5 8
    L0 5.5 L2.5 8"></path>`,
  spring: svg`<path d="M0 2 Q-9 3 -8.5 -6 Q-3.5 -5.5 0 -1 Q3.5 -5.5 8.5 -6 Q9 3 0 2 Z"></path>
    <path class="line" d="M0 0 V10"></path>`,
  summer: svg`<circle r="4.6"></circle><path class="line" d="M0 -10 V-7 M0 7 V10 M-10 0 H-7 M7 0 H10 M-7 -7 L-5 -5 M5
    5 L7 7 M-7 7 L-5 5 M5 -5 L7 -7"></path>`,
  autumn: svg`<path d="M0 -10 L2.6 -5 L7 -7 L5.6 -1.6 L10 1 L4.4 3 L5 7 L0 4.6 L-5 7 L-4.4 3 L-10 1 L-5.6 -1.6 L-7 -7
    L-2.6 -5 Z"></path><path class="line" d="M0 2 V11"></path>`,
  end: svg`<path d="M0 -10 Q2 -5 6 -3 Q9 0 8 4 Q6 10 0 10 Q-6 10 -8 4 Q-8 0 -5 -3 Q-4.5 0 -3 0.6 Q-4 -6 0 -10
    Z"></path>`,
};

/** @param {string} season */
export const seasonSign = (season) =>
  html`<svg class="season-sign" viewBox="-12 -12 24 24" aria-hidden="true">${SEASONS[season] ?? ""}</svg>`;
