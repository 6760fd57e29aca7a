// The end of a match: places and points, and the next actions.
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { t } from "../../lib/i18n.js";
import { wordFor } from "../../lib/texts.js";

/** @typedef {import("../../types").Match} Match */

/** @param {Match} match @param {string[]} names @param {Record<string, any>} words @param {(() => void) | null} rematch @param {"good" | "wrong" | null} record how it compares with the stored evidence */
export function result(match, names, words, rematch, record) {
  const { result: found } = match;
  const order = found ? names.map((_, seat) => seat).sort((one, other) => found.places[one] - found.places[other]) : [];
  const kinds = [...new Set((found?.scores ?? []).flatMap((one) => Object.keys(one)))];
  return html`<section class="result"><h2>${found ? winner(match, names) : t("result.aborted")}</h2>
    ${found?.scores ? html`<div class="wide" tabindex="0" role="group" aria-label=${t("result.table")}><table><thead><tr><th scope="col">${t("result.place")}</th><th scope="col">${t("result.player")}</th>${kinds.map((kind) => html`<th scope="col" class="number">${wordFor(words, kind)}</th>`)}</tr></thead>
      <tbody>${order.map((seat) => html`<tr><td>${found.places[seat]}</td><th scope="row">${names[seat]}</th>${kinds.map((kind) => html`<td class="number">${found.scores?.[seat][kind] ?? "–"}</td>`)}</tr>`)}</tbody></table></div>` : nothing}
    ${record === "wrong" ? html`<p class="alert" role="alert">${t("result.contradicted")} <a href="#/match/${match.id}/check">${t("result.check")}</a></p>` : record ? html`<p class="faint">✓ ${t("result.checked")}</p>` : nothing}
    <p class="row"><a class="button main" href="#/match/${match.id}/replay">${t("result.replay")}</a> <a class="button" href="#/match/${match.id}/check">${t("result.check")}</a>
    ${rematch ? html`<button type="button" @click=${rematch}>${t("result.rematch")}</button>` : nothing}</p></section>`;
}

/** @param {Match} match @param {string[]} names */
export function winner(match, names) {
  const first = names.filter((_, seat) => match.result?.places[seat] === 1);
  const won = match.you !== null && match.result?.places[match.you] === 1;
  return first.length > 1 ? t("result.shared", { names: first.join(", ") }) : won ? t("result.you_won") : t("result.won", { name: first[0] });
}
