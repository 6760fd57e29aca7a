// All positions of a match, loaded once: views are built from patches, so that a slider can go through thousands of
// them.
import * as api from "./api.js";
import { tellQuery } from "./texts.js";

/**
 * @typedef {object} Position
 * @property {number} version
 * @property {number} first
 * @property {string} at
 * @property {string} by
 * @property {number | null} seat
 * @property {any[]} facts
 * @property {(string | null)[]} [texts]
 * @property {string} status
 * @property {number[]} to_act
 * @property {any} view
 */

/** @param {string} text a step of a JSON Pointer */
const step = (text) => text.replaceAll("~1", "/").replaceAll("~0", "~");

/**
 * A copy of a value with one operation of a JSON Patch applied.
 * @param {any} value
 * @param {string[]} path
 * @param {{op: string, value?: any}} change
 * @returns {any}
 */
export function patched(value, [first, ...rest], change) {
  if (first === undefined) return change.value;
  const copy = Array.isArray(value) ? [...value] : { ...value };
  if (rest.length) copy[first] = patched(copy[first], rest, change);
  else if (!Array.isArray(copy)) change.op === "remove" ? delete copy[first] : (copy[first] = change.value);
  else if (change.op === "remove") copy.splice(Number(first), 1);
  else if (first === "-") copy.push(change.value);
  else if (change.op === "add") copy.splice(Number(first), 0, change.value);
  else copy[Number(first)] = change.value;
  return copy;
}

/** @param {any} view @param {any[]} patch */
const patchedBy = (view, patch) =>
  patch.reduce((seen, one) => patched(seen, one.path.split("/").slice(1).map(step), one), view);

/**
 * @param {any[]} found positions as the service sends them
 * @param {any} view the view before them
 * @returns {Position[]}
 */
export function withViews(found, view = null) {
  return found.map(({ patch, ...position }) => {
    view = patch ? patchedBy(view, patch) : position.view;
    return { ...position, view };
  });
}

/**
 * The facts of a position, or of the answer to a command, as events.
 * @param {Pick<Position, "first" | "at" | "by" | "facts" | "texts">} position
 * @returns {import("../types").Event[]}
 */
export const eventsOf = ({ first, at, by, facts, texts }) =>
  facts.map((fact, place) => ({ version: first + place, at, by, fact, ...(texts ? { text: texts[place] } : {}) }));

/**
 * Read the positions of a match as one viewer sees them.
 * @param {string} match @param {string | null} viewer a seat, `spectator`, `arbiter`, or null for the user's own view
 * @param {(positions: Position[], over: boolean) => void} onPart @param {() => boolean} isStopped
 */
export async function read(match, viewer, onPart, isStopped) {
  for (let from = /** @type {number | null} */ (1); from !== null && !isStopped();) {
    const page = await api.get(`/v1/matches/${match}/positions`, { from, viewer, ...tellQuery() });
    from = page.next;
    if (!isStopped()) onPart(withViews(page.positions), from === null);
  }
}

const POINTS = ["score", "points", "delivered"];

/** @param {any} record @returns {number | null} the points in a seat's part of a view */
function pointsIn(record) {
  for (const name of POINTS) if (typeof record?.[name] === "number") return record[name];
  for (const part of Object.values(record ?? {})) {
    const found = part && typeof part === "object" && !Array.isArray(part) ? pointsIn(part) : null;
    if (found !== null) return found;
  }
  return null;
}

/**
 * The points of each seat in a view of any game, or null.
 * @param {any} view
 * @param {number} seats
 * @returns {number[] | null}
 */
export function pointsOf(view, seats) {
  for (const list of Object.values(view ?? {})) {
    if (!Array.isArray(list) || list.length !== seats || typeof list[0] !== "object") continue;
    const points = list.map(pointsIn);
    if (points.every((one) => one !== null)) return /** @type {number[]} */ (points);
  }
  return null;
}
