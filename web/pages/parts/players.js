// Who plays: seats with names, whose turn it is, clocks and places.
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { colourOf, letterOf, seatMark } from "../../boards/seats.js";
import { duration, t } from "../../lib/i18n.js";
import { playerLink } from "./player_link.js";

/** @typedef {import("../../types").Match} Match */

/** Below how many milliseconds a running clock is marked. */
const HURRY = 20_000;

/**
 * The sign of a seat: colour, shape and letter, as on the board.
 * @param {number} seat
 * @param {import("../../types").View | null} view
 */
export const badge = (seat, view) =>
  html`<span class="badge" aria-hidden="true">${seatMark(colourOf(seat, view), letterOf(seat))}</span>`;

/** @param {Match} match @param {string[]} names @param {(seat: number) => import("../../types").Standing[]} standing */
export const players = (match, names, standing) =>
  html`<ol class="players" aria-label=${t("match.players")}>
    ${match.seats.map(
      (seat, place) =>
        html`<li
          class="player seat-${colourOf(place, match.view)} ${
            match.to_act.includes(place) && match.status === "running" ? "acting" : ""
          }"
        >
          ${badge(place, match.view)}
          <span class="name"
            >${playerLink(seat.player, names[place])}${
              place === match.you ? html` <span class="tag">${t("match.you")}</span>` : nothing
            }${
              seat.player?.bot ? html` <span class="tag">${t("match.bot")}</span>` : nothing
            }${seat.absent ? html` <span class="tag">${t("match.absent")}</span>` : nothing}</span
          >
          ${
            match.result
              ? html`<strong class="place">${t("match.place", { place: match.result.places[place] })}</strong>`
              : match.status === "running" && match.to_act.includes(place)
                ? html`<span class="turn">${t("match.to_act")}</span>`
                : nothing
          }
          ${clock(match, place)}${figures(standing(place))}
        </li>`,
    )}
  </ol>`;

/** @param {import("../../types").Standing[]} standing */
const figures = (standing) =>
  standing.length === 0
    ? nothing
    : html`<span class="standing faint"
        >${standing.map(({ name, value }) => html`<span>${name} <b>${value}</b></span> `)}</span
      >`;

/** @param {Match} match @param {number} seat */
export function clock(match, seat) {
  const one = match.clock.seats?.[seat];
  if (!one || match.status !== "running") return nothing;
  const until = one.deadline ? (match.clock.received ?? Date.now()) + one.remaining_ms : "";
  return html`<span class="clock" role="timer" data-until=${until} data-rest=${one.remaining_ms}></span>`;
}

/**
 * Write the clocks, running or stopped: `tick` alone writes their text, never the template.
 * @param {ParentNode} root
 */
export function tick(root) {
  for (const clock of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(".clock[data-rest]"))) {
    const { until, rest } = clock.dataset;
    const left = until ? Number(until) - Date.now() : Number(rest);
    const text = duration(left);
    if (clock.textContent !== text) clock.textContent = text;
    clock.classList.toggle("hurry", Boolean(until) && left < HURRY);
  }
}
