// Matches: the user's own, open ones to join, live ones to watch, finished ones to replay.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import * as api from "../lib/api.js";
import { decline } from "../lib/commands.js";
import { lang, t } from "../lib/i18n.js";
import * as seeking from "../lib/seeking.js";
import { follow } from "../lib/stream.js";
import { isMyTurn, matchRows } from "./parts/match_rows.js";
import { Runner } from "./parts/runner.js";
import { seekRows } from "./parts/seek_rows.js";

/**
 * @typedef {import("../types").App} App
 * @typedef {import("../types").MatchSummary} Match
 * @typedef {import("../types").Me} Me
 * @typedef {keyof ReturnType<typeof grouped>} Group
 */
const REFRESH = 15_000;
const SOON = 400;
const SHOWN = 12;
const PAGES = 3;
const INVITATIONS = /** @type {const} */ (["everyone", "met", "nobody"]);
/** The lists that each filter shows. @type {Record<string, Group[]>} */
const FILTERS = {
  all: ["invited", "turn", "going", "open", "live", "mine_over", "finished"],
  turn: ["invited", "turn"],
  mine: ["invited", "turn", "going", "mine_over"],
  open: ["open"],
  live: ["live"],
  over: ["mine_over", "finished"],
};
/** The filters for those who have an account. */
const OF_ACCOUNT = ["turn", "mine"];
/** What a user does with the matches of a list; with all others, they look. @type {Partial<Record<Group, string>>} */
const ACTIONS = { invited: "lobby.answer", turn: "lobby.play", open: "lobby.join", live: "lobby.watch" };

const NONE = { mine: [], open: [], running: [], finished: [] };

/** @param {string[]} _params @param {URLSearchParams} query @param {App} app */
export async function open(_params, query, app) {
  const page = new LobbyPage(query, app);
  await page.refresh().catch((error) => {
    page.close();
    throw error;
  });
  return page;
}

const seated = (/** @type {Match} */ match) => match.seats.some((seat) => seat.player?.id === api.me()?.id);
const isFree = (/** @type {Match} */ match) =>
  match.seats.some((seat) => !seat.player && (!seat.invited || seat.invited.id === api.me()?.id));

/** @param {import("../lib/api.js").Call["query"]} wanted */
const list = async (wanted) => (await api.get("/v1/matches", { limit: SHOWN * 2, ...wanted })).matches;

/** Open matches with a seat for the user: tables of tournaments and other reserved ones are skipped. */
async function joinable() {
  /** @type {Match[]} */ let found = [];
  for (let cursor = /** @type {string | null} */ (null), pages = 0; pages < PAGES && found.length < SHOWN; pages++) {
    const page = await api.get("/v1/matches", { status: "open", limit: 100, cursor });
    found = [...found, ...page.matches.filter(isFree)];
    if ((cursor = page.next) === null) break;
  }
  return found;
}

/** The matches to show: the user's own, and others that are open, running and finished. */
async function loadMatches() {
  const me = api.me();
  const [mine, ...others] = await Promise.all([
    me ? list({ player: me.id, limit: 50 }) : [],
    joinable(),
    ...["running", "finished"].map((status) => list({ status })),
  ]);
  const own = new Set(mine.map(({ id }) => id));
  const [open, running, finished] = others.map((all) => all.filter(({ id }) => !own.has(id)).slice(0, SHOWN));
  return { mine, open, running, finished };
}

/** @param {Awaited<ReturnType<typeof loadMatches>>} lists */
const grouped = ({ mine, open, running, finished }) => ({
  invited: mine.filter((match) => match.status === "open" && !seated(match)),
  turn: mine.filter(isMyTurn),
  going: mine.filter(
    (match) => (match.status === "running" && !isMyTurn(match)) || (match.status === "open" && seated(match)),
  ),
  open,
  live: running,
  mine_over: mine.filter((match) => ["finished", "aborted"].includes(match.status)).slice(0, SHOWN),
  finished,
});

/** @param {URLSearchParams} query */
const filterIn = (query) => {
  const asked = query.get("show") ?? "";
  return Object.hasOwn(FILTERS, asked) ? asked : "all";
};

class LobbyPage {
  groups = grouped(NONE);
  /** @type {import("../types").Seek[]} */ seeks = [];
  /** @type {Me | null} */ self = null;
  /** @type {Record<string, string>} */ titles = {};
  #closed = false;
  #busy = false;
  #again = false;
  #soon = 0;

  /** @param {URLSearchParams} query @param {App} app */
  constructor(query, app) {
    this.app = app;
    this.runner = new Runner(app);
    this.shown = filterIn(query);
    this.timer = setInterval(() => document.visibilityState === "visible" && void this.refresh(), REFRESH);
    this.stop = api.me() ? this.follow() : () => {};
  }

  follow() {
    return follow({
      path: "/v1/events",
      after: null,
      onState() {},
      onRefused() {},
      onEvent: () => {
        clearTimeout(this.#soon);
        this.#soon = window.setTimeout(() => void this.refresh(), SOON);
      },
    });
  }

  /** Load all lists; if that is under way, once more afterwards. */
  async refresh() {
    if (this.#busy) return void (this.#again = true);
    this.#busy = true;
    try {
      await this.load();
      this.runner.problem = null;
    } catch (error) {
      if (error instanceof api.Problem && error.status === 401) throw error;
      this.runner.problem = error;
    }
    this.#busy = false;
    if (this.#closed) return;
    this.app.update();
    if (!this.#again) return;
    this.#again = false;
    void this.refresh();
  }

  async load() {
    this.seeks = await seeking.others();
    this.self = api.me() ? await api.get("/v1/me") : null;
    const [games, matches] = await Promise.all([api.games(lang()), loadMatches()]);
    this.titles = Object.fromEntries(games.map((game) => [game.id, game.title]));
    this.groups = grouped(matches);
  }

  /** @param {Match} match */
  decline = async (match) => {
    await this.runner.run(() => decline(match));
    await this.refresh();
  };

  /** Set who may invite the user. @param {typeof INVITATIONS[number]} from */
  setInvitations = (from) =>
    this.runner.run(async () => {
      this.self = await api.put("/v1/me/invitations", { invitations_from: from });
      this.app.announce(t("text.labelled", { name: t("invitations.title"), value: t(`invitations.${from}`) }));
    });

  /** @param {string} filter */
  count(filter) {
    return FILTERS[filter].reduce((sum, name) => sum + this.groups[name].length, 0);
  }

  close() {
    this.#closed = true;
    clearInterval(this.timer);
    this.stop();
  }

  /** @param {URLSearchParams} query */
  revisit(query) {
    this.shown = filterIn(query);
    return true;
  }

  title = () => t("lobby.title");

  view() {
    const { shown, seeks, self } = this;
    return html`<div class="title-row">
        <h1 tabindex="-1">${t("lobby.title")}</h1>
        ${startButtons()}
      </div>
      ${filters(this)} ${this.runner.alert} ${shown !== "all" && this.count(shown) === 0 ? none(shown) : nothing}
      ${
        ["all", "open"].includes(shown) && seeks.length
          ? html`<section class="matches">
              <h2>${t("seek.others")}</h2>
              ${seekRows(seeks, this.titles)}
            </section>`
          : nothing
      }
      ${FILTERS.all.filter((name) => FILTERS[shown].includes(name)).map((name) => section(this, name))}
      ${self && ["all", "mine"].includes(shown) ? invitations(self, this.setInvitations) : nothing}`;
  }
}

const startButtons = () =>
  html`<p class="row">
    <a class="button main" href="#/seek">${t("seek.title")}</a>
    <a class="button" href="#/new">${t("create.title")}</a>
  </p>`;

/** @param {LobbyPage} page */
const filters = (page) =>
  html`<div class="row filters" role="group" aria-label=${t("lobby.filter")}>
    ${Object.keys(FILTERS)
      .filter((name) => api.me() || !OF_ACCOUNT.includes(name))
      .map(
        (name) =>
          html`<a
            class="pill"
            href="#/lobby${name === "all" ? "" : `?show=${name}`}"
            aria-current=${name === page.shown ? "true" : nothing}
            >${t(`lobby.filter.${name}`)}${
              name === "turn" && page.count("turn")
                ? html` <strong class="count">${page.count("turn")}</strong>`
                : nothing
            }</a
          >`,
      )}
  </div>`;

/** @param {string} filter */
const none = (filter) =>
  html`<div class="empty">
    <p>${t(`lobby.none.${filter}`)}</p>
    ${startButtons()}
  </div>`;

/** @param {LobbyPage} page @param {Group} name */
function section({ groups, shown, titles, decline: onDecline }, name) {
  const matches = groups[name];
  if (matches.length === 0 && (shown !== "all" || name !== "open")) return nothing;
  const rows = matchRows(matches, (match) => ({
    title: titles[match.game] ?? match.game,
    action: ACTIONS[name] ?? "lobby.look",
    main: name === "turn",
    decline: name === "invited" ? onDecline : undefined,
  }));
  return html`<section class="matches">
    <h2>${t(`lobby.${name}`)}</h2>
    ${matches.length ? rows : none(name)}
  </section>`;
}

/** @param {Me} self @param {LobbyPage["setInvitations"]} choose */
const invitations = ({ invitations_from: chosen, quotas }, choose) =>
  html`<section class="invitations" aria-labelledby="invitations-title">
    <h2 id="invitations-title">${t("invitations.title")}</h2>
    <div class="row" role="radiogroup" aria-labelledby="invitations-title">
      ${INVITATIONS.map(
        (from) =>
          html`<label class="pill"
            ><input type="radio" name="invitations" .checked=${chosen === from} @change=${() => choose(from)} /><span
              >${t(`invitations.${from}`)}</span
            ></label
          >`,
      )}
    </div>
    <p class="faint">${t("quota.open", quotas.open_matches)} ${t("quota.running", quotas.running_matches)}</p>
  </section>`;
