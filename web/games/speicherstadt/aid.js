// The player's aid: the phases of a round, and every kind of card with its worth; and pictures of words in the rules.
import { html } from "../../boards/lit.js";
import { heading } from "../../boards/context.js";
import { styles } from "../../boards/styles.js";
import { GOODS, cubeShape } from "./goods.js";
import { picture } from "./pictures.js";
import { effect } from "./row.js";
import { coin, helmet, metalCoin, seasonSign } from "./signs.js";

await styles(import.meta.url, "../../boards/seats.css", "../../boards/boards.css", "board.css", "pictures.css");

/** @typedef {import("../../types").Card} Card */
/**
 * @typedef {object} Figures what the service derives from the rules and the cards
 * @property {Record<string, Card>} cards
 * @property {Record<string, string[]>} removed the cards that stay in the box, by the number of players
 * @property {Record<string, Record<string, number>>} numbers by the number of players
 */
/** @typedef {import("../../types").AidContext<Figures>} Context */

const PHASES = ["supply", "demand", "purchase", "loading", "income"];

/** @param {string} good */
const cube = (good) =>
  html`<svg class="cube-picture" viewBox="-12.5 -12.5 25 25" aria-hidden="true">${cubeShape(good)}</svg>`;

/** @type {Record<string, () => unknown>} The pictures of the words of the game, by their keys. */
export const pictures = {
  ...Object.fromEntries(GOODS.map((good) => [good, () => cube(good)])),
  ...Object.fromEntries(["winter", "spring", "summer", "autumn"].map((name) => [name, () => seasonSign(name)])),
  fireman: () => helmet,
  fire: () => seasonSign("end"),
};
export const style = "speicherstadt";

/** @param {number | "" | undefined} one @param {number | "" | undefined} other */
const increasing = (one, other) => Number(one) - Number(other);

/** @param {Card[]} cards @param {"points" | "value"} field the different values that are printed on cards of a kind */
const printed = (cards, field) =>
  [...new Set(cards.map((card) => card[field]).filter(Boolean))].sort(increasing).join(" / ");

/** @param {Context} context */
function kinds({ data: { derived }, seats }) {
  /** @type {Map<string, Card[]>} */ const found = new Map();
  for (const [id, card] of Object.entries(derived.cards)) {
    if (derived.removed[seats]?.includes(id)) continue;
    found.set(card.kind, [...(found.get(card.kind) ?? []), card]);
  }
  return [...found];
}

/** @param {Context} context */
export function aid(context) {
  const { t, data, seats } = context;
  const numbers = data.derived.numbers[seats];
  return html`<section class="wide-part">
      <h3>${t("aid.round")}</h3>
      <ol>
        ${PHASES.map((phase) => html`<li><b>${heading(context, phase)}</b> ${t(`aid.${phase}`, numbers)}</li>`)}
      </ol>
      <p>${coin} ${t("coins")} · ${helmet} ${t("firemen")} · ${metalCoin} ${t("first_player")}</p>
    </section>
    <section class="wide-part">
      <h3>${t("aid.cards")}</h3>
      <ul class="kinds">
        ${kinds(context).map(
          ([kind, cards]) =>
            html`<li>
              ${picture(cards[0])}
              <span
                ><b>${heading(context, kind)}</b> <small>× ${cards.length}</small><br />${effect(context, {
                  ...cards[0],
                  points: printed(cards, "points"),
                  value: printed(cards, "value"),
                })}</span
              >
            </li>`,
        )}
      </ul>
    </section>`;
}
