// Finished matches stay readable without a connection: what the page has loaded to show one is kept in this browser,
// and the service worker answers with it when the service can't be reached. Kept until the account changes.
import * as api from "./api.js";
import { stringsOf } from "./drawing.js";
import { lang } from "./i18n.js";
import { registered } from "./push.js";

/** @typedef {import("../types").MatchSummary} Match */
const NAME = "kontor.finished";
const MOST_LOADED = 3000;
const BUILD = new URL("..", import.meta.url).pathname;
const hasCaches = "caches" in window && "serviceWorker" in navigator;

performance.setResourceTimingBufferSize?.(MOST_LOADED);
api.onAccount(() => hasCaches && void caches.delete(NAME));

/** Whether a page that shows a match needs it. @param {string} path @param {string} match */
const isNeeded = (path, match) =>
  path.startsWith(BUILD) ||
  path.startsWith("/v1/games") ||
  ["", "/events", "/positions"].some((part) => path === `/v1/matches/${match}${part}`);

/** What the page has loaded from this service for a match: its own files, the game, the match. @param {string} match */
function loadedFor(match) {
  const addresses = performance.getEntriesByType("resource").map(({ name }) => new URL(name));
  const own = addresses.filter(({ origin, pathname }) => origin === location.origin && isNeeded(pathname, match));
  const still = own.filter(({ searchParams }) => !searchParams.has("turns")); // no stream of a running match
  return [...new Set(["/", ...still.map(({ pathname, search }) => pathname + search)])];
}

/** @param {Cache} cache @param {string} path */
async function add(cache, path) {
  if (path.startsWith(BUILD) && (await cache.match(path))) return;
  const headers = { "Accept-Language": lang(), ...(path === "/" ? { Accept: "text/html" } : api.headersOf({}, path)) };
  const answer = await fetch(path, { headers });
  if (answer.ok) await cache.put(path, answer);
}

/** Load what leads to a match and what replays it, as far as it was not opened yet. */
const loadRest = async () =>
  Promise.all([
    import("../pages/landing.js"),
    import("../pages/replay.js"),
    ...(await api.games(lang())).map(({ id }) => stringsOf(id)),
  ]);

/** Keep a finished match that the page shows. @param {string} match */
export async function keep(match) {
  if (!hasCaches) return;
  try {
    await Promise.all([registered(), loadRest()]);
    const cache = await caches.open(NAME);
    await Promise.all(loadedFor(match).map((path) => add(cache, path)));
    const outdated = (await cache.keys()).filter(({ url }) => /\/web\/(?!$)/.test(url) && !url.includes(BUILD));
    await Promise.all(outdated.map((request) => cache.delete(request)));
  } catch (error) {
    console.info(error); // storage is blocked or full: the match can be read with a connection
  }
}

/** The finished matches that can be read without a connection. @returns {Promise<Match[]>} */
export async function kept() {
  if (!hasCaches || !(await caches.has(NAME))) return [];
  const cache = await caches.open(NAME);
  const matches = (await cache.keys()).filter(({ url }) => /^\/v1\/matches\/[^/]+$/.test(new URL(url).pathname));
  const answers = await Promise.all(matches.map(async (request) => (await cache.match(request))?.json()));
  return answers.filter(Boolean);
}
