// Looking for a match: one seek of this browser at a time. It continues while the user visits other pages.
import * as api from "./api.js";
import * as commands from "./commands.js";
import { checkFound } from "./evidence.js";
import * as store from "./store.js";

/** @typedef {import("../types").Seek} Seek @typedef {import("../types").Match} Match */
const PAUSE = 2000;
const ACTIVE = ["waiting", "offered"];

/** @type {Seek | null} */ let current = null;
/** The offered match in which this browser has taken its seat. @type {string | null} */ let seated = null;
let timer = 0;
/** @type {Set<() => void>} */ const listeners = new Set();

/** The seek of this browser, or how the last one ended. */
export const seek = () => current;
/** Whether a seek is open, or a match waits for the user. */
export const isActive = () => current !== null && ACTIVE.includes(current.status);
/** Whether a match waits for the user to take their seat. */
export const isOffered = () => current?.status === "offered" && current.match !== seated;

/** @param {() => void} listener called when something has changed @returns {() => void} stops it */
export function onChange(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** @param {Seek | null} next */
function setCurrent(next) {
  current = next;
  store.set("seek", isActive() ? (next?.id ?? null) : null);
  clearTimeout(timer);
  if (isActive()) timer = window.setTimeout(() => void poll(), PAUSE);
  listeners.forEach((listener) => listener());
}

async function poll() {
  const id = current?.id;
  try {
    const found = await api.get(`/v1/seeks/${id}`);
    if (current?.id === id) setCurrent(found);
  } catch (error) {
    if (current?.id === id) setCurrent(error instanceof api.Problem && error.status < 500 ? null : current);
  }
}

/** Continue the seek that this browser had before it was closed or reloaded. */
export async function resume() {
  const id = store.get("seek");
  if (!id || !api.me()) return;
  try {
    setCurrent(await api.get(`/v1/seeks/${id}`));
  } catch {
    store.remove("seek");
  }
}

/** @param {import("../types").Body<"post", "/v1/seeks">} body */
export async function begin(body) {
  seated = null;
  const made = await api.post("/v1/seeks", body);
  store.set("sought", { seek: made.id, terms: body });
  setCurrent(made);
}

/** Stop looking. */
export async function cancel() {
  const id = current?.id;
  if (!id) return;
  setCurrent(await api.remove(`/v1/seeks/${id}`));
}

/** Forget how the last seek ended. */
export const forget = () => {
  if (!isActive()) setCurrent(null);
};

/** Take the user's seat in the match that was found. @returns {Promise<Match>} */
export async function accept() {
  const match = String(current?.match);
  const sought = store.get("sought");
  // as sought in this browser, if it was here
  const terms = sought && sought.seek === current?.id ? sought.terms : /** @type {Seek} */ (current);
  const made = await commands.takeReserved(match, (found) => checkFound(found, terms));
  seated = match;
  setCurrent(current);
  return made;
}

/** Decline the match that was found; the seek ends with it. */
export async function decline() {
  await api.post(`/v1/matches/${current?.match}/decline`);
  await poll();
}

/** The seeks of everybody else. @returns {Promise<Seek[]>} */
export const others = async () =>
  (await api.get("/v1/seeks", { limit: 50 })).seeks.filter((one) => one.player.id !== api.me()?.id);

api.onAccount(() => {
  if (current && current.player.id !== api.me()?.id) setCurrent(null);
});
