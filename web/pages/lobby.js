// Matches: mine with whose turn it is, open ones to join, live ones to watch, finished ones to replay.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import * as api from "../lib/api.js";
import { lang, moment, t } from "../lib/i18n.js";
import { follow } from "../lib/stream.js";
import { namesOf } from "../lib/told.js";
import { winner } from "./parts/result.js";
import { alert } from "./problem.js";

/** @typedef {import("../types").Match} Match */
const REFRESH = 15_000, SHOWN = 12, PAGES = 3;
/** What each filter shows. @type {Record<string, string[]>} */
const FILTERS = {
  all: ["invited", "turn", "going", "open", "live", "mine_over", "finished"], turn: ["invited", "turn"], mine: ["invited", "turn", "going", "mine_over"],
  open: ["open"], live: ["live"], over: ["mine_over", "finished"],
};

/** @param {string[]} _params @param {URLSearchParams} query @param {import("../types").App} app @returns {Promise<import("../types").Page>} */
export async function open(_params, query, app) {
  const filterIn = (/** @type {URLSearchParams} */ asked) => (Object.hasOwn(FILTERS, asked.get("show") ?? "") ? String(asked.get("show")) : "all");
  let shown = filterIn(query);
  /** @type {Record<string, string>} */ let titles = {};
  /** @type {Record<string, Match[]>} */ let lists = { mine: [], open: [], running: [], finished: [] };
  /** @type {unknown} */ let problem = null;
  let closed = false, busy = false, again = false;

  const list = async (/** @type {any} */ wanted) => (await api.get("/v1/matches", { limit: SHOWN * 2, ...wanted })).matches;

  /** Open matches with a seat for the reader: tables of tournaments and other reserved ones are passed over. @returns {Promise<Match[]>} */
  async function joinable() {
    /** @type {Match[]} */ let found = [];
    for (let cursor = /** @type {string | null} */ (null), pages = 0; pages < PAGES && found.length < SHOWN; pages++) {
      const page = await api.get("/v1/matches", { status: "open", limit: 100, cursor });
      found = [...found, ...page.matches.filter(isFree)];
      if ((cursor = page.next) === null) break;
    }
    return found;
  }

  async function refresh() {
    if (busy) return void (again = true);
    busy = true;
    try {
      const me = api.me(), asked = [me ? list({ player: me.id, limit: 50 }) : [], joinable(), ...["running", "finished"].map((status) => list({ status }))];
      const [games, mine, ...others] = await Promise.all([api.games(lang()), ...asked]);
      titles = Object.fromEntries(games.map((game) => [game.id, game.title]));
      const own = new Set(mine.map((/** @type {Match} */ match) => match.id));
      const [openOnes, running, finished] = others.map((matches) => matches.filter((/** @type {Match} */ match) => !own.has(match.id)).slice(0, SHOWN));
      lists = { mine, open: openOnes, running, finished };
      problem = null;
    } catch (error) {
      if (error instanceof api.Problem && error.status === 401) throw error;
      problem = error;
    }
    busy = false;
    if (closed) return;
    app.update();
    if (again) { again = false; void refresh(); }
  }

  const me = () => api.me()?.id;
  const seated = (/** @type {Match} */ match) => match.seats.some((seat) => seat.player?.id === me());
  const myTurn = (/** @type {Match} */ match) => match.status === "running" && match.you !== null && match.to_act.includes(match.you);
  const isFree = (/** @type {Match} */ match) => match.seats.some((seat) => !seat.player && (!seat.invited || seat.invited.id === me()));

  await refresh();
  const timer = setInterval(() => document.visibilityState === "visible" && void refresh(), REFRESH);
  let soon = 0;
  const stop = api.me() ? follow({
    path: "/v1/events", after: null, onState() {}, onRefused() {},
    onEvent() { clearTimeout(soon); soon = window.setTimeout(() => void refresh(), 400); },
  }) : () => {};

  async function decline(/** @type {Match} */ match) {
    try {
      await api.post(`/v1/matches/${match.id}/decline`);
    } catch (error) {
      problem = error;
    }
    await refresh();
  }

  const groups = () => {
    const { mine } = lists;
    return {
      invited: mine.filter((match) => match.status === "open" && !seated(match)),
      turn: mine.filter(myTurn),
      going: mine.filter((match) => (match.status === "running" && !myTurn(match)) || (match.status === "open" && seated(match))),
      open: lists.open,
      live: lists.running,
      mine_over: mine.filter((match) => ["finished", "aborted"].includes(match.status)).slice(0, SHOWN),
      finished: lists.finished,
    };
  };

  const waiting = (/** @type {Match} */ match, /** @type {string[]} */ names) => {
    if (match.status === "open") return t("lobby.free", { count: match.seats.filter((seat) => !seat.player).length });
    if (match.status !== "running") return `${match.result ? winner(match, names) : t(`status.${match.status}`)} · ${moment(match.at)}`;
    return myTurn(match) ? t("lobby.your_turn") : t("lobby.waiting", { names: match.to_act.map((seat) => names[seat]).join(", ") });
  };
  const ACTIONS = /** @type {Record<string, string>} */ ({ invited: "lobby.answer", turn: "lobby.play", open: "lobby.join", live: "lobby.watch" });
  const row = (/** @type {Match} */ match, /** @type {string} */ group) => {
    const names = namesOf(match.seats, t), label = `${titles[match.game] ?? match.game}: ${names.join(", ")}`;
    return html`<li class="match-row"><div><strong>${titles[match.game] ?? match.game}</strong>
      ${match.private ? html`<span class="tag">${t("match.private")}</span>` : nothing} ${match.branch ? html`<span class="tag">${t("match.branch")}</span>` : nothing}
      <span class="names">${names.map((name, seat) => html`<span class="seat-name s${seat}">${name}</span>`)}</span>
      <span class="faint">${waiting(match, names)}${match.clock.kind === "none" ? nothing : ` · ${t(`clock.${match.clock.kind}`)}`}</span></div>
      <div class="row">${group === "invited" ? html`<button type="button" @click=${() => decline(match)}>${t("lobby.decline")}<span class="unseen"> ${label}</span></button>` : nothing}
      <a class="button ${group === "turn" ? "main" : ""}" href="#/match/${match.id}">${t(ACTIONS[group] ?? "lobby.look")}<span class="unseen"> ${label}</span></a></div></li>`;
  };

  const count = (/** @type {string} */ filter) => {
    const all = groups();
    return FILTERS[filter].reduce((sum, name) => sum + all[/** @type {keyof typeof all} */ (name)].length, 0);
  };
  const filters = () => html`<div class="row filters" role="group" aria-label=${t("lobby.filter")}>${Object.keys(FILTERS).filter((name) => api.me() || !["turn", "mine"].includes(name)).map((name) => html`<a class="pill" href="#/lobby${name === "all" ? "" : `?show=${name}`}" aria-current=${name === shown ? "true" : nothing}>${t(`lobby.filter.${name}`)}${name === "turn" && count("turn") ? html` <strong class="count">${count("turn")}</strong>` : nothing}</a>`)}</div>`;
  const none = (/** @type {string} */ name) => html`<div class="empty"><p>${t(`lobby.none.${name}`)}</p><p class="row"><a class="button main" href="#/new">${t("create.title")}</a></p></div>`;
  const section = (/** @type {string} */ name, /** @type {Match[]} */ matches) => {
    if (matches.length === 0 && (shown !== "all" || name !== "open")) return nothing;
    return html`<section class="matches"><h2>${t(`lobby.${name}`)}</h2>${matches.length ? html`<ul>${repeat(matches, (match) => match.id, (match) => row(match, name))}</ul>` : none(name)}</section>`;
  };

  return {
    title: () => `${count("turn") && api.me() ? `(${count("turn")}) ` : ""}${t("lobby.title")}`,
    close() { closed = true; clearInterval(timer); stop(); },
    revisit(asked) { shown = filterIn(asked); return true; },
    view: () => html`<div class="title-row"><h1 tabindex="-1">${t("lobby.title")}</h1><a class="button main" href="#/new">${t("create.title")}</a></div>
      ${filters()}
      ${problem ? alert(problem, app) : nothing}
      ${shown !== "all" && count(shown) === 0 ? none(shown) : nothing}
      ${Object.entries(groups()).filter(([name]) => FILTERS[shown].includes(name)).map(([name, matches]) => section(name, matches))}`,
  };
}
