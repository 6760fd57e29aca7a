// A preview of the chosen move, drawn on the map before it is confirmed.
import { nothing, svg } from "../../boards/lit.js";
import { chosenMove } from "../../boards/context.js";
import { caravan, coin, crate, merchant, numberSign, ownerOf, post, robber, route } from "./pieces.js";
import { put } from "./terrain.js";

/** @typedef {import("../../types").EuropeContext} Context */
/** @typedef {import("./geography.js").Geography} Geography */
/** @typedef {(move: import("../../types").EuropeMove, context: Context, map: Geography) => unknown} Ghost */

/** @param {Context} context */
const mine = (context) => ownerOf(context, context.you);

/** @param {[number, number]} at @param {number} dx @param {number} dy @returns {[number, number]} */
const beside = ([x, y], dx, dy) => [x + dx, y + dy];

/** @type {Record<string, Ghost>} */
const GHOSTS = {
  build_route: newRoute,
  place_start_route: (move, context, map) => svg`${newRoute(move, context, map)}${newCaravan(move, context, map)}`,
  form_caravan: newCaravan,
  place_start_post: ({ city }, context, map) => put(map.cities[city].at, post(mine(context))),
  place_neutral_post: ({ city }, context, map) => put(map.cities[city].at, post(ownerOf(context, null))),
  hire_merchant: ({ city }, context, map) => put(beside(map.cities[city].at, 21, -12), merchant(mine(context))),
  move_robber: ({ hex }, _context, map) => put(beside(map.hexes[hex].at, 20, -22), robber),
  deliver: ({ city }, context, map) => put(beside(map.cities[city].at, 17, 13), crate(mine(context))),
  shift_token: ({ source, hex }, context, map) => {
    const [from, to] = [map.hexes[source].at, map.hexes[hex].at];
    return svg`${line([from, to])}${put(to, numberSign(context.view.numbers[source], true))}`;
  },
  move_merchant: walk,
  play_treaty_for_merchant: walk,
  move_caravan: drive,
  choose_chain: ({ chain }, _context, map) => chain.map((id) => line([map.paths[id].a, map.paths[id].b])),
};

/** @typedef {import("../../types").EuropeFact} Fact @typedef {import("../../boards/motion.js").Way} Way */
/** The ways of the facts that bring a piece somewhere. @type {Record<string, (fact: Fact, map: Geography) => Way>} */
const WAYS = {
  merchant_moved: (fact, map) => {
    const { seat, merchant: number, way } = /** @type {Extract<typeof fact, {type: "merchant_moved"}>} */ (fact);
    return { piece: `merchant ${seat} ${number}`, points: way.map((id) => map.crossroads[id].at) };
  },
  caravan_moved: (fact, map) => {
    const { seat, caravan: number, path } = /** @type {Extract<typeof fact, {type: "caravan_moved"}>} */ (fact);
    return { piece: `caravan ${seat} ${number}`, points: path.map((id) => map.paths[id].at) };
  },
};

/** The way of the piece that moves in the step that is shown. @param {Context} context @param {Geography} map */
export const wayOf = ({ step }, map) =>
  step ? (WAYS[step.fact.type]?.(/** @type {Fact} */ (step.fact), map) ?? null) : null;

/** @param {Context} context @param {Geography} map */
export function preview(context, map) {
  const way = wayOf(context, map);
  if (way) return line(way.points);
  const move = chosenMove(context);
  return (move && GHOSTS[move.type]?.(move, context, map)) || nothing;
}

/** @param {[number, number][]} points */
const line = (points) => {
  const drawn = points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
  return svg`<polyline class="way under" points=${drawn}></polyline><polyline class="way" points=${drawn}></polyline>`;
};

/** @type {Ghost} */
function newRoute({ path }, context, map) {
  return route(map.paths[String(path)], mine(context));
}

/** @type {Ghost} */
function newCaravan({ path }, context, map) {
  return put(beside(map.paths[String(path)].at, 0, -4), caravan(mine(context)));
}

/** A merchant's way, and the post that it becomes. @type {Ghost} */
function walk({ merchant: number, to }, context, map) {
  const from = String(context.view.players[/** @type {number} */ (context.you)].merchants[number]);
  const { at, city: id } = map.crossroads[String(to)];
  const founds = id !== null && !context.view.posts[id];
  return svg`${line(map.way(from, String(to)).map((crossroads) => map.crossroads[crossroads].at))}
    ${
      founds ? put(at, post(mine(context))) : put(id ? beside(at, 21, -12) : beside(at, 0, -8), merchant(mine(context)))
    }
    ${founds && map.cities[id].gold ? put(beside(at, 20, -18), coin(map.cities[id].gold)) : nothing}`;
}

/** A caravan's way. @type {Ghost} */
function drive({ caravan: number, path }, context, map) {
  const from = context.view.players[/** @type {number} */ (context.you)].caravans[number];
  const points = [String(from), ...path].map((id) => map.paths[id].at);
  return svg`${line(points)}${put(beside(points[points.length - 1], 0, -4), caravan(mine(context)))}`;
}
