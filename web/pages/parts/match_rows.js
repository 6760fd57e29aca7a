// Matches as rows of a list: players, status, and a link.
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { repeat } from "../../vendor/lit-html/directives/repeat.js";
import { moment, t } from "../../lib/i18n.js";
import { namesOf } from "../../lib/texts.js";
import { winner } from "./result.js";

/** @typedef {import("../../types").MatchSummary} Match */

/** @param {Match} match Whether the match waits for the user. */
export const isMyTurn = (match) => match.status === "running" && match.you !== null && match.to_act.includes(match.you);

/** @param {Match} match @param {string[]} names */
function waiting(match, names) {
  if (match.status === "open") return t("lobby.free", { count: match.seats.filter((seat) => !seat.player).length });
  if (match.status !== "running")
    return `${match.result ? winner(match, names) : t(`status.${match.status}`)} · ${moment(match.at)}`;
  return isMyTurn(match)
    ? t("lobby.your_turn")
    : t("lobby.waiting", { names: match.to_act.map((seat) => names[seat]).join(", ") });
}

/**
 * @param {Match} match
 * @param {{title: string, action: string, main?: boolean, decline?: (match: Match) => void}} how
 */
function matchRow(match, { title, action, main = false, decline }) {
  const names = namesOf(match.seats);
  const label = `${title}: ${names.join(", ")}`;
  const tags = /** @type {const} */ (["private", "branch", "rated"]).filter((name) => match[name]);
  return html`<li class="match-row">
    <div>
      <strong>${title}</strong>
      ${tags.map((name) => html` <span class="tag">${t(`match.${name}`)}</span>`)}
      <span class="names">${names.map((name, seat) => html`<span class="seat-name s${seat}">${name}</span>`)}</span>
      <span class="faint"
        >${waiting(match, names)}${match.clock.kind === "none" ? nothing : ` · ${t(`clock.${match.clock.kind}`)}`}</span
      >
    </div>
    <div class="row">
      ${
        decline
          ? html`<button type="button" @click=${() => decline(match)}>
              ${t("lobby.decline")}<span class="unseen"> ${label}</span>
            </button>`
          : nothing
      }
      <a class="button ${main ? "main" : ""}" href="#/match/${match.id}"
        >${t(action)}<span class="unseen"> ${label}</span></a
      >
    </div>
  </li>`;
}

/** @param {Match[]} matches @param {(match: Match) => Parameters<typeof matchRow>[1]} how */
export const matchRows = (matches, how) =>
  html`<ul>
    ${repeat(
      matches,
      (match) => match.id,
      (match) => matchRow(match, how(match)),
    )}
  </ul>`;
