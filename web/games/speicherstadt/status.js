// Above the row: the round, the phases, the pile with its seasons, bag and stock.
import { html, nothing } from "../../boards/lit.js";
import { derivedOf, heading } from "../../boards/context.js";
import { GOODS, cube } from "./goods.js";
import { seasonSign } from "./signs.js";

/** @typedef {import("../../types").SpeicherstadtContext} Context */

const PHASES = ["supply", "demand", "purchase", "loading", "income"];

/** @param {Context} context */
export function status(context) {
  const { phase, round, rounds } = context.view;
  return html`<header class="status">
    <p class="round"><b>${context.t("round", { round, rounds })}</b></p>
    ${
      phase === "over"
        ? html`<p class="phases over"><b>${heading(context, "over")}</b></p>`
        : html`<ol class="phases">
            ${PHASES.map(
              (name) =>
                html`<li class=${name === phase ? "now" : ""} aria-current=${name === phase ? "step" : nothing}>
                  ${heading(context, name)}
                </li>`,
            )}
          </ol>`
    }
    ${pile(context)}
  </header>`;
}

/**
 * The cards to come, season by season; each season's cards are known, their order is not.
 * @param {Context} context
 */
function pile(context) {
  const { seasons, cards: known } = derivedOf(context);
  return html`<ul class="pile" aria-label=${context.t("pile")}>
    ${seasons
      .filter((season) => context.view.pile[season]?.length)
      .map((season) => {
        const cards = context.view.pile[season];
        const fires = cards.map((id) => known[id]).filter((card) => card.kind === "fire");
        const points = fires.map((card) => card.points).join(", ");
        return html`<li
          class="season-${season}"
          title="${heading(context, season)}: ${context.t("cards", { count: cards.length })}${
            points ? `, ${context.t("fire_in", { points })}` : ""
          }"
        >
          <span class="pile-back">${seasonSign(season)}</span><b>${cards.length}</b>
          ${points ? html`<span class="pile-fire">${seasonSign("end")}${points}</span>` : nothing}
          <span class="unseen"
            >${heading(context, season)}${points ? `, ${context.t("fire_in", { points })}` : ""}</span
          >
        </li>`;
      })}
  </ul>`;
}

/**
 * How many cubes of each good lie in the stock and in the bag.
 * @param {Context} context
 */
export function supplies(context) {
  return html`<section class="supplies" aria-label=${context.t("stock")}>
    ${supply(context, "stock")}${supply(context, "bag")}
  </section>`;
}

/** @param {Context} context @param {"stock" | "bag"} where */
function supply(context, where) {
  /** @type {Record<string, number>} */ const counts = context.view[where];
  return html`<p class="supply">
    <span class="supply-name">${context.t(where)}</span>
    ${GOODS.map(
      (good) =>
        html`<span class="supply-good ${counts[good] ? "" : "none"}"
          >${cube(context, good)}<b>${counts[good]}</b></span
        >`,
    )}
  </p>`;
}
