// The geography of a board: places, coordinates and neighbours, as the service derives them from a data set.

import { derivedOf } from "../../boards/context.js";

/** @typedef {[number, number]} Point */
/** @typedef {{ id: string, terrain: string, at: Point, ringed: boolean }} Hex */
/**
 * @typedef {{ id: string, name: string, at: Point, violet: boolean, gold: number,
 *   coin: { x: number, y: number } }} City
 */
/**
 * @typedef {{ id: string, ends: [string, string], a: Point, b: Point, at: Point, sea: boolean, double: boolean }} Path
 */
/** @typedef {{ id: string, at: Point, city: string | null, neighbours: string[] }} Crossroads */

/**
 * The derived data of a data set, as far as the board needs it: places with the coordinates `x` and `y`.
 * @typedef {{[P in "hexes" | "crossroads" | "cities" | "paths"]: Record<string, {x: number, y: number}>}
 *   & {prices?: Record<string, Record<string, number>>}} Derived
 */

/** The length of a hex side in a drawing. */
const SIDE = 64;
const ROOM = 0.6 * SIDE;
const EDGE = 14;
const HALF_WIDTH = (SIDE * Math.sqrt(3)) / 2 + EDGE;
/** The distance of a coin from its city, compared with the printed board. */
const COIN_DISTANCE = 1.08;

/** @typedef {keyof import("../../types").EuropeView["supply"]} Resource */
/** @type {Resource[]} */
export const RESOURCES = ["lumber", "wool", "grain", "ore", "salt"];
/** @type {(Resource | "gold")[]} */
export const TERMS = [...RESOURCES, "gold"];

export class Geography {
  /** @param {Derived} derived */
  constructor({ hexes, crossroads, cities, paths }) {
    /** @type {Hex[]} */
    const all = Object.values(located(hexes));
    /** @type {Record<string, Hex>} The hexes with land. */
    this.hexes = Object.fromEntries(all.filter(({ terrain }) => terrain !== "sea").map((hex) => [hex.id, hex]));
    this.sea = all.filter(({ terrain }) => terrain === "sea").map(({ at }) => at);
    /** @type {Record<string, City>} */
    this.cities = located(cities);
    /** @type {Record<string, Crossroads>} */
    this.crossroads = located(crossroads);
    /** @type {Record<string, Path>} */
    this.paths = located(paths);
    for (const path of Object.values(this.paths)) [path.a, path.b] = path.ends.map((end) => this.crossroads[end].at);
    /** @type {[number, number, number, number]} x, y, width and height of the map */
    this.frame = frameOf(
      Object.values(this.crossroads).map(({ at }) => at),
      Object.values(this.hexes).map(({ at }) => at),
    );
  }

  /**
   * The crossroads on a shortest path, both ends included.
   * @param {string} from
   * @param {string} to
   * @returns {string[]}
   */
  way(from, to) {
    const before = new Map([[from, ""]]);
    const queue = [from];
    for (const at of queue) {
      if (at === to) break;
      for (const other of this.crossroads[at].neighbours) {
        if (!before.has(other)) {
          before.set(other, at);
          queue.push(other);
        }
      }
    }
    const way = [];
    for (let at = to; at; at = before.get(at) ?? "") way.unshift(at);
    return way;
  }
}

/** @type {WeakMap<object, Geography>} */
const known = new WeakMap();

/**
 * The geography of the data set; computed once and cached.
 * @param {{data: {derived: Derived} | null}} context
 */
export function geographyOf(context) {
  const derived = derivedOf(context);
  let found = known.get(derived);
  if (!found) known.set(derived, (found = new Geography(derived)));
  return found;
}

/**
 * Places by id, each with its id and its point.
 * @template T
 * @param {Record<string, {x: number, y: number}>} places
 */
const located = (places) =>
  /** @type {Record<string, T>} */ (
    Object.fromEntries(Object.entries(places).map(([id, { x, y, ...place }]) => [id, { ...place, id, at: [x, y] }]))
  );

/** @param {City} city @returns {Point} where its coin lies, off the coast */
export const coinOf = ({ at: [x, y], coin }) => [x + (coin.x - x) * COIN_DISTANCE, y + (coin.y - y) * COIN_DISTANCE];

/** @param {Point} middle of a hex @param {number} [size] @returns {string} its outline as path data */
export const outlineOf = ([x, y], size = SIDE) => {
  const turns = [0, 1, 2, 3, 4, 5].map((k) => (k * Math.PI) / 3);
  return `M${turns
    .map((turn) => `${(x + size * Math.sin(turn)).toFixed(1)} ${(y - size * Math.cos(turn)).toFixed(1)}`)
    .join("L")}Z`;
};

/**
 * @param {Point[]} crossroads
 * @param {Point[]} land
 * @returns {[number, number, number, number]} all crossroads and all land, with some room
 */
function frameOf(crossroads, land) {
  const reach = [
    ...crossroads.map((at) => ({ at, x: ROOM, y: ROOM })),
    ...land.map((at) => ({ at, x: HALF_WIDTH, y: SIDE + EDGE })),
  ];
  const left = Math.min(...reach.map(({ at, x }) => at[0] - x));
  const top = Math.min(...reach.map(({ at, y }) => at[1] - y));
  const right = Math.max(...reach.map(({ at, x }) => at[0] + x));
  return [left, top, right - left, Math.max(...reach.map(({ at, y }) => at[1] + y)) - top];
}
