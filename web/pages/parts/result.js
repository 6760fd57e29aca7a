// The end of a match: places and points, and the next actions.
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { t } from "../../lib/i18n.js";
import { eventText, wordFor } from "../../lib/texts.js";
import { decimal } from "./rating_graph.js";

/** @typedef {import("../../types").Match} Match */

/**
 * @typedef {object} More
 * @property {(() => void) | null} rematch
 * @property {"good" | "wrong" | null} record how the record compares with the stored evidence
 * @property {string} reason why the match is over, in one sentence
 * @property {{before: number | null, after: number} | null} rating how the result has changed the rating of the user
 * @property {boolean} news whether the match has just ended: then the result comes to wherever the reader is
 * @property {() => void} close
 */

/** @param {Match} match @param {string[]} names @param {import("../../types").Words} words @param {More} more */
export function result(match, names, words, { rematch, record, reason, rating, news, close }) {
  const { result: found } = match;
  const order = found ? names.map((_, seat) => seat).sort((one, other) => found.places[one] - found.places[other]) : [];
  const kinds = [...new Set((found?.scores ?? []).flatMap((one) => Object.keys(one)))];
  const leave = (/** @type {KeyboardEvent} */ event) => {
    if (news && event.key === "Escape") close();
  };
  return html`<section class="result ${news ? "news" : ""}" aria-labelledby="result-title" @keydown=${leave}>
    <h2 id="result-title">${found ? winner(match, names) : t("result.aborted")}</h2>
    ${reason ? html`<p class="reason">${reason}</p>` : nothing}
    ${rating ? html`<p class="rating">${ratingText(rating)}</p>` : nothing}
    ${
      found?.scores
        ? html`<div class="wide" tabindex="0" role="group" aria-label=${t("result.table")}>
            <table>
              <thead>
                <tr>
                  <th scope="col">${t("result.place")}</th>
                  <th scope="col">${t("result.player")}</th>
                  ${kinds.map((kind) => html`<th scope="col" class="number">${wordFor(words, kind)}</th>`)}
                </tr>
              </thead>
              <tbody>
                ${order.map(
                  (seat) =>
                    html`<tr>
                      <td>${found.places[seat]}</td>
                      <th scope="row">${names[seat]}</th>
                      ${kinds.map((kind) => html`<td class="number">${found.scores?.[seat][kind] ?? "–"}</td>`)}
                    </tr>`,
                )}
              </tbody>
            </table>
          </div>`
        : nothing
    }
    ${
      record === "wrong"
        ? html`<p class="alert" role="alert">
            ${t("result.contradicted")} <a href="#/match/${match.id}/check">${t("result.check")}</a>
          </p>`
        : record
          ? html`<p class="faint">✓ ${t("result.checked")}</p>`
          : nothing
    }
    <p class="row">
      <a class="button main" href="#/match/${match.id}/replay">${t("result.replay")}</a>
      <a class="button" href="#/match/${match.id}/replay?analyse=yes">${t("analysis.ask")}</a>
      <a class="button" href="#/match/${match.id}/check">${t("result.check")}</a>
      ${rematch ? html`<button type="button" @click=${rematch}>${t("result.rematch")}</button>` : nothing}
      ${news ? html`<button type="button" @click=${close}>${t("result.close")}</button>` : nothing}
    </p>
  </section>`;
}

/** The facts that say why a match is over. */
const ENDINGS = ["game_ended", "seat_resigned", "match_aborted"];

/**
 * Why a match is over: what the rules, a player or a clock decided.
 * @param {import("../../types").Game} game
 * @param {import("../../types").Event[]} events
 * @param {string[]} names
 */
export function endReason(game, events, names) {
  const last = events.findLast(
    ({ fact }) => ENDINGS.includes(fact.type) || (fact.type === "seat_timed_out" && fact.consequence === "forfeit"),
  );
  if (!last) return "";
  return last.fact.type === "match_aborted"
    ? t(`result.aborted.${last.fact.reason}`)
    : (eventText(game, last, names) ?? "");
}

/** @param {{before: number | null, after: number}} rating */
export function ratingText({ before, after }) {
  if (before === null) return t("result.rating_first", { after: decimal(after) });
  const change = Number((after - before).toFixed(1));
  return t("result.rating", {
    before: decimal(before),
    after: decimal(after),
    change: `${change < 0 ? "−" : "+"}${decimal(Math.abs(change))}`,
  });
}

/** @param {Pick<Match, "you" | "result">} match @param {string[]} names */
export function winner(match, names) {
  const first = names.filter((_, seat) => match.result?.places[seat] === 1);
  const won = match.you !== null && match.result?.places[match.you] === 1;
  return first.length > 1
    ? t("result.shared", { names: first.join(", ") })
    : won
      ? t("result.you_won")
      : t("result.won", { name: first[0] });
}
