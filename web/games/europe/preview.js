/** A preview of the chosen move, drawn on the map before it is confirmed. */
import { nothing, svg } from '../../boards/lit.js';
import { chosenMove } from '../../boards/context.js';
import { pointOf } from './grid.js';
import { ownerOf } from './owners.js';
import { caravan, coin, crate, merchant, numberSign, post, robber, route } from './pieces.js';
import { put } from './terrain.js';

/** @typedef {import('../../boards/context.js').Context} Context */
/** @typedef {import('./geography.js').Geography} Geography */
/** @typedef {(move: any, context: Context, map: Geography) => unknown} Ghost */

/** @param {Context} context */
const mine = (context) => ownerOf(context, context.you);

/** @type {Record<string, Ghost>} */
const GHOSTS = {
  build_route: ({ path }, context, map) => newRoute(path, context, map),
  place_start_route: ({ path }, context, map) => svg`${newRoute(path, context, map)}${onPath(path, context, map)}`,
  form_caravan: ({ path }, context, map) => onPath(path, context, map),
  place_start_post: ({ city }, context, map) => put(map.cities.get(city)?.at ?? [0, 0], post(mine(context))),
  place_neutral_post: ({ city }, context, map) => put(map.cities.get(city)?.at ?? [0, 0], post(ownerOf(context, null))),
  hire_merchant: ({ city }, context, map) => {
    const [x, y] = map.cities.get(city)?.at ?? [0, 0];
    return put([x + 21, y - 12], merchant(mine(context)));
  },
  move_robber: ({ hex }, _context, map) => {
    const [x, y] = map.hexes.get(hex)?.at ?? [0, 0];
    return put([x + 20, y - 22], robber);
  },
  deliver: ({ city }, context, map) => {
    const [x, y] = map.cities.get(city)?.at ?? [0, 0];
    return put([x + 17, y + 13], crate(mine(context)));
  },
  shift_token: ({ source, hex }, context, map) => {
    const [from, to] = [map.hexes.get(source), map.hexes.get(hex)];
    return from && to ? svg`${line([from.at, to.at])}${put(to.at, numberSign(context.view.numbers[source], true))}` : nothing;
  },
  move_merchant: ({ merchant: number, to }, context, map) => walk(number, to, context, map),
  play_treaty_for_merchant: ({ merchant: number, to }, context, map) => walk(number, to, context, map),
  move_caravan: ({ caravan: number, path }, context, map) => drive(number, path, context, map),
  choose_chain: ({ chain }, _context, map) => chain.map((/** @type {string} */ id) => {
    const path = map.paths.get(id);
    return path ? line([path.a, path.b]) : nothing;
  }),
};

/**
 * @param {Context} context
 * @param {Geography} map
 */
export function preview(context, map) {
  const move = chosenMove(context);
  return (move && GHOSTS[move.type]?.(move, context, map)) || nothing;
}

/** @param {[number, number][]} points */
const line = (points) => {
  const drawn = points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ');
  return svg`<polyline class="way under" points=${drawn}></polyline><polyline class="way" points=${drawn}></polyline>`;
};

/** @param {string} id @param {Context} context @param {Geography} map */
function newRoute(id, context, map) {
  const path = map.paths.get(id);
  return path ? route(path, mine(context)) : nothing;
}

/** @param {string} id @param {Context} context @param {Geography} map */
function onPath(id, context, map) {
  const [x, y] = map.paths.get(id)?.at ?? [0, 0];
  return put([x, y - 4], caravan(mine(context)));
}

/** A merchant's way, and the post that it becomes. @param {number} number @param {string} to @param {Context} context @param {Geography} map */
function walk(number, to, context, map) {
  const from = context.view.players[/** @type {number} */ (context.you)].merchants[number];
  const city = map.cityAt.get(to);
  const founds = city && !context.view.posts[city.id];
  const [x, y] = pointOf(to);
  return svg`${line(map.way(from, to).map(pointOf))}
    ${founds ? put([x, y], post(mine(context))) : put(city ? [x + 21, y - 12] : [x, y - 8], merchant(mine(context)))}
    ${founds && city.gold ? put([x + 20, y - 18], coin(city.gold)) : nothing}`;
}

/** A caravan's way. @param {number} number @param {string[]} path @param {Context} context @param {Geography} map */
function drive(number, path, context, map) {
  const from = context.view.players[/** @type {number} */ (context.you)].caravans[number];
  const points = [from, ...path].map((id) => map.paths.get(id)?.at ?? [0, 0]);
  const [x, y] = points[points.length - 1];
  return svg`${line(/** @type {[number, number][]} */ (points))}${put([x, y - 4], caravan(mine(context)))}`;
}
