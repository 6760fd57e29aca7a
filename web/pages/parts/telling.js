// The moves of others as they are shown: a step in the turn bar, great ones over the board, and the list of all.
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { repeat } from "../../vendor/lit-html/directives/repeat.js";
import { withText } from "../../lib/events.js";
import { t } from "../../lib/i18n.js";
import { change as changeSettings, reducedMotion, settings } from "../../lib/settings.js";
import { wordFor } from "../../lib/texts.js";
import { badge } from "./players.js";
import { ownClock } from "./turn_bar.js";

/** @typedef {import("../../types").Step} Step @typedef {import("../../types").SeatChange} SeatChange */
/**
 * @typedef {object} Told how a step is drawn
 * @property {import("../../types").Drawing} drawing
 * @property {import("../../types").BoardContext} context
 */
/** @typedef {Told & {match: import("../../types").Match}} ToldLive with the clocks of the match */

/** @param {number} by */
const signed = (by) => `${by < 0 ? "−" : "+"}${Math.abs(by)}`;

/** @param {SeatChange} change @param {Told} told */
const amount = ({ of, by }, { drawing, context: { words } }) =>
  `${signed(by)} ${words[of] === undefined ? drawing.t(of) : wordFor(words, of)}`;

/** Who gains and loses what. @param {Step} step @param {Told} told */
export function changes(step, told) {
  const seats = [...new Set(step.changes.map(({ seat }) => seat))];
  return seats.map((seat) => {
    const own = step.changes.filter((one) => one.seat === seat);
    const loses = step.loss && seat === told.context.you;
    return html`<span class="gain ${loses ? "loss" : ""}"
      >${badge(seat, told.context.view)}<span class="unseen">${told.context.names[seat]}</span>
      ${own.map((one) => amount(one, told)).join(", ")}</span
    > `;
  });
}

/**
 * The step of a queue, in the place of the turn bar.
 * @param {Step} step
 * @param {import("../../lib/queue.js").Queue} queue
 * @param {ToldLive} told
 */
export const toldBar = (step, { left, skip }, told) =>
  html`<div class="turn-bar told ${step.loss ? "loss" : ""}">
    <span class="told-picture ${told.context.game.id}" aria-hidden="true"
      >${told.drawing.picture(step.fact, told.context)}</span
    >
    <div class="status-line" tabindex="-1">
      <p>${step.text}</p>
      <p class="gains">${changes(step, told)}</p>
    </div>
    ${ownClock(told.match)}
    <button type="button" class="skip-told" title="Esc" @click=${skip}>
      ${t("stage.skip")}${left ? html` <small>${left}</small>` : nothing}
    </button>
  </div>`;

/** A great moment, large over the board. @param {Step | null} step @param {Told} told */
export const moment = (step, told) =>
  step?.big
    ? html`<div class="moment" aria-hidden="true">
        <div class="moment-card ${step.fact.type}">
          <span class="told-picture ${told.context.game.id}">${told.drawing.picture(step.fact, told.context)}</span>
          <p class="gains">${changes(step, told)}</p>
        </div>
      </div>`
    : nothing;

/** What has happened since the reader's last move, as a list. @param {Step[]} list @param {Told} told */
export const happened = (list, told) =>
  html`<div class="happened-row">
    <details class="happened" ?open=${reducedMotion()}>
      <summary>${t("stage.happened", { count: list.length })}</summary>
      <ol tabindex="0" aria-label=${t("stage.happened", { count: list.length })}>
        ${repeat(
          list,
          ({ version }) => version,
          (step) =>
            html`<li class=${step.loss ? "loss" : nothing}>
              ${step.text} ${step.loss ? html`<strong>${losses(step, told)}</strong>` : nothing}
            </li>`,
        )}
      </ol>
    </details>
    ${paceChoice()}
  </div>`;

/** @param {Step} step @param {Told} told */
const losses = (step, told) =>
  t("stage.you_lose", {
    what: step.changes
      .filter(({ seat, by }) => seat === told.context.you && by < 0)
      .map((one) => amount(one, told))
      .join(", "),
  });

/** @typedef {import("../../lib/settings.js").Pace} Pace */
/** How fast the moves of others are shown; whoever wants less motion has the list instead. */
export const paceChoice = () =>
  reducedMotion()
    ? nothing
    : html`<label class="pace" title=${t("settings.pace.hint")}
        ><span>${t("settings.pace")}</span>
        <select @change=${withText((pace) => changeSettings({ pace: /** @type {Pace} */ (pace) }))}>
          ${["slow", "normal", "instant"].map(
            (name) =>
              html`<option value=${name} ?selected=${settings.pace === name}>${t(`settings.pace.${name}`)}</option>`,
          )}
        </select></label
      >`;
