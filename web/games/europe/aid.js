// The player's aid: prices, a turn, what fields give, moving, winning; and the pictures of words in the rules.
import { html } from "../../boards/lit.js";
import { heading, word } from "../../boards/context.js";
import { styles } from "../../boards/styles.js";
import { RESOURCES } from "./geography.js";
import { caravan, crate, merchant, pictureOf, post, robber, route, termPicture } from "./pieces.js";

await styles(import.meta.url, "../../boards/seats.css", "../../boards/boards.css", "board.css", "map.css");

/**
 * @typedef {object} Figures what the service derives from the rules and the board
 * @property {Record<string, Record<string, number>>} prices by the type of the move
 * @property {{merchant: number, caravan: number}} steps
 * @property {{gold: number, times_a_turn: number, alike: number}} supply
 * @property {number} hand_limit
 * @property {Record<string, {posts: number, goods: number}>} pieces by the number of players
 * @property {Record<string, string>} resources by terrain
 */
/** @typedef {import("../../types").AidContext<Figures>} Context */

const ANYBODY = { colour: "red", letter: "" };
/** @type {Record<string, () => unknown>} The pictures of the words of the game, by their keys. */
export const pictures = {
  ...Object.fromEntries([...RESOURCES, "gold"].map((name) => [name, () => termPicture(name)])),
  post: () => pictureOf(post(ANYBODY)),
  route: () => pictureOf(route({ a: [-22, 12], b: [22, -12], at: [0, 0] }, ANYBODY)),
  merchant: () => pictureOf(merchant(ANYBODY)),
  caravan: () => pictureOf(caravan(ANYBODY)),
  good: () => pictureOf(crate(ANYBODY)),
  robber: () => pictureOf(robber),
};
export const style = "europe";

/** The tools of the purchases, with the pieces that they bring. @type {[string, string, string | null][]} */
const PURCHASES = [
  ["build_route", "tool_route", "route"],
  ["hire_merchant", "tool_hire", "merchant"],
  ["form_caravan", "tool_form", "caravan"],
  ["buy_card", "tool_card", null],
];

/** @param {Context} context @param {string} name @param {number} count */
const paid = (context, name, count) =>
  html`<span class="paid">${count} ${termPicture(name)}<span class="unseen">${word(context, name)}</span></span>`;

/** @param {Context} context */
export function aid(context) {
  const { t, data, seats } = context;
  const { prices, steps, supply, hand_limit: limit, pieces, resources } = data.derived;
  return html`<section>
      <h3>${t("aid.costs")}</h3>
      <dl>
        ${PURCHASES.map(
          ([type, tool, piece]) =>
            html`<dt>${piece ? pictures[piece]() : ""} ${t(tool)}</dt>
              <dd>${Object.entries(prices[type]).map(([name, count]) => paid(context, name, count))}</dd>`,
        )}
        <dt>${t("tool_supply")}</dt>
        <dd>${paid(context, "gold", supply.gold)} ${t("aid.any", { times: supply.times_a_turn })}</dd>
        <dd>${t("aid.alike", { alike: supply.alike })}</dd>
      </dl>
    </section>
    <section>
      <h3>${t("aid.turn")}</h3>
      <ol>
        <li>${t("aid.roll")}</li>
        <li>${t("aid.act")}</li>
      </ol>
      <p>${pictures.robber()} ${t("aid.seven", { limit })}</p>
      <h3>${t("aid.fields")}</h3>
      <p>
        ${Object.entries(resources).map(
          ([terrain, name]) =>
            html`<span class="paid">${heading(context, terrain)} ${termPicture(name)} ${word(context, name)}</span>`,
        )}
      </p>
    </section>
    <section>
      <h3>${t("aid.moving")}</h3>
      <p>${pictures.merchant()} ${paid(context, "grain", 1)} ${t("aid.merchant", { steps: steps.merchant })}</p>
      <p>${pictures.caravan()} ${paid(context, "salt", 1)} ${t("aid.caravan", { steps: steps.caravan })}</p>
      <p>${pictures.good()} ${t("aid.deliver")}</p>
      <h3>${t("aid.end")}</h3>
      <p>${pictures.post()} ${t("aid.win", { ...(pieces[seats] ?? {}) })}</p>
    </section>`;
}
