// All positions of a match, loaded once: views are built from patches, so that a slider can go through thousands of
// them.
import * as api from "./api.js";
import { tellQuery } from "./texts.js";

/**
 * @typedef {import("../types").Position} Position
 * @typedef {import("../types").View} View
 * @typedef {import("../types").SentPosition} Sent
 */
/** @typedef {{op: string, value?: unknown}} Change */

/** @param {string} text a step of a JSON Pointer */
const step = (text) => text.replaceAll("~1", "/").replaceAll("~0", "~");

/**
 * A copy of a value with one operation of a JSON Patch applied.
 * @param {unknown} value
 * @param {string[]} path
 * @param {Change} change
 * @returns {unknown}
 */
export function patched(value, [first, ...rest], change) {
  if (first === undefined) return change.value;
  if (Array.isArray(value)) return patchedList([...value], first, rest, change);
  const copy = /** @type {View} */ ({ .../** @type {View} */ (value) });
  if (rest.length === 0 && change.op === "remove") delete copy[first];
  else copy[first] = patched(copy[first], rest, change);
  return copy;
}

/** @param {unknown[]} copy @param {string} first @param {string[]} rest @param {Change} change */
function patchedList(copy, first, rest, change) {
  const place = first === "-" ? copy.length : Number(first);
  if (rest.length) copy[place] = patched(copy[place], rest, change);
  else copy.splice(place, change.op === "add" ? 0 : 1, ...(change.op === "remove" ? [] : [change.value]));
  return copy;
}

/** @param {View | null} view @param {NonNullable<Sent["patch"]>} patch */
const patchedBy = (view, patch) =>
  /** @type {View} */ (
    patch.reduce(
      (seen, one) => patched(seen, one.path.split("/").slice(1).map(step), one),
      /** @type {unknown} */ (view),
    )
  );

/**
 * @param {Sent[]} found positions as the service sends them
 * @param {View | null} view the view before them
 * @returns {Position[]}
 */
export function withViews(found, view = null) {
  return found.map(({ patch, ...position }) => {
    view = patch ? patchedBy(view, patch) : (position.view ?? null);
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
 * @param {{from?: number, to?: number | null}} [versions] which positions; all of them if nothing is said
 */
export async function read(match, viewer, onPart, isStopped, { from: first = 1, to = null } = {}) {
  for (let from = /** @type {number | null} */ (first); from !== null && !isStopped();) {
    const page = await api.get(`/v1/matches/${match}/positions`, { from, to, viewer, ...tellQuery() });
    from = page.next;
    if (!isStopped()) onPart(withViews(page.positions), from === null);
  }
}

const POINTS = ["score", "points", "delivered"];

/** @param {unknown} record @returns {number | null} the points in a seat's part of a view */
function pointsIn(record) {
  const parts = /** @type {View} */ (record ?? {});
  for (const name of POINTS) if (typeof parts[name] === "number") return parts[name];
  for (const part of Object.values(parts)) {
    const found = part && typeof part === "object" && !Array.isArray(part) ? pointsIn(part) : null;
    if (found !== null) return found;
  }
  return null;
}

/**
 * The points of each seat in a view of any game, or null.
 * @param {View | null} view
 * @param {number} seats
 * @returns {number[] | null}
 */
export function pointsOf(view, seats) {
  for (const list of Object.values(view ?? {})) {
    if (!Array.isArray(list) || list.length !== seats || typeof list[0] !== "object") continue;
    const points = list.map(pointsIn);
    if (points.every((one) => one !== null)) return points;
  }
  return null;
}
