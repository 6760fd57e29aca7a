// Matches: the user's own, open ones to join, live ones to watch, finished ones to replay.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import * as api from "../lib/api.js";
import { decline as declineInvitation } from "../lib/commands.js";
import { lang, t } from "../lib/i18n.js";
import * as seeking from "../lib/seeking.js";
import { follow } from "../lib/stream.js";
import { isMyTurn, matchRows } from "./parts/match_rows.js";
import { Runner } from "./parts/runner.js";
import { seekRows } from "./parts/seek_rows.js";

/** @typedef {import("../types").Match} Match */
const REFRESH = 15_000;
const SHOWN = 12;
const PAGES = 3;
const INVITATIONS = ["everyone", "met", "nobody"];
/** The lists that each filter shows. @type {Record<string, string[]>} */
const FILTERS = {
  all: ["invited", "turn", "going", "open", "live", "mine_over", "finished"],
  turn: ["invited", "turn"],
  mine: ["invited", "turn", "going", "mine_over"],
  open: ["open"],
  live: ["live"],
  over: ["mine_over", "finished"],
};

/**
 * @param {string[]} _params
 * @param {URLSearchParams} query
 * @param {import("../types").App} app
 * @returns {Promise<import("../types").Page>}
 */
export async function open(_params, query, app) {
  const filterIn = (/** @type {URLSearchParams} */ asked) =>
    Object.hasOwn(FILTERS, asked.get("show") ?? "") ? String(asked.get("show")) : "all";
  let shown = filterIn(query);
  /** @type {Record<string, string>} */ let titles = {};
  /** @type {Record<string, Match[]>} */ let lists = { mine: [], open: [], running: [], finished: [] };
  /** @type {import("../types").Seek[]} */ let seeks = [];
  /** @type {any} */ let self = null;
  const runner = new Runner(app);
  let closed = false;
  let busy = false;
  let again = false;

  const list = async (/** @type {any} */ wanted) =>
    (await api.get("/v1/matches", { limit: SHOWN * 2, ...wanted })).matches;

  /**
   * Open matches with a seat for the user: tables of tournaments and other reserved ones are skipped.
   * @returns {Promise<Match[]>}
   */
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
      seeks = await seeking.others();
      const me = api.me();
      self = me ? await api.get("/v1/me") : null;
      const asked = [
        me ? list({ player: me.id, limit: 50 }) : [],
        joinable(),
        ...["running", "finished"].map((status) => list({ status })),
      ];
      const [games, mine, ...others] = await Promise.all([api.games(lang()), ...asked]);
      titles = Object.fromEntries(games.map((game) => [game.id, game.title]));
      const own = new Set(mine.map((/** @type {Match} */ match) => match.id));
      const [openOnes, running, finished] = others.map((matches) =>
        matches.filter((/** @type {Match} */ match) => !own.has(match.id)).slice(0, SHOWN),
      );
      lists = { mine, open: openOnes, running, finished };
      runner.problem = null;
    } catch (error) {
      if (error instanceof api.Problem && error.status === 401) throw error;
      runner.problem = error;
    }
    busy = false;
    if (closed) return;
    app.update();
    if (again) {
      again = false;
      void refresh();
    }
  }

  const me = () => api.me()?.id;
  const seated = (/** @type {Match} */ match) => match.seats.some((seat) => seat.player?.id === me());
  const isFree = (/** @type {Match} */ match) =>
    match.seats.some((seat) => !seat.player && (!seat.invited || seat.invited.id === me()));

  await refresh();
  const timer = setInterval(() => document.visibilityState === "visible" && void refresh(), REFRESH);
  let soon = 0;
  const stop = api.me()
    ? follow({
        path: "/v1/events",
        after: null,
        onState() {},
        onRefused() {},
        onEvent() {
          clearTimeout(soon);
          soon = window.setTimeout(() => void refresh(), 400);
        },
      })
    : () => {};

  async function decline(/** @type {Match} */ match) {
    await runner.run(() => declineInvitation(match));
    await refresh();
  }

  /** Set who may invite the user. */
  const setInvitations = (/** @type {string} */ from) =>
    runner.run(async () => {
      self = await api.request("PUT", "/v1/me/invitations", { body: { invitations_from: from } });
      app.announce(t("text.labelled", { name: t("invitations.title"), value: t(`invitations.${from}`) }));
    });

  const groups = () => {
    const { mine } = lists;
    return {
      invited: mine.filter((match) => match.status === "open" && !seated(match)),
      turn: mine.filter(isMyTurn),
      going: mine.filter(
        (match) => (match.status === "running" && !isMyTurn(match)) || (match.status === "open" && seated(match)),
      ),
      open: lists.open,
      live: lists.running,
      mine_over: mine.filter((match) => ["finished", "aborted"].includes(match.status)).slice(0, SHOWN),
      finished: lists.finished,
    };
  };

  const ACTIONS = /** @type {Record<string, string>} */ ({
    invited: "lobby.answer",
    turn: "lobby.play",
    open: "lobby.join",
    live: "lobby.watch",
  });
  const rows = (/** @type {string} */ group, /** @type {Match[]} */ matches) =>
    matchRows(matches, (match) => ({
      title: titles[match.game] ?? match.game,
      action: ACTIONS[group] ?? "lobby.look",
      main: group === "turn",
      decline: group === "invited" ? decline : undefined,
    }));

  const count = (/** @type {string} */ filter) => {
    const all = groups();
    return FILTERS[filter].reduce((sum, name) => sum + all[/** @type {keyof typeof all} */ (name)].length, 0);
  };
  const filters = () =>
    html`<div class="row filters" role="group" aria-label=${t("lobby.filter")}>
      ${Object.keys(FILTERS)
        .filter((name) => api.me() || !["turn", "mine"].includes(name))
        .map(
          (name) =>
            html`<a
              class="pill"
              href="#/lobby${name === "all" ? "" : `?show=${name}`}"
              aria-current=${name === shown ? "true" : nothing}
              >${t(`lobby.filter.${name}`)}${
                name === "turn" && count("turn") ? html` <strong class="count">${count("turn")}</strong>` : nothing
              }</a
            >`,
        )}
    </div>`;
  const none = (/** @type {string} */ name) =>
    html`<div class="empty">
      <p>${t(`lobby.none.${name}`)}</p>
      <p class="row">
        <a class="button main" href="#/seek">${t("seek.title")}</a>
        <a class="button" href="#/new">${t("create.title")}</a>
      </p>
    </div>`;
  const section = (/** @type {string} */ name, /** @type {Match[]} */ matches) => {
    if (matches.length === 0 && (shown !== "all" || name !== "open")) return nothing;
    return html`<section class="matches">
      <h2>${t(`lobby.${name}`)}</h2>
      ${matches.length ? html`${rows(name, matches)}` : none(name)}
    </section>`;
  };

  const invitations = () =>
    html`<section class="invitations" aria-labelledby="invitations-title">
      <h2 id="invitations-title">${t("invitations.title")}</h2>
      <div class="row" role="radiogroup" aria-labelledby="invitations-title">
        ${INVITATIONS.map(
          (from) =>
            html`<label class="pill"
              ><input
                type="radio"
                name="invitations"
                .checked=${self.invitations_from === from}
                @change=${() => setInvitations(from)}
              /><span>${t(`invitations.${from}`)}</span></label
            >`,
        )}
      </div>
      <p class="faint">
        ${t("quota.open", self.quotas.open_matches)} ${t("quota.running", self.quotas.running_matches)}
      </p>
    </section>`;

  return {
    title: () => t("lobby.title"),
    close() {
      closed = true;
      clearInterval(timer);
      stop();
    },
    revisit(asked) {
      shown = filterIn(asked);
      return true;
    },
    view: () =>
      html`<div class="title-row">
          <h1 tabindex="-1">${t("lobby.title")}</h1>
          <p class="row">
            <a class="button main" href="#/seek">${t("seek.title")}</a>
            <a class="button" href="#/new">${t("create.title")}</a>
          </p>
        </div>
        ${filters()} ${runner.alert} ${shown !== "all" && count(shown) === 0 ? none(shown) : nothing}
        ${
          ["all", "open"].includes(shown) && seeks.length
            ? html`<section class="matches">
                <h2>${t("seek.others")}</h2>
                ${seekRows(seeks, titles)}
              </section>`
            : nothing
        }
        ${Object.entries(groups())
          .filter(([name]) => FILTERS[shown].includes(name))
          .map(([name, matches]) => section(name, matches))}
        ${self && ["all", "mine"].includes(shown) ? invitations() : nothing}`,
  };
}
