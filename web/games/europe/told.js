// A picture of what a fact is about.
import { html } from "../../boards/lit.js";
import { caravan, crate, die, merchant, ownerOf, pictureOf, post, robber, termPicture } from "./pieces.js";

/** @typedef {import("../../types").EuropeContext} Context */
/** @typedef {Record<string, (owner: import("./pieces.js").Owner) => unknown>} Pieces */

/** @type {Pieces} */
const PIECES = {
  caravan_formed: caravan,
  caravan_moved: caravan,
  bribe_played: caravan,
  merchant_hired: merchant,
  merchant_moved: merchant,
  treaty_played: merchant,
  start_post_placed: post,
  post_founded: post,
  good_delivered: crate,
};
const OF_ROBBER = ["robber_woken", "robber_moved", "card_stolen", "theft_forgone", "lancer_played", "cards_discarded"];
/** @type {Record<string, string>} */
const TERMS = { connection_paid: "gold", resource_bought: "gold", resources_produced: "grain", trade_made: "gold" };

/** @param {import("../../types").Fact} fact @param {Context} context */
export function picture(fact, context) {
  const { type } = fact;
  if (type === "dice_rolled")
    return html`<span class="dice"
      >${/** @type {{dice: number[]}} */ (/** @type {unknown} */ (fact)).dice.map(die)}</span
    >`;
  if (OF_ROBBER.includes(type)) return pictureOf(robber);
  if (type in PIECES) return pictureOf(PIECES[type](ownerOf(context, /** @type {number} */ (fact.seat))));
  return type in TERMS ? termPicture(TERMS[type]) : "";
}
