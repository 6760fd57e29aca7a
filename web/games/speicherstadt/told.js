// A picture of what a fact is about.
import { derivedOf } from "../../boards/context.js";
import { cube } from "./goods.js";
import { picture } from "./pictures.js";
import { coin, metalCoin, trophy } from "./signs.js";

/** @typedef {import("../../types").SpeicherstadtContext} Context */

const COINS = ["income_paid", "cube_sold", "two_cubes_sold"];
/** @type {Record<string, unknown>} */
const SIGNS = { metal_coin_passed: metalCoin, first_player_chosen: metalCoin, game_ended: trophy };

/** @param {import("../../types").Fact} fact @param {Context} context */
export function toldPicture(fact, context) {
  const { card, fire, contract, good } = /** @type {Record<string, string | undefined>} */ (
    /** @type {unknown} */ (fact)
  );
  const id = card ?? fire ?? contract;
  const known = id ? derivedOf(context).cards[id] : null;
  if (known) return picture(known);
  if (COINS.includes(fact.type)) return coin;
  return SIGNS[fact.type] ?? (good ? cube(context, good) : "");
}
