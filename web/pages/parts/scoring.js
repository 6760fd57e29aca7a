// The scoring of a tournament: points by place, and tie-breaks.
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { live } from "../../vendor/lit-html/directives/live.js";
import { withText } from "../../lib/events.js";
import { t } from "../../lib/i18n.js";

/** @typedef {import("../../types").Terms["tie_breaks"]} TieBreaks */
/** @type {TieBreaks} */
export const TIE_BREAKS = ["wins", "score_share", "score", "opponents", "median_opponents", "direct", "lot"];
/** The default points by place. @type {Record<number, number[]>} */
export const POINTS = { 2: [2, 0], 3: [4, 2, 0], 4: [6, 3, 1, 0], 5: [8, 5, 3, 1, 0] };

/** @param {number[]} points best first @param {(next: number[]) => void} change */
export const pointsFields = (points, change) =>
  html`<fieldset>
    <legend>${t("terms.points")}</legend>
    <div class="grid">
      ${points.map(
        (value, place) =>
          html`<label class="field"
            ><span>${t("match.place", { place: place + 1 })}</span
            ><input
              type="number"
              required
              min=${points[place + 1] ?? 0}
              max=${points[place - 1] ?? 1000}
              .value=${live(String(value))}
              @change=${withText((text) => change(points.with(place, Number(text))))}
          /></label>`,
      )}
    </div>
  </fieldset>`;

/** @param {TieBreaks} chosen the first decides first @param {(next: TieBreaks) => void} change */
export function tieBreakFields(chosen, change) {
  const left = TIE_BREAKS.filter((one) => !chosen.includes(one));
  const name = (/** @type {string} */ one) => t(`standings.${one}`);
  const up = (/** @type {number} */ place) =>
    change(chosen.with(place, chosen[place - 1]).with(place - 1, chosen[place]));
  return html`<fieldset>
    <legend>${t("terms.tie_breaks")}</legend>
    <p class="faint">${t("announce.tie_breaks.hint")}</p>
    <ol class="tie-breaks">
      ${chosen.map(
        (one, place) =>
          html`<li class="row">
            <span>${name(one)}</span>
            <button
              type="button"
              ?disabled=${place === 0}
              @click=${() => up(place)}
              aria-label=${t("announce.earlier", { name: name(one) })}
            >
              <span aria-hidden="true">↑</span>
            </button>
            <button type="button" @click=${() => change(chosen.filter((other) => other !== one))}>
              ${t("form.remove")}<span class="unseen"> ${name(one)}</span>
            </button>
          </li>`,
      )}
    </ol>
    ${
      left.length
        ? html`<label class="field"
            ><span>${t("announce.tie_breaks.add")}</span
            ><select
              .value=${live("")}
              @change=${withText((added) => change([...chosen, ...TIE_BREAKS.filter((one) => one === added)]))}
            >
              <option value=""></option>
              ${left.map((one) => html`<option value=${one}>${name(one)}</option>`)}
            </select></label
          >`
        : nothing
    }
  </fieldset>`;
}
