// Server-Sent Events with fetch, because EventSource can't send a token. A broken connection is resumed after the
// last event.
import { Problem, address, headersOf, pause } from "./api.js";

/**
 * @typedef {object} Following
 * @property {string} path
 * @property {import("./api.js").Call["query"]} [query]
 * @property {string | number | null} after the id of the last known event
 * @property {(type: string, data: unknown) => void} onEvent
 * @property {(connected: boolean) => void} onState
 * @property {(problem: Problem) => void} onRefused
 */

const LONGEST_PAUSE = 8000;
const SILENCE = 45000; // three heartbeats missed

/** Follow a stream until it ends or is stopped. @param {Following} following @returns {() => void} stops it */
export function follow(following) {
  const stop = new AbortController();
  void run(following, stop);
  return () => stop.abort();
}

/** @param {Following} following @param {AbortController} stop */
async function run(following, stop) {
  const state = { id: following.after === null ? null : String(following.after), failures: 0 };
  while (!stop.signal.aborted) {
    try {
      if (await readOnce(following, state, stop)) return;
      state.failures = 0;
    } catch (error) {
      if (stop.signal.aborted) return;
      if (error instanceof Problem && error.status < 500 && error.status !== 429) return following.onRefused(error);
      following.onState(false);
      await pause(Math.min(LONGEST_PAUSE, 250 * 2 ** state.failures++) * (0.75 + Math.random() / 2));
    }
  }
}

/**
 * @param {Following} following
 * @param {{id: string | null, failures: number}} state
 * @param {AbortController} stop
 * @returns {Promise<boolean>} whether it is over
 */
async function readOnce(following, state, stop) {
  const lost = new AbortController();
  const abort = () => lost.abort();
  let timer = setTimeout(abort, SILENCE);
  try {
    const headers = {
      ...headersOf({}, following.path),
      Accept: "text/event-stream",
      ...(state.id === null ? {} : { "Last-Event-ID": state.id }),
    };
    const answer = await fetch(address(following.path, following.query), {
      headers,
      signal: AbortSignal.any([stop.signal, lost.signal]),
      cache: "no-store",
    });
    if (answer.status === 204) {
      following.onState(true); // it ended while the connection was lost
      return true;
    }
    if (!answer.ok || !answer.body) throw new Problem(answer.status, await answer.json().catch(() => null));
    following.onState(true);
    state.failures = 0;
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    const parse = parser((id, type, data) => {
      if (id !== null) state.id = id;
      deliver(following, type, data);
      if (type === "end") over = true;
    });
    let over = false;
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      clearTimeout(timer);
      timer = setTimeout(abort, SILENCE);
      parse(part.value);
      if (over) return true;
    }
    return over;
  } finally {
    clearTimeout(timer);
    lost.abort();
  }
}

/**
 * Pass an event on; a failing listener is not a lost connection.
 * @param {Following} following
 * @param {string} type
 * @param {unknown} data
 */
function deliver(following, type, data) {
  try {
    following.onEvent(type, data);
  } catch (error) {
    void Promise.reject(error);
  }
}

/**
 * @param {(id: string | null, type: string, data: unknown) => void} emit
 * @returns {(text: string) => void}
 */
export function parser(emit) {
  let rest = "";
  let id = /** @type {string | null} */ (null);
  let type = "message";
  let data = /** @type {string[]} */ ([]);
  const take = (/** @type {string} */ line) => {
    if (line === "") {
      if (data.length) emit(id, type, JSON.parse(data.join("\n")));
      id = null;
      type = "message";
      data = [];
      return;
    }
    const [, name, value] = /^([^:]*):? ?(.*)$/s.exec(line) ?? ["", "", ""];
    if (name === "id") id = value;
    else if (name === "event") type = value;
    else if (name === "data") data.push(value);
  };
  return (text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    lines.forEach((line) => take(line.replace(/\r$/, "")));
  };
}
