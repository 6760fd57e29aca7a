// A tournament: terms, standings, tables to watch, crosstable, decisions, and the actions of an entrant.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import * as api from "../lib/api.js";
import { account } from "../lib/guest.js";
import { lang, moment, t } from "../lib/i18n.js";
import { enter } from "../lib/entries.js";
import { TournamentFeed, announcedPlayers, send } from "../lib/tournament.js";
import { crosstable } from "./parts/crosstable.js";
import { Organising } from "./parts/organising.js";
import { Runner } from "./parts/runner.js";
import { standings } from "./parts/standings.js";
import { tables } from "./parts/tables.js";
import { terms } from "./parts/terms.js";

/** @typedef {import("../types").Tournament} Tournament */

/**
 * @param {string[]} params
 * @param {URLSearchParams} _query
 * @param {import("../types").App} app
 * @returns {Promise<import("../types").Page>}
 */
export async function open([id], _query, app) {
  const runner = new Runner(app);
  /** @type {number | null} */ let chosen = null;
  let protesting = false;
  let why = "";
  let done = "";
  const feed = new TournamentFeed(id, {
    change: () => app.update(),
    fail(error) {
      runner.problem = error;
      app.update();
    },
  });
  await feed.start();
  const game = (await api.games(lang())).find((one) => one.id === feed.tournament.game);
  /** @type {Map<string, import("../types").SeatHolder>} */ let named = new Map();
  void announcedPlayers(feed.tournament.terms).then((found) => {
    named = found;
    app.update();
  });

  const act = (/** @type {() => Promise<Tournament>} */ command, /** @type {string} */ sentence) =>
    runner.run(async () => {
      done = "";
      await account();
      await feed.done(await command());
      done = sentence;
      app.announce(sentence);
    });

  const nameOf = (/** @type {number} */ entrant) => {
    const line = feed.standings.lines.find((one) => one.entrant === entrant);
    return line ? (line.player.name ?? t("player.erased")) : `#${entrant + 1}`;
  };
  const organising = new Organising(feed, app, act, nameOf);
  const mine = () => feed.standings.lines.find((line) => line.entrant === feed.tournament.you);
  const isEntrant = () => mine()?.active ?? false;
  const mayEnter = () => {
    const { status, terms: announced } = feed.tournament;
    return (
      !isEntrant() &&
      !feed.tournament.chance.due &&
      announced.admits !== "programs" &&
      (status === "open" || (status === "running" && announced.late_entry))
    );
  };
  const mayWithdraw = () =>
    isEntrant() && ["open", "running"].includes(feed.tournament.status) && !feed.tournament.chance.due;
  const isProvisional = () => feed.tournament.status === "provisional" && feed.tournament.you !== null;

  const statusText = () => {
    const { status, round, rounds, format, unfinished, correction_until, ends_at, edition } = feed.tournament;
    if (feed.tournament.chance.due) return t("tournament.now.opening", { until: moment(feed.tournament.chance.due) });
    if (status === "provisional")
      return t("tournament.now.provisional", { until: correction_until ? moment(correction_until) : "–" });
    if (status === "final") return t("tournament.now.final", { edition });
    if (status !== "running") return t(`tournament.now.${status}`);
    if (format === "arena" && ends_at) return t("tournament.now.arena", { until: moment(ends_at) });
    if (round > 0 && unfinished === 0) return t("tournament.now.complete", { round, rounds: Math.max(round, rounds) });
    return round === 0
      ? t("tournament.now.started")
      : t("tournament.now.running", { round, rounds: Math.max(round, rounds), count: unfinished });
  };

  const protestForm = () =>
    html`<form
      class="protest"
      @submit=${(/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        protesting = false;
        void act(() => send(feed.tournament, "protest", { why }), t("tournament.protested"));
      }}
    >
      <label class="field"
        ><span>${t("tournament.protest_why")}</span
        ><textarea
          required
          maxlength="400"
          rows="3"
          .value=${why}
          @input=${(/** @type {any} */ event) => {
            why = event.target.value;
          }}
        ></textarea>
      </label>
      <p class="row">
        <button class="main" ?disabled=${runner.busy}>${t("tournament.protest_send")}</button
        ><button
          type="button"
          @click=${() => {
            protesting = false;
            app.update();
          }}
        >
          ${t("moves.cancel")}
        </button>
      </p>
    </form>`;

  const actions = () =>
    html`<p class="row actions">
      ${
        mayEnter()
          ? html`<button
              type="button"
              class="main"
              ?disabled=${runner.busy}
              @click=${() => act(() => enter(feed.tournament), t("tournament.entered"))}
            >
              ${t(mine() ? "tournament.return" : "tournament.enter")}
            </button>`
          : nothing
      }
      ${
        mayWithdraw()
          ? html`<button
              type="button"
              ?disabled=${runner.busy}
              @click=${() =>
                window.confirm(t("tournament.withdraw_sure")) &&
                act(() => send(feed.tournament, "withdraw"), t("tournament.withdrew"))}
            >
              ${t("tournament.withdraw")}
            </button>`
          : nothing
      }
      ${
        isProvisional() && !feed.hasAgreed(feed.tournament.you)
          ? html`<button
              type="button"
              class="main"
              ?disabled=${runner.busy}
              @click=${() => act(() => send(feed.tournament, "acknowledge"), t("tournament.agreed"))}
            >
              ${t("tournament.agree")}
            </button>`
          : nothing
      }
      ${
        isProvisional()
          ? html`<button
              type="button"
              ?disabled=${runner.busy}
              @click=${() => {
                protesting = true;
                app.update();
              }}
            >
              ${t("tournament.protest")}
            </button>`
          : nothing
      }
      <a class="button" href="#/tournament/${id}/check">${t("tournament.check")}</a>
      <a class="button" href="/v1/tournaments/${id}/export" download="kontor-tournament-${id}.ndjson"
        >${t("tournament.download")}</a
      >
    </p>`;

  const facts = () =>
    html`<p class="facts-line">
      ${[
        game?.title ?? feed.tournament.game,
        t(`tournament.format.${feed.tournament.format}`),
        t("tournament.entrants_count", { count: feed.tournament.entrants }),
        t("tournament.by", { name: feed.tournament.organiser.name ?? t("player.erased") }),
      ].join(" · ")}
    </p>`;

  const decisionText = (/** @type {any} */ fact) => {
    const who = (fact.absent ?? []).map(nameOf).join(", ");
    return t(`tournament.decision.${fact.type}`, {
      name: "entrant" in fact ? nameOf(fact.entrant) : who,
      places: (fact.places ?? []).join(" – "),
      why: fact.why ?? "",
    });
  };
  const decisions = () =>
    feed.decisions.length === 0
      ? nothing
      : html`<section class="decisions">
          <h2>${t("tournament.decisions")}</h2>
          <ul>
            ${feed.decisions.slice(0, 50).map(
              ({ at, fact }) =>
                html`<li>
                  <span class="faint">${moment(at)}</span>
                  ${decisionText(fact)}${
                    fact.match ? html` · <a href="#/match/${fact.match}">${t("tournament.the_match")}</a>` : nothing
                  }
                </li>`,
            )}
          </ul>
        </section>`;
  const protests = () => {
    const { protests: found, acknowledged, entrants, status } = feed.tournament;
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
  };

  return {
    title: () => feed.tournament.title,
    close() {
      feed.close();
    },
    view: () =>
      html`<article class="tournament">
        <p class="crumbs"><a href="#/tournaments">${t("tournaments.title")}</a></p>
        <header>
          <h1 tabindex="-1">${feed.tournament.title}</h1>
          ${facts()}
          <p class="status-line">${statusText()}</p>
        </header>
        ${feed.connected ? nothing : html`<p class="banner" role="status">${t("match.disconnected")}</p>`}
        ${runner.alert} ${done ? html`<p class="good">${done}</p>` : nothing}
        ${isEntrant() && feed.tournament.status === "open" ? html`<p>${t("tournament.keep_open")}</p>` : nothing}
        ${organising.panel(runner.busy)} ${actions()} ${protesting ? protestForm() : nothing}
        ${standings(feed.tournament, feed.standings, feed.rounds, (entrant) => organising.withdrawal(entrant))}
        ${tables(
          feed.rounds,
          chosen ?? feed.tournament.round,
          nameOf,
          (round) => {
            chosen = round;
            app.update();
          },
          (match) => organising.decisions(match),
          isEntrant() ? feed.tournament.you : null,
        )}
        ${crosstable(feed.standings, feed.rounds)} ${protests()} ${decisions()} ${terms(feed.tournament, game, named)}
      </article>`,
  };
}
