// The history of a rating, as a graph with labelled axes and as a table.
import { html, nothing, svg } from "../../vendor/lit-html/lit-html.js";
import { lang, moment, t } from "../../lib/i18n.js";

/** @typedef {import("../../types").RatingPoint} RatingPoint */
const WIDTH = 640;
const HEIGHT = 240;
const LEFT = 52;
const RIGHT = 14;
const TOP = 12;
const BOTTOM = 44;
const MOST_TICKS = 8;

/** @param {number} value */
export const decimal = (value) => value.toLocaleString(lang(), { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** @param {number} low @param {number} high @returns {number[]} round numbers between the two */
function ticks(low, high) {
  const gap = [1, 2, 5, 10, 20].find((one) => (high - low) / one <= 6) ?? 50;
  return Array.from(
    { length: Math.floor(high / gap) - Math.ceil(low / gap) + 1 },
    (_, place) => (Math.ceil(low / gap) + place) * gap,
  );
}

/** @param {RatingPoint[]} history of one ladder, oldest first */
export function ratingGraph(history) {
  if (history.length === 0) return nothing;
  return html`<figure class="graph rating-graph">
    ${history.length > 1 ? picture(history) : nothing}${table(history)}
  </figure>`;
}

/** @param {RatingPoint[]} history */
function picture(history) {
  const low = Math.floor(Math.min(...history.map((one) => one.mean - one.deviation)));
  const high = Math.ceil(Math.max(...history.map((one) => one.mean + one.deviation)));
  const x = (/** @type {number} */ place) => LEFT + (place / (history.length - 1)) * (WIDTH - LEFT - RIGHT);
  const y = (/** @type {number} */ value) => TOP + ((high - value) / (high - low)) * (HEIGHT - TOP - BOTTOM);
  const at = (/** @type {number} */ place, /** @type {number} */ value) =>
    `${x(place).toFixed(1)},${y(value).toFixed(1)}`;
  const band = [
    ...history.map((one, place) => at(place, one.mean + one.deviation)),
    ...history.map((one, place) => at(place, one.mean - one.deviation)).reverse(),
  ].join(" ");
  const every = Math.ceil(history.length / MOST_TICKS);
  return html`<svg
      viewBox="0 0 ${WIDTH} ${HEIGHT}"
      role="img"
      aria-label=${t("ratings.graph", {
        count: history.length,
        first: decimal(history[0].mean),
        last: decimal(history[history.length - 1].mean),
        best: decimal(Math.max(...history.map((one) => one.mean))),
      })}
    >
      ${svg`<polygon class="band" points=${band}></polygon>`}
      ${ticks(low, high).map(
        (tick) =>
          svg`<g class="tick"><line x1=${LEFT} x2=${WIDTH - RIGHT} y1=${y(tick)} y2=${y(tick)}></line>
            <text x=${LEFT - 6} y=${y(tick) + 4} text-anchor="end">${tick}</text></g>`,
      )}
      ${svg`<polyline class="line" points=${history.map((one, place) => at(place, one.mean)).join(" ")}></polyline>
        <line class="axis" x1=${LEFT} x2=${WIDTH - RIGHT} y1=${HEIGHT - BOTTOM} y2=${HEIGHT - BOTTOM}></line>`}
      ${history.map((_, place) =>
        place % every
          ? nothing
          : svg`<text x=${x(place)} y=${HEIGHT - BOTTOM + 18} text-anchor="middle">${place + 1}</text>`,
      )}
      ${svg`<text x=${(LEFT + WIDTH - RIGHT) / 2} y=${HEIGHT - 6} text-anchor="middle">${t("ratings.matches")}</text>
        <text x="12" y=${(TOP + HEIGHT - BOTTOM) / 2} text-anchor="middle"
          transform="rotate(-90 12 ${(TOP + HEIGHT - BOTTOM) / 2})">${t("ratings.strength")}</text>`}
    </svg>
    <figcaption class="faint">${t("ratings.band")}</figcaption>`;
}

/** @param {RatingPoint[]} history */
const table = (history) =>
  html`<details>
    <summary>${t("graph.table")}</summary>
    <div class="wide" tabindex="0" role="group" aria-label=${t("graph.table")}>
      <table>
        <thead>
          <tr>
            <th scope="col">${t("ratings.date")}</th>
            <th scope="col" class="number">${t("result.place")}</th>
            <th scope="col" class="number">${t("ratings.strength")}</th>
            <th scope="col"><span class="unseen">${t("tournament.the_match")}</span></th>
          </tr>
        </thead>
        <tbody>
          ${[...history].reverse().map(
            (one) =>
              html`<tr>
                <th scope="row">${moment(one.at)}</th>
                <td class="number">${one.place}</td>
                <td class="number">${decimal(one.mean)} ± ${decimal(one.deviation)}</td>
                <td><a href="#/match/${one.match}">${t("tournament.the_match")}</a></td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </details>`;
