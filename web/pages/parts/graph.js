// Points over time, as a picture and as a table. Lines differ by dashes and letters, not by colour alone.
import { html, nothing, svg } from "../../vendor/lit-html/lit-html.js";
import { t } from "../../lib/i18n.js";
import { kept } from "../../boards/kept.js";
import { colourOf, letterOf } from "../../boards/seats.js";

const WIDTH = 380;
const HEIGHT = 210;
const LEFT = 52;
const BOTTOM = 44;
const TOP = 10;
const RIGHT = 26;
const MOST_MARKS = 8;
const LETTER = 13;
const DASHES = ["", "8 4", "2 4", "12 3 2 3", "5 5"];

/** @param {number} top @returns {number[]} four or five round numbers from 0 to the top */
function ticks(top) {
  const rough = Math.max(1, top / 4);
  const size = 10 ** Math.floor(Math.log10(rough));
  const gap = [1, 2, 5, 10].map((one) => one * size).find((one) => one >= rough) ?? rough;
  return Array.from({ length: Math.floor(top / gap) + 1 }, (_, place) => place * gap);
}

/**
 * Marks of the time axis: rounds where the game has them, else positions.
 * @param {(number | null)[]} rounds
 * @returns {{place: number, label: string}[]}
 */
function marks(rounds) {
  const starts = rounds.flatMap((round, place) =>
    round !== null && rounds[place - 1] !== round ? [{ place, label: String(round) }] : [],
  );
  const all =
    starts.length > 1
      ? starts
      : ticks(rounds.length).map((place) => ({ place: Math.min(place, rounds.length - 1), label: String(place) }));
  const every = Math.ceil(all.length / MOST_MARKS);
  return all.filter((_, index) => index % every === 0);
}

/**
 * The places at which a seat's line bends: a line through thousands of equal points is slow to paint.
 * @param {{one: number[] | null, place: number}[]} known
 * @param {number} seat
 */
const bends = (known, seat) =>
  known.filter(
    ({ one }, at) => known[at - 1]?.one?.[seat] !== one?.[seat] || known[at + 1]?.one?.[seat] !== one?.[seat],
  );

const x = (/** @type {number} */ place, /** @type {number} */ count) =>
  LEFT + (place / Math.max(1, count - 1)) * (WIDTH - LEFT - RIGHT);

/**
 * A slider draws the graph at every position: everything but the marker of the position is drawn once.
 * @param {(number[] | null)[]} points for each position, of each seat @param {number} at the position that is shown
 * @param {string[]} names
 * @param {(position: number) => void} jump
 * @param {(number | null)[]} rounds
 * @param {import("../../types").View | null} view any view of the match, for the colours of seats
 */
export function graph(points, at, names, jump, rounds, view) {
  const click = (/** @type {MouseEvent} */ event) => {
    const box = /** @type {SVGElement} */ (event.currentTarget).getBoundingClientRect();
    const share = (((event.clientX - box.left) / box.width) * WIDTH - LEFT) / (WIDTH - LEFT - RIGHT);
    jump(Math.round(Math.min(1, Math.max(0, share)) * (points.length - 1)));
  };
  const last = points.findLast((one) => one !== null);
  if (!last) return nothing;
  return html`<section class="graph">
    <h2>${t("graph.title")}</h2>
    <svg
      viewBox="0 0 ${WIDTH} ${HEIGHT}"
      role="img"
      aria-label=${t("graph.label", { points: names.map((name, seat) => `${name} ${last[seat]}`).join(", ") })}
      @click=${click}
    >
      ${kept([points, names], () => lines(points, names, rounds, view))}
      <line class="now" x1=${x(at, points.length)} x2=${x(at, points.length)} y1=${TOP} y2=${HEIGHT - BOTTOM}></line>
    </svg>
    ${kept([points, names], () => table(points, names, rounds))}
  </section>`;
}

/**
 * Axes, and a line for each seat.
 * @param {(number[] | null)[]} points
 * @param {string[]} names
 * @param {(number | null)[]} rounds
 * @param {import("../../types").View | null} view
 */
function lines(points, names, rounds, view) {
  const known = points.map((one, place) => ({ one, place })).filter(({ one }) => one !== null);
  const values = known.flatMap(({ one }) => /** @type {number[]} */ (one));
  const top = values.reduce((one, other) => Math.max(one, other), 1);
  const low = values.reduce((one, other) => Math.min(one, other), 0);
  const y = (/** @type {number} */ value) => TOP + (1 - (value - low) / (top - low)) * (HEIGHT - TOP - BOTTOM);
  const line = (/** @type {number} */ seat) =>
    bends(known, seat)
      .map(
        ({ one, place }) =>
          `${x(place, points.length).toFixed(1)},${y(/** @type {number[]} */ (one)[seat]).toFixed(1)}`,
      )
      .join(" ");
  const last = /** @type {number[]} */ (known[known.length - 1].one);
  const ends = apart(last.map(y));
  return svg`${ticks(top).map(
    (tick) =>
      svg`<g class="tick"><line x1=${LEFT} x2=${WIDTH - RIGHT} y1=${y(tick)} y2=${y(tick)}></line>
        <text x=${LEFT - 6} y=${y(tick) + 4} text-anchor="end">${tick}</text></g>`,
  )}
    <line class="axis" x1=${LEFT} x2=${WIDTH - RIGHT} y1=${HEIGHT - BOTTOM} y2=${HEIGHT - BOTTOM}></line>
    ${marks(rounds).map(
      ({ place, label }) =>
        svg`<g class="mark"><line
          class="axis" x1=${x(place, points.length)} x2=${x(place, points.length)}
            y1=${HEIGHT - BOTTOM} y2=${HEIGHT - BOTTOM + 5}></line>
          <text x=${x(place, points.length)} y=${HEIGHT - BOTTOM + 18} text-anchor="middle">${label}</text></g>`,
    )}
    <text x=${(LEFT + WIDTH - RIGHT) / 2} y=${HEIGHT - 6} text-anchor="middle">${
      rounds.some((one) => one !== null) ? t("graph.round") : t("graph.position")
    }</text>
    <text x="12" y=${(TOP + HEIGHT - BOTTOM) / 2} text-anchor="middle"
      transform="rotate(-90 12 ${(TOP + HEIGHT - BOTTOM) / 2})">${t("standings.points")}</text>
    ${names.map(
      (_, seat) =>
        svg`<polyline class="line seat-${colourOf(seat, view)}" points=${line(seat)}
          stroke-dasharray=${DASHES[seat % DASHES.length]}></polyline>
          <text class="end seat-${colourOf(seat, view)}" x=${WIDTH - RIGHT + 6}
          y=${ends[seat] + 4}>${letterOf(seat)}</text>`,
    )}`;
}

/**
 * Heights of the letters at the ends of lines, moved apart where they would cover each other.
 * @param {number[]} heights
 * @returns {number[]}
 */
function apart(heights) {
  const placed = [...heights];
  const order = heights.map((_, seat) => seat).sort((one, other) => heights[one] - heights[other]);
  order.forEach((seat, i) => {
    if (i) placed[seat] = Math.max(placed[seat], placed[order[i - 1]] + LETTER);
  });
  const over = Math.max(0, placed[order[order.length - 1]] - (HEIGHT - BOTTOM));
  return placed.map((height) => height - over);
}

/** @param {(number[] | null)[]} points @param {string[]} names @param {(number | null)[]} rounds */
function table(points, names, rounds) {
  const ends = rounds
    .map((round, place) => ({ round, place }))
    .filter(({ round, place }) => round !== null && rounds[place + 1] !== round && points[place]);
  if (ends.length < 2) return nothing;
  return html`<details>
    <summary>${t("graph.table")}</summary>
    <div class="wide" tabindex="0" role="group" aria-label=${t("graph.table")}>
      <table>
        <thead>
          <tr>
            <th scope="col">${t("graph.round")}</th>
            ${names.map((name) => html`<th scope="col" class="number">${name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${ends.map(
            ({ round, place }) =>
              html`<tr>
                <th scope="row">${round}</th>
                ${names.map((_, seat) => html`<td class="number">${points[place]?.[seat]}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </details>`;
}
