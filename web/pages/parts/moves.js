// Every legal move as a button, and the confirmation of the chosen one.
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { onArrow } from "../../boards/roving.js";
import { Problem } from "../../lib/api.js";
import { onSubmit, withText } from "../../lib/events.js";
import { fields } from "../../lib/form.js";
import { t } from "../../lib/i18n.js";
import { change as changeSettings, settings } from "../../lib/settings.js";
import { sentenceFor } from "../problem.js";

/**
 * @typedef {import("../../types").Offered} Offered
 * @typedef {import("./choosing.js").Choosing} Choosing
 * @typedef {import("./choosing.js").Choice} Choice
 * @typedef {import("./choosing.js").Change} Change
 */

/** @param {Offered[]} moves @param {number | null} chosen @param {Choosing} choosing @param {boolean} busy */
export const moveList = (moves, chosen, choosing, busy) =>
  html`<section class="moves" aria-labelledby="moves-title">
    <h2 id="moves-title">${t("moves.title", { count: moves.length })}</h2>
    <div class="move-buttons" role="group" aria-labelledby="moves-title" data-arrows="list" @keydown=${onArrow}>
      ${moves.map(
        (one) =>
          html`<button
            type="button"
            data-target
            data-move=${one.index}
            aria-pressed=${chosen === one.index ? "true" : "false"}
            ?disabled=${busy}
            @click=${() => choosing.choose(chosen === one.index ? null : one.index)}
          >
            ${one.label}
          </button>`,
      )}
    </div>
  </section>`;

/** @param {Choice} choice @param {import("../../types").Game} game @param {Choosing} choosing */
export function confirmation(choice, { id: game, words }, choosing) {
  const { offered, state } = choice;
  const { schema } = offered.move;
  const { sequence } = choosing;
  const several = sequence.length > 1;
  const leave = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Escape") choosing.cancel();
  };
  return html`<section class="confirm" aria-labelledby="confirm-title" @keydown=${leave}>
    <h2 id="confirm-title">${several ? t("moves.sequence", { count: sequence.length }) : offered.label}</h2>
    ${several ? laidOut(sequence, choosing) : nothing}
    ${
      schema
        ? html`<form @submit=${onSubmit(() => choosing.check())}>
            ${fields(schema, choice.filled, words, choosing.fill)}
            <button type="submit">${t("moves.check")}</button>
          </form>`
        : nothing
    }
    <div class="outcome" aria-live="polite">${outcome(choice, game, choosing.changes, several)}</div>
    ${choosing.base === choice ? html`<p class="goes-on">${t("moves.goes_on")}</p>` : nothing}
    <p class="row">
      <button
        type="button"
        id="confirm"
        class="main"
        ?disabled=${state !== "passes"}
        aria-describedby="confirm-title"
        @click=${choosing.confirm}
      >
        ${state === "sending" ? t("moves.sending") : t("moves.confirm")}
      </button>
      <button type="button" @click=${choosing.cancel}>${t(several ? "moves.take_back" : "moves.cancel")}</button>
      <small class="faint keys">${t("moves.keys")}</small>
    </p>
  </section>`;
}

/** The moves of a sequence; each can be taken out. @param {Choice[]} sequence @param {Choosing} choosing */
const laidOut = (sequence, choosing) =>
  html`<ol class="sequence">
    ${sequence.map(
      ({ offered: { label } }, place) =>
        html`<li>
          <span>${label}</span>
          <button
            type="button"
            class="icon"
            aria-label=${t("moves.take_out", { move: label })}
            title=${t("moves.take_out", { move: label })}
            @click=${() => void choosing.remove(place)}
          >
            <span aria-hidden="true">✕</span>
          </button>
        </li>`,
    )}
  </ol>`;

/** @param {Choice} choice @param {string} game @param {Change[]} changes @param {boolean} several */
function outcome({ state, problem, answer }, game, changes, several) {
  if (state === "refused" && problem) return refusal(problem, game);
  if (!answer) return state === "asking" ? html`<p class="faint">${t("moves.asking")}</p>` : nothing;
  const texts = (answer.texts ?? []).filter(Boolean);
  return html`${
      changes.length
        ? html`<ul class="changes" aria-label=${t("moves.changes")}>
            ${changes.map(change)}
          </ul>`
        : nothing
    }
    ${
      texts.length && !several
        ? html`<ul class="consequences">
            ${texts.map((text) => html`<li>${text}</li>`)}
          </ul>`
        : nothing
    }
    ${
      answer.complete
        ? nothing
        : html`<p class="unknown">${t(texts.length ? "moves.unknown_after" : "moves.unknown")}</p>`
    }
    <p class="faint">${t("moves.final")}</p>`;
}

/** @param {Change} one */
const change = ({ name, before, after }) =>
  html`<li class=${after < before ? "less" : "more"}>
    <b>${after < before ? "−" : "+"}${Math.abs(after - before)}</b> ${name} <small>${before} → ${after}</small>
  </li>`;

/** @typedef {import("../../lib/settings.js").Confirmed} Confirmed */
/** The choice which moves are confirmed, with what each of them means. */
export const confirmSetting = () =>
  html`<label class="field"
    ><span>${t("settings.confirm")}</span>
    <select @change=${withText((confirm) => changeSettings({ confirm: /** @type {Confirmed} */ (confirm) }))}>
      ${["costs", "each", "none"].map(
        (name) =>
          html`<option value=${name} ?selected=${settings.confirm === name}>${t(`settings.confirm.${name}`)}</option>`,
      )}
    </select>
    <small class="faint">${t("settings.confirm.hint")}</small></label
  >`;

/** @param {unknown} problem @param {string} game */
export function refusal(problem, game) {
  const rule = problem instanceof Problem ? problem.rule : null;
  return html`<p class="alert" role="alert">
    ${sentenceFor(problem)} ${rule ? html`<a href="#/rules/${game}/${rule}">${t("rules.rule", { rule })}</a>` : nothing}
  </p>`;
}

/** The gap between the board and the confirmation. */
const GAP = 8;

/**
 * On narrow screens the confirmation is at the bottom: scroll so that it does not cover the part of the board in
 * which the move was chosen.
 * @param {ParentNode} root
 */
export function keepStageVisible(root) {
  const bar = root.querySelector(".confirm");
  const chosen = root.querySelector('.board [aria-pressed="true"]');
  const stage = root.querySelector('[data-stage="always"]') ?? chosen?.closest("[data-stage]") ?? chosen;
  if (!bar || !stage || getComputedStyle(bar).position !== "fixed") return;
  const { top, bottom } = stage.getBoundingClientRect();
  const hidden = bottom + GAP - bar.getBoundingClientRect().top;
  if (hidden > 0) scrollBy({ top: Math.min(hidden, Math.max(0, top - GAP)) });
}
