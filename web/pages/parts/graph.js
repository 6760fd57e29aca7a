// Points over time, as a picture and as a table. Lines differ by dashes and letters, not by colour alone.
import { html, nothing, svg } from "../../vendor/lit-html/lit-html.js";
import { t } from "../../lib/i18n.js";
import { colourOf, letterOf } from "../../boards/seats.js";

const WIDTH = 380, HEIGHT = 190, LEFT = 36, BOTTOM = 30, TOP = 10, RIGHT = 26;
const DASHES = ["", "8 4", "2 4", "12 3 2 3", "5 5"];

/** @param {number} top @returns {number[]} four or five round numbers from 0 to the top */
function ticks(top) {
  const rough = Math.max(1, top / 4), size = 10 ** Math.floor(Math.log10(rough));
  const gap = [1, 2, 5, 10].map((one) => one * size).find((one) => one >= rough) ?? rough;
  return Array.from({ length: Math.floor(top / gap) + 1 }, (_, place) => place * gap);
}

/** @typedef {{one: number[], place: number}} Known the points of all seats at a place */
/** @typedef {{points: unknown, known: Known[], top: number, low: number, lines: string[]}} Drawn */
/** @type {Drawn | null} What was worked out last: a slider redraws the graph for every position. */
let last = null;

/** @param {(number[] | null)[]} points @param {number} seats @returns {Drawn} */
function workedOut(points, seats) {
  if (last?.points === points) return last;
  const known = /** @type {Known[]} */ (points.map((one, place) => ({ one, place })).filter(({ one }) => one !== null));
  const all = known.flatMap(({ one }) => one);
  const top = all.reduce((most, value) => Math.max(most, value), 1), low = all.reduce((least, value) => Math.min(least, value), 0);
  const line = (/** @type {number} */ seat) => bends(known, seat).map(({ one, place }) => `${x(place, points.length).toFixed(1)},${y(one[seat], low, top).toFixed(1)}`).join(" ");
  last = { points, known, top, low, lines: Array.from({ length: seats }, (_, seat) => line(seat)) };
  return last;
}

/** The places at which a seat's line turns: a line through thousands of equal points takes long to paint. @param {Known[]} known @param {number} seat */
const bends = (known, seat) => known.filter(({ one }, at) => known[at - 1]?.one[seat] !== one[seat] || known[at + 1]?.one[seat] !== one[seat]);

/** @param {number} place @param {number} places */
const x = (place, places) => LEFT + (place / Math.max(1, places - 1)) * (WIDTH - LEFT - RIGHT);
/** @param {number} value @param {number} low @param {number} top */
const y = (value, low, top) => TOP + (1 - (value - low) / (top - low)) * (HEIGHT - TOP - BOTTOM);

/**
 * @param {(number[] | null)[]} points for each position, of each seat @param {number} at the position that is shown
 * @param {string[]} names @param {(position: number) => void} jump @param {(number | null)[]} rounds @param {any} view one of the match, for the colours of seats
 */
export function graph(points, at, names, jump, rounds, view) {
  const { known, top, low, lines } = workedOut(points, names.length);
  if (known.length < 2) return nothing;
  const height = (/** @type {number} */ value) => y(value, low, top), now = x(at, points.length);
  const click = (/** @type {MouseEvent} */ event) => {
    const box = /** @type {SVGElement} */ (event.currentTarget).getBoundingClientRect();
    const share = (((event.clientX - box.left) / box.width) * WIDTH - LEFT) / (WIDTH - LEFT - RIGHT);
    jump(Math.round(Math.min(1, Math.max(0, share)) * (points.length - 1)));
  };
  const end = known[known.length - 1].one;
  return html`<section class="graph"><h2>${t("graph.title")}</h2>
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label=${t("graph.label", { points: names.map((name, seat) => `${name} ${end[seat]}`).join(", ") })} @click=${click}>
      ${ticks(top).map((tick) => svg`<g class="tick"><line x1=${LEFT} x2=${WIDTH - RIGHT} y1=${height(tick)} y2=${height(tick)}></line><text x=${LEFT - 6} y=${height(tick) + 4} text-anchor="end">${tick}</text></g>`)}
      <text class="axis" x=${LEFT} y=${HEIGHT - 6}>${t("graph.time")} →</text>
      ${names.map((_, seat) => svg`<polyline class="line seat-${colourOf(seat, view)}" points=${lines[seat]} stroke-dasharray=${DASHES[seat % DASHES.length]}></polyline><text class="end seat-${colourOf(seat, view)}" x=${WIDTH - RIGHT + 6} y=${height(end[seat]) + 4}>${letterOf(seat)}</text>`)}
      <line class="now" x1=${now} x2=${now} y1=${TOP} y2=${HEIGHT - BOTTOM}></line>
    </svg>
    ${table(points, names, rounds)}</section>`;
}

/** @param {(number[] | null)[]} points @param {string[]} names @param {(number | null)[]} rounds */
function table(points, names, rounds) {
  const ends = rounds.map((round, place) => ({ round, place })).filter(({ round, place }) => round !== null && rounds[place + 1] !== round && points[place]);
  if (ends.length < 2) return nothing;
  return html`<details><summary>${t("graph.table")}</summary><div class="wide" tabindex="0" role="group" aria-label=${t("graph.table")}><table><thead><tr><th scope="col">${t("graph.round")}</th>${names.map((name) => html`<th scope="col" class="number">${name}</th>`)}</tr></thead>
    <tbody>${ends.map(({ round, place }) => html`<tr><th scope="row">${round}</th>${names.map((_, seat) => html`<td class="number">${points[place]?.[seat]}</td>`)}</tr>`)}</tbody></table></div></details>`;
}
