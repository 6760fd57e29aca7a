/** The geography of a board: places, coordinates and neighbours. */
import { SIDE, between, cornerId, endsOf, hexesAt, middleOf, pointOf, sideId } from './grid.js';

/** @typedef {import('./grid.js').Point} Point */
/** @typedef {{ id: string, terrain: string, at: Point, number: number | null, ringed: boolean }} Hex */
/** @typedef {{ id: string, name: string, corner: string, at: Point, violet: boolean, gold: number }} City */
/** @typedef {{ id: string, ends: [string, string], a: Point, b: Point, at: Point, sea: boolean, double: boolean }} Path */

const ROOM = 0.6 * SIDE;
const EDGE = 14;
const HALF_WIDTH = (SIDE * Math.sqrt(3)) / 2 + EDGE;

export const RESOURCES = ['lumber', 'wool', 'grain', 'ore', 'salt'];
export const TERMS = [...RESOURCES, 'gold'];

export class Geography {
  /** @param {any} document the document of a data set */
  constructor(document) {
    /** @type {Map<string, Hex>} */
    this.hexes = new Map(document.land.map((/** @type {any} */ land) => [land.at, hexFrom(land)]));
    /** @type {string[]} */
    this.sea = document.sea;
    /** @type {Map<string, City>} */
    this.cities = new Map(document.cities.map((/** @type {any} */ city) => [city.id, cityFrom(city)]));
    /** @type {Map<string, Path>} */
    this.paths = pathsFrom(document.paths);
    /** @type {Map<string, City>} */
    this.cityAt = new Map([...this.cities.values()].map((city) => [city.corner, city]));
    /** @type {Map<string, string[]>} Crossroads to the next crossroads. */
    this.next = new Map();
    for (const { ends: [a, b] } of this.paths.values()) {
      this.next.set(a, [...(this.next.get(a) ?? []), b]);
      this.next.set(b, [...(this.next.get(b) ?? []), a]);
    }
    /** @type {[number, number, number, number]} x, y, width and height of the map */
    this.frame = frameOf([...this.next.keys()].map(pointOf), [...this.hexes.values()].map(({ at }) => at));
  }

  /** @param {string} crossroads @returns {Point} */
  pointAt(crossroads) {
    return pointOf(crossroads);
  }

  /** @param {City} city @returns {Point} where its coin lies, off the coast */
  coinOf(city) {
    const sea = new Set(this.sea);
    const water = hexesAt(city.corner).filter((hex) => sea.has(hex)).map(middleOf);
    const [x, y] = city.at;
    const wx = water.reduce((sum, [px]) => sum + px, 0) / (water.length || 1);
    const wy = water.reduce((sum, [, py]) => sum + py, 0) / (water.length || 1);
    const away = Math.hypot(wx - x, wy - y) || 1;
    return [x + ((wx - x) * 27) / away, y + ((wy - y) * 27) / away];
  }

  /**
   * The crossroads on a shortest path, both ends included.
   * @param {string} from
   * @param {string} to
   * @returns {string[]}
   */
  way(from, to) {
    const before = new Map([[from, '']]);
    const queue = [from];
    for (const at of queue) {
      if (at === to) break;
      for (const other of this.next.get(at) ?? []) {
        if (!before.has(other)) {
          before.set(other, at);
          queue.push(other);
        }
      }
    }
    const way = [];
    for (let at = before.has(to) ? to : ''; at; at = before.get(at) ?? '') way.unshift(at);
    return way;
  }
}

/** @type {WeakMap<object, Geography>} */
const known = new WeakMap();

/**
 * The geography of a data set; computed once and cached.
 * @param {any} data
 */
export function geographyOf(data) {
  const document = data.document ?? data;
  let found = known.get(document);
  if (!found) known.set(document, (found = new Geography(document)));
  return found;
}

/** @param {any} land @returns {Hex} */
const hexFrom = (land) => ({
  id: land.at, terrain: land.terrain, at: middleOf(land.at), number: land.number ?? null, ringed: land.ringed ?? false,
});

/** @param {any} city @returns {City} */
const cityFrom = (city) => {
  const corner = cornerId(city.at);
  return { id: city.id, name: city.name, corner, at: pointOf(corner), violet: city.violet ?? false, gold: city.gold ?? 0 };
};

/** @param {any} written @returns {Map<string, Path>} */
function pathsFrom(written) {
  const double = new Set(written.double.map(sideId));
  const sides = [...written.land.map((/** @type {string} */ at) => [at, false]), ...written.sea.map((/** @type {string} */ at) => [at, true])];
  return new Map(
    sides.map(([at, sea]) => {
      const id = sideId(at);
      const ends = endsOf(id);
      const [a, b] = [pointOf(ends[0]), pointOf(ends[1])];
      return [id, { id, ends, a, b, at: between(a, b), sea, double: double.has(id) }];
    }),
  );
}

/** @param {Point[]} crossroads @param {Point[]} land @returns {[number, number, number, number]} all crossroads and all land, with some room */
function frameOf(crossroads, land) {
  const reach = [...crossroads.map((at) => ({ at, x: ROOM, y: ROOM })), ...land.map((at) => ({ at, x: HALF_WIDTH, y: SIDE + EDGE }))];
  const left = Math.min(...reach.map(({ at, x }) => at[0] - x));
  const top = Math.min(...reach.map(({ at, y }) => at[1] - y));
  const right = Math.max(...reach.map(({ at, x }) => at[0] + x));
  return [left, top, right - left, Math.max(...reach.map(({ at, y }) => at[1] + y)) - top];
}
