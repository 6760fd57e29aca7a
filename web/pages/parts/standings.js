// The standings of a tournament: points, tie-breaks, and confidence intervals. Before the first round it is the list
// of entrants.
import { html, nothing, svg } from "../../vendor/lit-html/lit-html.js";
import { lang, t } from "../../lib/i18n.js";
import { playerLink } from "./player_link.js";

/** @typedef {import("../../types").StandingLine} StandingLine @typedef {import("../../types").Tournament} Tournament */
const WIDTH = 140;
const HEIGHT = 28;
const EDGE = 6;
const SIXTIETHS = ["wins", "opponents", "median_opponents", "direct"];

/** @param {number} value @param {number} [digits] */
const decimal = (value, digits = 2) => value.toLocaleString(lang(), { maximumFractionDigits: digits });

/** @param {string} kind @param {number} value a tie-break as people count it */
function tieBreak(kind, value) {
  if (SIXTIETHS.includes(kind)) return decimal(value / 60);
  return kind === "score_share" ? `${decimal(value / 10_000, 1)} %` : decimal(value);
}

/** @param {StandingLine} line @param {number} top the maximum points of a match */
function interval({ low, high, points, played }, top) {
  if (low === null || high === null || played === 0) return html`<span class="faint">–</span>`;
  const x = (/** @type {number} */ value) => EDGE + (Math.max(0, Math.min(top, value)) / top) * (WIDTH - 2 * EDGE);
  const middle = HEIGHT / 2;
  const text = t("standings.interval_text", { low: decimal(low), high: decimal(high) });
  return html`<span class="interval"
    ><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" width=${WIDTH} height=${HEIGHT} aria-hidden="true">
      ${svg`<line class="axis" x1=${EDGE} x2=${WIDTH - EDGE} y1=${HEIGHT - 3} y2=${HEIGHT - 3}></line>
        <path class="whisker"
          d="M${x(low)} ${middle - 5}v10M${x(low)} ${middle}H${x(high)}M${x(high)} ${middle - 5}v10">
        </path>
        <circle cx=${x(points / played)} cy=${middle} r="4.5"></circle>`}</svg
    ><span>${text}</span></span
  >`;
}

/** @param {StandingLine} line */
const ranks = ({ best_rank, worst_rank }) =>
  best_rank === null || worst_rank === null
    ? "–"
    : best_rank === worst_rank
      ? `${best_rank}`
      : `${best_rank}–${worst_rank}`;

/** @param {StandingLine} line */
const name = ({ player, active }) =>
  html`${playerLink(player)} ${player.bot ? html`<span class="tag">${t("match.bot")}</span>` : nothing}
  ${active ? nothing : html`<span class="tag">${t("tournament.withdrawn")}</span>`}`;

/** @param {StandingLine[]} lines @param {(entrant: number) => unknown} more */
const entrants = (lines, more) =>
  html`<section class="standings">
    <h2>${t("tournament.entrants")}</h2>
    ${
      lines.length === 0
        ? html`<p class="faint">${t("tournament.nobody")}</p>`
        : html`<ol class="entrants">
            ${[...lines]
              .sort((a, b) => a.entrant - b.entrant)
              .map((line) => html`<li>${name(line)}${line.active ? more(line.entrant) : nothing}</li>`)}
          </ol>`
    }
  </section>`;

/**
 * @param {Tournament} tournament
 * @param {import("../../types").Standings} found
 * @param {Map<number, import("../../types").Round>} rounds
 * @param {(entrant: number) => unknown} more what an arbiter can do
 */
export function standings(tournament, found, rounds, more) {
  if (rounds.size === 0) return entrants(found.lines, more);
  const kinds = tournament.terms.tie_breaks.filter((kind) => kind !== "lot");
  const top = Math.max(1, tournament.terms.points[0]);
  const sure = found.lines.some((line) => line.low !== null);
  const row = (/** @type {StandingLine} */ line) =>
    html`<tr class=${line.entrant === tournament.you ? "mine" : ""}>
      <td class="number">${line.place}</td>
      <th scope="row">
        ${name(line)}${
          line.entrant === tournament.you ? html` <span class="tag">${t("match.you")}</span>` : nothing
        }${line.active ? more(line.entrant) : nothing}
      </th>
      <td class="number"><strong>${decimal(line.points)}</strong></td>
      <td class="number">${line.played}</td>
      ${kinds.map((kind) => html`<td class="number">${tieBreak(kind, Number(line.tie_breaks[kind] ?? 0))}</td>`)}
      ${
        sure
          ? html`<td>${interval(line, top)}</td>
              <td class="number">${ranks(line)}</td>`
          : nothing
      }
    </tr>`;
  return html`<section class="standings">
    <h2 id="standings-title">${t("tournament.standings")}</h2>
    <div class="wide" tabindex="0" role="group" aria-labelledby="standings-title">
      <table>
        <thead>
          <tr>
            <th scope="col" class="number">${t("result.place")}</th>
            <th scope="col">${t("result.player")}</th>
            <th scope="col" class="number">${t("standings.points")}</th>
            <th scope="col" class="number">${t("standings.played")}</th>
            ${kinds.map((kind) => html`<th scope="col" class="number">${t(`standings.${kind}`)}</th>`)}
            ${
              sure
                ? html`<th scope="col">${t("standings.interval")} <span class="scale">0 … ${decimal(top)}</span></th>
                    <th scope="col" class="number">${t("standings.ranks")}</th>`
                : nothing
            }
          </tr>
        </thead>
        <tbody>
          ${found.lines.map(row)}
        </tbody>
      </table>
    </div>
    <p class="faint">${sure ? `${t("standings.explained")} ${unseparated(found.lines)}` : t("standings.too_few")}</p>
  </section>`;
}

/** @param {StandingLine[]} lines */
function unseparated(lines) {
  const pairs = lines.slice(0, -1).filter((line) => !line.separated).length;
  return pairs === 0
    ? t("standings.all_separated")
    : t("standings.not_separated", { count: pairs, of: lines.length - 1 });
}
