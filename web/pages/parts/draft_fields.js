// Fields of the forms for a match, a seek and a tournament. Each form edits a draft, whose fields have the names of
// the API.
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { live } from "../../vendor/lit-html/directives/live.js";
import { CLOCKS } from "../../lib/clocks.js";
import { withChecked, withText } from "../../lib/events.js";
import { fields } from "../../lib/form.js";
import { t } from "../../lib/i18n.js";

/**
 * What the forms have in common.
 * @typedef {{clock: string, on_timeout: "bot" | "forfeit", options: Record<string, unknown>}} Draft
 * @typedef {(changes: Partial<Draft>) => void} Change
 */
/** @type {Draft["on_timeout"][]} */
const ON_TIMEOUT = ["bot", "forfeit"];

/**
 * Radio buttons.
 * @template T
 * @param {string} name
 * @param {T[]} values
 * @param {T} chosen
 * @param {(value: T) => string} text
 * @param {(value: T) => void} choose
 */
export const pills = (name, values, chosen, text, choose) =>
  html`<div class="row">
    ${values.map(
      (value) =>
        html`<label class="pill"
          ><input type="radio" name=${name} .checked=${live(value === chosen)} @change=${() => choose(value)} /><span
            >${text(value)}</span
          ></label
        >`,
    )}
  </div>`;

/**
 * A check box with an explanation below.
 * @template {string} N
 * @param {Record<N, boolean>} draft
 * @param {N} name
 * @param {string} key of the label
 * @param {(changes: Record<N, boolean>) => void} change
 */
export const flag = (draft, name, key, change) =>
  html`<label class="field check"
    ><input
      type="checkbox"
      .checked=${live(draft[name])}
      @change=${withChecked((on) => change(/** @type {Record<N, boolean>} */ ({ [name]: on })))}
    />
    <span>${t(key)}</span><small class="faint">${t(`${key}.hint`)}</small></label
  >`;

/**
 * @param {import("../../types").GameSummary[]} games
 * @param {import("../../types").Game} chosen
 * @param {(id: string) => void} choose
 */
export const gameField = (games, chosen, choose) =>
  html`<fieldset>
    <legend>${t("create.game")}</legend>
    ${pills(
      "game",
      games.map(({ id }) => id),
      chosen.id,
      (id) => games.find((one) => one.id === id)?.title ?? id,
      choose,
    )}
  </fieldset>`;

/** The clock, and what happens when time is up. @param {Draft} draft @param {Change} change */
export const clockField = (draft, change) =>
  html`<fieldset>
    <legend>${t("create.clock")}</legend>
    ${pills(
      "clock",
      Object.keys(CLOCKS),
      draft.clock,
      (name) => t(`create.clock.${name}`),
      (clock) => change({ clock }),
    )}
    ${
      draft.clock === "none"
        ? nothing
        : html`<label class="field"
            ><span>${t("create.on_timeout")}</span
            ><select @change=${withText((chosen) => change({ on_timeout: ON_TIMEOUT.find((one) => one === chosen) }))}>
              ${ON_TIMEOUT.map(
                (name) =>
                  html`<option value=${name} ?selected=${draft.on_timeout === name}>
                    ${t(`create.on_timeout.${name}`)}
                  </option>`,
              )}
            </select></label
          >`
    }
  </fieldset>`;

/**
 * The options that the game describes.
 * @param {import("../../types").Game} game
 * @param {Draft} draft
 * @param {Change} change
 */
export const optionsField = (game, draft, change) =>
  html`<details>
    <summary>${t("create.options", { game: game.title })}</summary>
    <div class="grid">${fields(game.options, draft.options, game.words, (options) => change({ options }))}</div>
  </details>`;
