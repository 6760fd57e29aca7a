// Whose turn it is, what the user can do now, and what happened last; it stays visible while the page scrolls.
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { t } from "../../lib/i18n.js";
import { eventText } from "../../lib/texts.js";
import { badge, clock } from "./players.js";

/** @typedef {import("../../types").Match} Match @typedef {import("../../types").Event} Event */

/** The maximum number of facts that are searched for the last command. */
const RECENT = 20;

/** The clock of the user, or of whoever is to move. @param {Match} match */
export const ownClock = (match) => clock(match, match.you ?? match.to_act[0] ?? 0);

/** @param {Match} match @param {string} status @param {string} prompt @param {string} last */
export const turnBar = (match, status, prompt, last) =>
  html`<div class="turn-bar ${prompt ? "mine" : ""}">
    ${match.to_act.map((seat) => badge(seat, match.view))}
    <p class="status-line" tabindex="-1">
      <b>${status}</b>${prompt ? html` <span class="prompt">${prompt}</span>` : nothing}
    </p>
    ${ownClock(match)}
    ${last ? html`<p class="last"><span class="unseen">${t("match.last")}</span> ${last}</p>` : nothing}
  </div>`;

/**
 * What the last command did, in one sentence.
 * @param {import("../../types").Game} game
 * @param {Event[]} events
 * @param {string[]} names
 * @returns {string}
 */
export function lastDone(game, events, names) {
  const newest = events[events.length - 1];
  const command = events.slice(-RECENT).filter(({ at, by }) => at === newest.at && by === newest.by);
  const sentences = command.map((event) => ({ event, text: eventText(game, event, names) })).filter(({ text }) => text);
  const done =
    sentences.find(({ event: { fact } }) => "seat" in fact && fact.type !== "seat_taken") ??
    sentences[sentences.length - 1];
  return done?.text ?? "";
}
