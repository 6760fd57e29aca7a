// Requests to the service. A lost request is sent again with the same Idempotency-Key, so it is executed only once.
import * as store from "./store.js";

/**
 * @typedef {import("../types").Account} Account
 * @typedef {{code?: string, rule?: string, title?: string, detail?: string, instance?: string}} ProblemBody
 */

/** An error response of the service (RFC 9457). */
export class Problem extends Error {
  /** @param {number} status @param {ProblemBody | null} body */
  constructor(status, body) {
    super(body?.detail || body?.title || `HTTP ${status}`);
    this.status = status;
    this.code = body?.code ?? "unknown";
    this.rule = body?.rule;
    this.body = body ?? {};
  }
}

/** The service does not answer. */
export class Unreachable extends Error {}

const PAUSES = [300, 1000, 2500];
/** @type {Account | null} */
let account = store.get("account");
/** @type {Set<() => void>} */
const listeners = new Set();

/** The account of the user; null if there is none. */
export const me = () => account;

/** @param {Account | null} next */
export function signIn(next) {
  account = next;
  store.set("account", next);
  listeners.forEach((listener) => listener());
}

/** @param {() => void} listener called when the account changes, in another tab too */
export function onAccount(listener) {
  listeners.add(listener);
}

store.onChange("account", () => {
  account = store.get("account");
  listeners.forEach((listener) => listener());
});

/** A random value for one request; `randomUUID` exists in secure contexts only. */
export const randomHex = (bytes = 16) =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {number} ms */
export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * @typedef {object} Call
 * @property {unknown} [body]
 * @property {Record<string, string | number | boolean | null | undefined>} [query]
 * @property {Record<string, string>} [headers]
 * @property {boolean} [anonymous] send the request without the token
 * @property {boolean} [bytes] return the response as bytes instead of JSON
 */

/** @param {string} path @param {Call["query"]} [query] */
export function address(path, query = {}) {
  const pairs = Object.entries(query).filter(([, value]) => value !== null && value !== undefined);
  return pairs.length ? `${path}?${new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]))}` : path;
}

const MATCH = /^\/v1\/matches\/([0-9a-f-]{36})(?:\/|$)/;
const MATCH_KEY = /^[A-Za-z0-9_-]{24}$/;

/**
 * Store the key of a private match from its link; ignore anything that is not a key.
 * @param {string} match
 * @param {string} key
 */
export function keepKey(match, key) {
  if (MATCH_KEY.test(key)) store.set(`link-key.${match}`, key);
}

/** @param {string} match @returns {string | null} the key with which this browser may see a private match */
export const keyFor = (match) => store.get(`link-key.${match}`);

/** @param {Call} call @param {string} [path] @returns {Record<string, string>} */
export function headersOf(call, path = "") {
  const headers = { ...call.headers };
  const match = MATCH.exec(path)?.[1];
  const key = match ? keyFor(match) : null;
  if (key) headers["Match-Key"] = key;
  if (account && !call.anonymous) headers.Authorization = `Bearer ${account.token}`;
  if (call.body !== undefined) headers["Content-Type"] = "application/json";
  return headers;
}

/** @param {string} method @param {string} path @param {Call} [call] @returns {Promise<unknown>} */
export async function request(method, path, call = {}) {
  const headers = headersOf(call, path);
  if (method === "POST" || method === "DELETE") headers["Idempotency-Key"] = randomHex();
  const options = { method, headers, body: call.body === undefined ? undefined : JSON.stringify(call.body) };
  for (let attempt = 0; ; attempt++) {
    const outcome = await once(address(path, call.query), options, call);
    if (outcome.again === undefined || attempt >= PAUSES.length) {
      if (outcome.error) throw outcome.error;
      return outcome.value;
    }
    await pause(Math.max(PAUSES[attempt], outcome.again));
  }
}

/**
 * @param {string} url
 * @param {RequestInit} options
 * @param {Call} call
 * @returns {Promise<{value?: unknown, error?: Error, again?: number}>}
 */
async function once(url, options, call) {
  let answer;
  try {
    answer = await fetch(url, options);
  } catch {
    return { error: new Unreachable("The service does not answer."), again: 0 };
  }
  if (answer.status === 204) return { value: null };
  if (answer.ok) return { value: call.bytes ? new Uint8Array(await answer.arrayBuffer()) : await answer.json() };
  const problem = new Problem(answer.status, await answer.json().catch(() => null));
  const later = Number(answer.headers.get("Retry-After")) * 1000 || 0;
  const temporary = [429, 502, 503, 504].includes(answer.status) && problem.code !== "match_damaged" && later <= 5000;
  return temporary ? { error: problem, again: later } : { error: problem };
}

/**
 * @template {import("../types").Method} M
 * @template {string} A
 * @param {M} method
 * @param {A} path
 * @param {Call} [call]
 */
const asked = async (method, path, call) =>
  /** @type {import("../types").Answer<M, A>} */ (await request(method.toUpperCase(), path, call));

/** @template {string} A @param {A} path @param {Call["query"]} [query] @param {Call} [call] */
export const get = (path, query, call) => asked("get", path, { ...call, query });
/** @template {string} A @param {A} path @param {import("../types").Body<"post", A>} [body] @param {Call} [call] */
export const post = (path, body, call) => asked("post", path, { ...call, body: body ?? {} });
/** @template {string} A @param {A} path @param {import("../types").Body<"put", A>} body */
export const put = (path, body) => asked("put", path, { body });
/** @template {string} A @param {A} path @param {import("../types").Body<"patch", A>} body */
export const patch = (path, body) => asked("patch", path, { body });
/** @template {string} A @param {A} path */
export const remove = (path) => asked("delete", path);
/** The export of a match or a tournament. @param {string} path */
export const bytes = async (path) =>
  /** @type {Uint8Array<ArrayBuffer>} */ (await request("GET", path, { bytes: true }));

/** @type {Map<string, Promise<unknown>>} */
const cached = new Map();

/**
 * A public document that does not change while the page is open.
 * @template {string} A
 * @param {A} path
 * @param {string} language
 */
function publicDocument(path, language) {
  const key = `${language} ${path}`;
  const known = /** @type {ReturnType<typeof get<A>> | undefined} */ (cached.get(key));
  if (known) return known;
  const response = get(path, {}, { headers: { "Accept-Language": language }, anonymous: true });
  response.catch(() => cached.delete(key));
  cached.set(key, response);
  return response;
}

/** @param {string} language */
export const games = async (language) => (await publicDocument("/v1/games", language)).games;
/** @param {string} id @param {string} language */
export const game = async (id, language) =>
  /** @type {import("../types").Game} */ (await publicDocument(`/v1/games/${id}`, language));
/** @param {string} id @param {string} name @param {string} language */
export const dataSet = (id, name, language) => publicDocument(`/v1/games/${id}/data-sets/${name}`, language);
