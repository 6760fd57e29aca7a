// The pages by their addresses, which come after `#`.

/** @typedef {import("../types").App} App @typedef {import("../types").Page} Page */
/** @typedef {(params: string[], query: URLSearchParams, app: App) => Page | Promise<Page>} Opener */
/** @typedef {() => Promise<{open: Opener}>} Load */

/** @type {[RegExp, Load][]} */
const ROUTES = [
  [/^\/$/, () => import("../pages/landing.js")],
  [/^\/lobby$/, () => import("../pages/lobby.js")],
  [/^\/new$/, () => import("../pages/create.js")],
  [/^\/seek$/, () => import("../pages/seek.js")],
  [/^\/players$/, () => import("../pages/players.js")],
  [/^\/player\/([^/]+)$/, () => import("../pages/player.js")],
  [/^\/match\/([^/]+)$/, () => import("../pages/match.js")],
  [/^\/match\/([^/]+)\/replay$/, () => import("../pages/replay.js")],
  [/^\/(match|tournament)\/([^/]+)\/check$/, () => import("../pages/check.js")],
  [/^\/check$/, () => import("../pages/check.js")],
  [/^\/rules\/([^/]+)(?:\/([^/]+))?$/, () => import("../pages/rules.js")],
  [/^\/tournaments$/, () => import("../pages/tournaments.js")],
  [/^\/tournaments\/new$/, () => import("../pages/announce.js")],
  [/^\/tournament\/([^/]+)$/, () => import("../pages/tournament.js")],
  [/^\/mail$/, () => import("../pages/mail.js")],
  [/^\/reports$/, () => import("../pages/reports.js")],
  [/^\/account$/, () => import("../pages/account.js")],
];

/** Address and query of a hash. @param {string} hash */
export function parseAddress(hash) {
  const [address, query = ""] = (hash.slice(1) || "/").split("?");
  return { address: decodeURI(address), query: new URLSearchParams(query) };
}

/**
 * The page of an address, with the parts of the address that it needs; null if there is none.
 * @param {string} address
 * @returns {{load: Load, params: string[]} | null}
 */
export function pageFor(address) {
  for (const [pattern, load] of ROUTES) {
    const found = pattern.exec(address);
    if (found) return { load, params: found.slice(1) };
  }
  return null;
}
