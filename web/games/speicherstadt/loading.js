// Loading: the user selects some cubes, and gets the moves with exactly these.
//
// One cube goes to a contract, a merchant, the warehouse, the market hall or back to the quay; two are sold; three are
// exchanged for one of the stock.
import { movesOf } from "../../boards/context.js";
import { GOODS, sorted } from "./goods.js";

/** @typedef {{ good: string, origin: string, key: string }} Cube  one of the user's cubes, and where it is */
/** @typedef {import("../../types").Offered<import("../../types").SpeicherstadtMove>} Choice */
/** @typedef {import("../../types").SpeicherstadtContext} Context */
/** @typedef {import("../../types").SpeicherstadtBoard} BoardElement */

const SINGLE = ["put_on_contract", "sell_to_merchant", "store_cube", "keep_cube", "take_out"];
const MOST = 3;
/** Where cubes lie. */
export const HEAPS = /** @type {const} */ (["quay", "market_hall", "warehouse"]);

/**
 * The selected cubes.
 * @param {BoardElement} board
 * @returns {Cube[]}
 */
export const held = (board) => board.local.held ?? [];

/**
 * The moves that use all selected cubes.
 * @param {BoardElement} board
 * @returns {Choice[]}
 */
export function usable(board) {
  const cubes = held(board);
  if (cubes.length === 1) return movesWith(board.context, cubes[0]);
  return cubes.length
    ? severalWith(
        board.context,
        cubes.map(({ good }) => good),
        true,
      )
    : [];
}

/** The moves of a single cube. @param {Context} context @param {Cube} cube */
const movesWith = (context, { good, origin }) =>
  movesOf(context, ...SINGLE).filter(({ move }) => move.good === good && move.origin === origin);

/**
 * The moves with several cubes that use exactly these, or at least these.
 * @param {Context} context
 * @param {string[]} goods
 * @param {boolean} exactly
 */
function severalWith(context, goods, exactly) {
  return movesOf(context, "sell_two", "convert").filter(({ move }) => {
    const used = move.goods ?? move.give ?? [];
    if (exactly) return String(sorted(used)) === String(sorted(goods));
    return GOODS.every((good) => count(used, good) >= count(goods, good));
  });
}

/** @param {string[]} goods @param {string} good */
export const count = (goods, good) => goods.filter((other) => other === good).length;

/**
 * All moves that are possible if this cube is selected, too.
 * @param {BoardElement} board
 * @param {Cube} cube
 * @returns {Choice[]}
 */
export function leadsTo(board, cube) {
  const { context } = board;
  const others = held(board).filter(({ key }) => key !== cube.key);
  if (others.length >= MOST) return [];
  const several = severalWith(
    context,
    [...others, cube].map(({ good }) => good),
    false,
  );
  return others.length ? several : [...movesWith(context, cube), ...several];
}

/** @param {BoardElement} board @param {Cube} cube */
export function toggle(board, cube) {
  const cubes = held(board);
  const kept = cubes.filter(({ key }) => key !== cube.key);
  board.context.choose(null);
  board.update({ held: kept.length < cubes.length ? kept : [...cubes, cube], asking: null });
}

/**
 * The cubes that a move uses; they are selected while it is chosen.
 * @param {BoardElement} board
 * @param {import("../../types").SpeicherstadtMove} move
 * @returns {Cube[]}
 */
export function cubesOf({ context }, move) {
  const seat = context.view.seats[context.you ?? 0];
  const own = HEAPS.flatMap((origin) =>
    sorted(seat[origin] ?? []).map((good, i) => ({ good, origin, key: `${origin} ${i}` })),
  );
  /** @type {Cube[]} */
  const used = [];
  for (const good of move.goods ?? move.give ?? (move.good ? [move.good] : [])) {
    const cube = own.find(
      (one) => one.good === good && !used.includes(one) && (!move.origin || one.origin === move.origin),
    );
    if (cube) used.push(cube);
  }
  return used;
}
