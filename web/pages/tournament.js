// A tournament: terms, standings, tables to watch, crosstable, decisions, and the actions of an entrant.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import * as api from "../lib/api.js";
import { enter } from "../lib/entries.js";
import { entryOf } from "../lib/evidence.js";
import { onSubmit, withText } from "../lib/events.js";
import { account } from "../lib/guest.js";
import { lang, moment, t } from "../lib/i18n.js";
import { TournamentFeed, announcedPlayers, load, send } from "../lib/tournament.js";
import { crosstable } from "./parts/crosstable.js";
import { Organising } from "./parts/organising.js";
import { Runner } from "./parts/runner.js";
import { standings } from "./parts/standings.js";
import { tables } from "./parts/tables.js";
import { terms } from "./parts/terms.js";

/**
 * @typedef {import("../types").App} App
 * @typedef {import("../types").Tournament} Tournament
 * @typedef {import("../types").TournamentEvent} Event
 */
const MOST_DECISIONS = 50;

/** @param {string[]} params @param {URLSearchParams} _query @param {App} app */
export async function open([id], _query, app) {
  const [loaded, games] = await Promise.all([load(id), api.games(lang())]);
  return new TournamentPage(loaded, games, app);
}

class TournamentPage {
  /** The round whose tables are shown; null is the newest. @type {number | null} */ chosen = null;
  protesting = false;
  why = "";
  settled = false;
  /** How the record compares with the entry in this browser. @type {"good" | "wrong" | null} */ record = null;
  /** What was done, in one sentence. */
  done = "";
  copied = false;
  /** The players named in the terms. @type {Map<string, import("../types").SeatHolder>} */ named = new Map();

  /**
   * @param {Awaited<ReturnType<typeof load>>} loaded
   * @param {import("../types").GameSummary[]} games
   * @param {App} app
   */
  constructor(loaded, games, app) {
    this.app = app;
    this.runner = new Runner(app);
    this.feed = new TournamentFeed(loaded, this);
    this.game = games.find((one) => one.id === loaded.tournament.game);
    this.organising = new Organising(this.feed, app, this.act, this.nameOf);
    void this.lookForNames();
    void this.settleOnce();
  }

  /** Copy the address of the tournament. */
  copy = async () => {
    const address = location.href;
    this.copied = await navigator.clipboard.writeText(address).then(
      () => true,
      () => false,
    );
    this.app.announce(this.copied ? t("setup.copied") : address);
    this.app.update();
  };

  get tournament() {
    return this.feed.tournament;
  }

  get mine() {
    return this.feed.standings.lines.find((line) => line.entrant === this.tournament.you);
  }

  get isEntrant() {
    return this.mine?.active ?? false;
  }

  get mayEnter() {
    const { status, terms: announced, chance } = this.tournament;
    if (this.isEntrant || chance.due || announced.admits === "programs") return false;
    return status === "open" || (status === "running" && announced.late_entry);
  }

  get mayWithdraw() {
    const { status, chance } = this.tournament;
    return this.isEntrant && ["open", "running"].includes(status) && !chance.due;
  }

  get isProvisional() {
    return this.tournament.status === "provisional" && this.tournament.you !== null;
  }

  change() {
    void this.settleOnce();
    this.app.update();
  }

  /** When the tournament is over, compare its record with the entry in this browser. */
  async settleOnce() {
    const { id, status } = this.tournament;
    if (this.settled || !["final", "cancelled"].includes(status) || !entryOf(id)) return;
    this.settled = true;
    const { settleTournament } = await import("../lib/verify.js");
    this.record = await settleTournament(id).catch(() => null); // the service can't be reached: again at the next visit
    this.app.update();
  }

  /** @param {unknown} error */
  fail(error) {
    this.runner.fail(error);
  }

  async lookForNames() {
    this.named = await announcedPlayers(this.tournament.terms);
    this.app.update();
  }

  /** @param {() => Promise<import("../lib/tournament.js").Answer>} command @param {string} sentence */
  act = (command, sentence) =>
    this.runner.run(async () => {
      this.done = "";
      await account();
      await this.feed.done(await command());
      this.done = sentence;
      this.app.announce(sentence);
    });

  /** @param {string} name @param {string} sentence @param {object} [body] */
  send = (name, sentence, body) => this.act(() => send(this.tournament, name, body), t(sentence));
  enter = () => this.act(() => enter(this.tournament), t("tournament.entered"));
  withdraw = () => window.confirm(t("tournament.withdraw_sure")) && void this.send("withdraw", "tournament.withdrew");
  agree = () => this.send("acknowledge", "tournament.agreed");
  protest = () => {
    this.protesting = false;
    void this.send("protest", "tournament.protested", { why: this.why });
  };

  /** @param {boolean} on */
  setProtesting(on) {
    this.protesting = on;
    this.app.update();
  }

  /** @param {number} round */
  choose = (round) => {
    this.chosen = round;
    this.app.update();
  };

  /** @param {number} entrant */
  nameOf = (entrant) => {
    const line = this.feed.standings.lines.find((one) => one.entrant === entrant);
    return line ? (line.player.name ?? t("player.erased")) : `#${entrant + 1}`;
  };

  close() {
    this.feed.close();
  }

  title = () => this.tournament.title;

  view() {
    const { feed, tournament, organising, runner, nameOf } = this;
    return html`<article class="tournament">
      <p class="crumbs"><a href="#/tournaments">${t("tournaments.title")}</a></p>
      ${head(this)} ${feed.connected ? nothing : html`<p class="banner" role="status">${t("match.disconnected")}</p>`}
      ${outcome(this)} ${runner.alert} ${this.done ? html`<p class="good">${this.done}</p>` : nothing}
      ${this.isEntrant && tournament.status === "open" ? html`<p>${t("tournament.keep_open")}</p>` : nothing}
      ${organising.panel(runner.busy)} ${actions(this)} ${this.protesting ? protestForm(this) : nothing}
      ${standings(tournament, feed.standings, feed.rounds, (entrant) => organising.withdrawal(entrant))}
      ${tables(
        feed.rounds,
        this.chosen ?? tournament.round,
        nameOf,
        this.choose,
        (match) => organising.decisions(match),
        this.isEntrant ? tournament.you : null,
      )}
      ${crosstable(feed.standings, feed.rounds)} ${protests(this)} ${decisions(this)}
      ${terms(tournament, this.game, this.named)}
    </article>`;
  }
}

/** @param {Tournament} tournament */
function statusText({ status, round, rounds, format, unfinished, correction_until, ends_at, edition, chance }) {
  if (chance.due) return t("tournament.now.opening", { until: moment(chance.due) });
  if (status === "provisional")
    return t("tournament.now.provisional", { until: correction_until ? moment(correction_until) : "–" });
  if (status === "final") return t("tournament.now.final", { edition });
  if (status !== "running") return t(`tournament.now.${status}`);
  if (format === "arena" && ends_at) return t("tournament.now.arena", { until: moment(ends_at) });
  if (round === 0) return t("tournament.now.started");
  const values = { round, rounds: Math.max(round, rounds) };
  return unfinished === 0
    ? t("tournament.now.complete", values)
    : t("tournament.now.running", { ...values, count: unfinished });
}

/** @param {TournamentPage} page */
function head({ tournament, game }) {
  const { starts_at: startsAt, description } = tournament.terms;
  return html`<header>
    <h1 tabindex="-1">${tournament.title}</h1>
    <p class="facts-line">
      ${[
        game?.title ?? tournament.game,
        t(`tournament.format.${tournament.format}`),
        t("tournament.entrants_count", { count: tournament.entrants }),
        t("tournament.by", { name: tournament.organiser.name ?? t("player.erased") }),
      ].join(" · ")}
    </p>
    <p class="status-line">${statusText(tournament)}</p>
    ${
      startsAt && ["announced", "open"].includes(tournament.status)
        ? html`<p>${t("tournament.starts_at", { date: moment(new Date(startsAt).toISOString()) })}</p>`
        : nothing
    }
    ${description ? html`<p>${description}</p>` : nothing}
  </header>`;
}

/** @param {TournamentPage} page */
function actions(page) {
  const { id, you } = page.tournament;
  const button = (/** @type {string} */ label, /** @type {() => unknown} */ act, style = "") =>
    html`<button type="button" class=${style} ?disabled=${page.runner.busy} @click=${act}>${t(label)}</button>`;
  return html`<p class="row actions">
    ${page.mayEnter ? button(page.mine ? "tournament.return" : "tournament.enter", page.enter, "main") : nothing}
    ${page.mayWithdraw ? button("tournament.withdraw", page.withdraw) : nothing}
    ${page.isProvisional && !page.feed.hasAgreed(you) ? button("tournament.agree", page.agree, "main") : nothing}
    ${page.isProvisional ? button("tournament.protest", () => page.setProtesting(true)) : nothing}
    <button type="button" @click=${page.copy}>${t(page.copied ? "setup.copied" : "setup.copy")}</button>
    <a class="button" href="#/tournament/${id}/check">${t("tournament.check")}</a>
    <a class="button" href="/v1/tournaments/${id}/export" download="kontor-tournament-${id}.ndjson"
      >${t("tournament.download")}</a
    >
  </p>`;
}

/** @param {TournamentPage} page */
const outcome = ({ record, tournament: { id } }) =>
  record === "wrong"
    ? html`<p class="alert" role="alert">
        ${t("tournament.contradicted")} <a href="#/tournament/${id}/check">${t("tournament.check")}</a>
      </p>`
    : record
      ? html`<p class="faint">✓ ${t("result.checked")}</p>`
      : nothing;

/** @param {TournamentPage} page */
const protestForm = (page) =>
  html`<form class="protest" @submit=${onSubmit(page.protest)}>
    <label class="field"
      ><span>${t("tournament.protest_why")}</span
      ><textarea
        required
        maxlength="400"
        rows="3"
        .value=${page.why}
        @input=${withText((text) => {
          page.why = text;
        })}
      ></textarea>
    </label>
    <p class="row">
      <button class="main" ?disabled=${page.runner.busy}>${t("tournament.protest_send")}</button
      ><button type="button" @click=${() => page.setProtesting(false)}>${t("moves.cancel")}</button>
    </p>
  </form>`;

/** @param {TournamentPage} page */
function protests({ tournament, nameOf }) {
  const { protests: found, acknowledged, entrants, status } = tournament;
  if (!["provisional", "final"].includes(status)) return nothing;
  return html`<section>
    <h2>${t("tournament.consent")}</h2>
    <p>${t("tournament.acknowledged", { count: acknowledged, of: entrants })}</p>
    ${
      found.length
        ? html`<ul>
            ${found.map((one) => html`<li><strong>${nameOf(one.entrant)}</strong>: ${one.why}</li>`)}
          </ul>`
        : nothing
    }
  </section>`;
}

/** @param {TournamentPage} page */
function decisions({ feed, nameOf }) {
  if (feed.decisions.length === 0) return nothing;
  return html`<section class="decisions">
    <h2>${t("tournament.decisions")}</h2>
    <ul>
      ${feed.decisions.slice(0, MOST_DECISIONS).map(
        ({ at, fact }) =>
          html`<li>
            <span class="faint">${moment(at)}</span>
            ${decisionText(fact, nameOf)}${
              fact.match ? html` · <a href="#/match/${fact.match}">${t("tournament.the_match")}</a>` : nothing
            }
          </li>`,
      )}
    </ul>
  </section>`;
}

/** @param {Event["fact"]} fact @param {(entrant: number) => string} nameOf */
const decisionText = ({ type, entrant, absent = [], places, why = "" }, nameOf) =>
  t(`tournament.decision.${type}`, {
    name: entrant === undefined ? absent.map(nameOf).join(", ") : nameOf(entrant),
    places: (places ?? []).join(" – "),
    why,
  });
