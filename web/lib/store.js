// The values that the page stores in this browser; if storage is blocked, only until the tab is closed.

const PREFIX = "kontor.";
/** @type {Map<string, string>} */
const memory = new Map();

function findStorage() {
  try {
    const storage = window.localStorage;
    storage.setItem(`${PREFIX}probe`, "1");
    storage.removeItem(`${PREFIX}probe`);
    return storage;
  } catch {
    return null;
  }
}

const storage = findStorage();

/** Whether values are lost when the tab is closed. */
export const blocked = storage === null;

/** @typedef {import("../types").Stored} Stored */

/** @template {keyof Stored} N @param {N} name @returns {Stored[N] | null} the stored value */
export function get(name) {
  try {
    return JSON.parse(memory.get(name) ?? storage?.getItem(PREFIX + name) ?? "null");
  } catch {
    return null;
  }
}

/** @template {keyof Stored} N @param {N} name @param {Stored[N] | null} value null removes it */
export function set(name, value) {
  if (value === null) return remove(name);
  const text = JSON.stringify(value);
  memory.set(name, text);
  try {
    storage?.setItem(PREFIX + name, text);
    if (storage) memory.delete(name);
  } catch {
    // The storage is full: the value stays in memory.
  }
}

/** @param {keyof Stored} name */
export function remove(name) {
  if (storage) storage.removeItem(PREFIX + name);
  memory.delete(name);
}

/** @param {string} prefix @returns {string[]} the names of stored values with this prefix */
export function names(prefix) {
  const kept = storage
    ? Object.keys(storage)
        .filter((key) => key.startsWith(PREFIX))
        .map((key) => key.slice(PREFIX.length))
    : [];
  return [...new Set([...kept, ...memory.keys()])].filter((name) => name.startsWith(prefix)).sort();
}

/**
 * The stored values whose names have this prefix.
 * @template {keyof Stored} P
 * @param {P} prefix
 */
export const all = (prefix) => names(prefix).map((name) => /** @type {Stored[P]} */ (get(/** @type {P} */ (name))));

/**
 * @param {string} name
 * @param {() => void} listener called when another tab changes the value, or all of them are removed
 */
export function onChange(name, listener) {
  window.addEventListener("storage", (event) => {
    if (event.key === null || event.key === PREFIX + name) listener();
  });
}
