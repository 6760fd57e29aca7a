// A match while it is played: board, players, moves, log. The same page for players and spectators.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import * as api from "../lib/api.js";
import * as commands from "../lib/commands.js";
import { drawingOf, standings } from "../lib/drawing.js";
import { evidenceOf } from "../lib/evidence.js";
import { initial } from "../lib/form.js";
import { account } from "../lib/guest.js";
import { lang, t } from "../lib/i18n.js";
import * as keys from "../lib/keys.js";
import { tableOf } from "../lib/table_of.js";
import { MatchFeed } from "../lib/match_feed.js";
import { ratingChange } from "../lib/ratings.js";
import { reducedMotion, settings } from "../lib/settings.js";
import { eventText, moveText, offered, wordFor } from "../lib/texts.js";
import { log, scrollLog } from "./parts/log.js";
import { confirmSetting, confirmation, keepStageVisible, moveList, refusal } from "./parts/moves.js";
import { players, tick } from "./parts/players.js";
import { endReason, ratingText, result, winner } from "./parts/result.js";
import { Runner } from "./parts/runner.js";
import { setup } from "./parts/setup.js";
import { lastDone, turnBar } from "./parts/turn_bar.js";

/** @typedef {import("./parts/moves.js").Choice} Choice @typedef {import("../types").Move} Move */
const TICK = 250;
const STATUS = ".status-line";

/**
 * @param {string[]} params
 * @param {URLSearchParams} _query
 * @param {import("../types").App} app
 * @returns {Promise<import("../types").Page>}
 */
export async function open([id], _query, app) {
  /** @type {Choice | null} */ let choice = null;
  const runner = new Runner(app);
  let copied = false;
  let asked = 0;
  let keyMissing = false;
  let settled = false;
  /** @type {"good" | "wrong" | null} */ let record = null;
  /** @type {import("./parts/result.js").More["rating"]} */ let rating = null;
  let wasRunning = false;
  let ended = false;
  let rated = false;
  let closed = false;
  /** @type {string | null} */ let soughtKey = null;
  const main = () => document.getElementById("main") ?? document;

  /** Find out whether this browser has the key with which the user's seat signs: it is said before the first move. */
  async function lookForKey() {
    const key = commands.keyOf(feed.match);
    if (key === soughtKey || feed.over) return;
    soughtKey = key;
    keyMissing = key !== null && (await keys.find(key)) === null;
    app.update();
  }

  /** When the match is over, compare its record with the evidence in this browser. */
  async function settleOnce() {
    if (settled || !feed.over || !evidenceOf(id)) return;
    settled = true;
    const { settle } = await import("../lib/verify.js");
    record = await settle(id).catch(() => null); // the service can't be reached: the next visit tries again
    app.update();
  }

  /** When a rated match of the user is over, find out how it has changed the rating. */
  async function rateOnce() {
    const me = api.me();
    if (rated || !feed.over || !feed.match.rated || !feed.match.result || feed.match.you === null || !me) return;
    rated = true;
    // the service can't be reached: the next visit tries again
    rating = await ratingChange(feed.match, me.id, () => !closed).catch(() => null);
    if (rating && !closed) app.announce(ratingText(rating));
    app.update();
  }

  /** @type {import("../lib/table_of.js").TableOf | null} */ let table = null;
  const lookForTournament = () =>
    tableOf(feed.match).then(
      (found) => {
        table = found;
        app.update();
      },
      () => null,
    ); // without it the match can still be played

  const mayAct = () => feed.match.status === "running" && feed.match.you !== null && feed.match.legal_moves.length > 0;
  const moves = () => offered(feed.game, feed.match);
  const stillOffered = (/** @type {Choice} */ one) => {
    const now = feed.match.legal_moves.findIndex((move) => JSON.stringify(move) === JSON.stringify(one.offered.move));
    if (now >= 0) one.offered = { ...one.offered, index: now };
    return now >= 0 || one.offered.index < 0;
  };

  /**
   * Whether the answer to the dry run belongs to an earlier position, or the service could not be reached.
   * @param {Choice} one
   */
  const isOutdated = (one) =>
    feed.connected &&
    ["passes", "refused"].includes(one.state) &&
    (one.answer || one.problem) &&
    (one.version !== feed.match.version || one.problem instanceof api.Unreachable);

  const feed = new MatchFeed(id, {
    change() {
      if (choice && choice.state !== "sending" && !stillOffered(choice)) choice = null;
      if (choice && isOutdated(choice)) void check({ again: true });
      void lookForKey();
      void settleOnce();
      void rateOnce();
      ended ||= wasRunning && feed.over;
      wasRunning = feed.match.status === "running";
      if (feed.match.chance.due && !runner.busy) void act(() => commands.openContribution(feed.match));
      app.update();
      queueMicrotask(() => {
        tick(main());
        scrollLog();
      });
    },
    news(events) {
      const sentences = events.map((event) => eventText(feed.game, event, feed.names)).filter(Boolean);
      if (feed.over)
        sentences.push(
          feed.match.result ? winner(feed.match, feed.names) : t("result.aborted"),
          ...(feed.match.result ? [] : [reason()]),
        );
      else if (mayAct()) sentences.push(t("match.your_turn"));
      if (sentences.length) app.announce(sentences.join(" "));
    },
    fail(error) {
      runner.problem = error;
      app.update();
    },
  });
  await feed.start();
  wasRunning = feed.match.status === "running";
  void lookForKey();
  void settleOnce();
  void rateOnce();
  void lookForTournament();
  const drawing = await drawingOf(feed.match.game);
  const clock = setInterval(() => tick(main()), TICK);
  setTimeout(() => {
    tick(main());
    scrollLog();
  }, 50);

  const act = (/** @type {() => Promise<any>} */ command) =>
    runner.run(async () => {
      try {
        const answer = await command();
        if (answer) feed.take(answer);
        if (!feed.over) {
          feed.stop();
          feed.follow();
        }
      } catch (error) {
        void feed.refresh();
        throw error;
      }
    });

  /** @param {number | null} index */
  function choose(index) {
    const before = choice;
    runner.problem = null;
    choice = null;
    if (index !== null) select(moves()[index]);
    else if (before) focusOn(`[data-move="${before.offered.index}"]`);
    app.update();
  }

  /** @param {Move} move one that is not listed, such as an offer */
  const propose = (move) => {
    // until the dry run names the move
    const label = moves().find((one) => one.move.type === move.type)?.label ?? moveText(feed.game.words, move);
    select({ index: -1, move, label });
  };

  /** @param {import("../types").Offered} one */
  function select(one) {
    const only = feed.match.legal_moves.length === 1 && one.index >= 0;
    if (!one.move.schema && (settings.confirm === "none" || (settings.confirm === "costs" && only)))
      return void send(one.move);
    choice = {
      offered: one,
      state: "asking",
      quiet: settings.confirm === "costs" && one.index >= 0 && !one.move.schema,
      ...(one.move.schema ? { filled: { type: one.move.type, ...initial(one.move.schema) } } : {}),
    };
    app.update();
    if (one.move.schema) choice.state = "refused";
    else void check();
    queueMicrotask(() => queueMicrotask(() => keepStageVisible(main())));
  }

  /**
   * Dry-run the chosen move.
   * @param {{again?: boolean}} [options] whether the position has changed under a chosen move
   */
  async function check({ again = false } = {}) {
    const mine = choice;
    const number = ++asked;
    if (!mine) return;
    const { activeElement: active } = document;
    const moveFocus = !again || active === document.body || Boolean(active?.closest(".confirm"));
    Object.assign(mine, { state: "asking", answer: undefined, problem: undefined, version: feed.match.version });
    app.update();
    try {
      const answer = await commands.dryRun(feed.match, mine.filled ?? mine.offered.move);
      if (number !== asked) return;
      mine.answer = answer;
      if (answer.label && mine.offered.index < 0) mine.offered = { ...mine.offered, label: answer.label };
      mine.state = "passes";
      if (choice === mine && mine.quiet && !again && mine.version === feed.match.version && isFree()) return confirm();
    } catch (error) {
      if (number !== asked) return;
      mine.problem = error;
      mine.state = "refused";
      if (error instanceof api.Problem && error.status === 412) void feed.refresh();
      if (error instanceof api.Problem && error.status === 401) runner.problem = error; // shown with links to continue
    }
    mine.quiet = false;
    if (choice === mine) {
      app.update();
      if (mine.version !== feed.match.version) return void check({ again });
      queueMicrotask(() =>
        queueMicrotask(() => {
          if (moveFocus) document.getElementById("confirm")?.focus({ preventScroll: true });
          keepStageVisible(main());
        }),
      );
    }
  }

  /** Whether the game says what a seat has: without that, every move may cost something. */
  const knowsCosts = () =>
    drawing.holdings(feed.match.view, feed.match.you ?? 0, { t: drawing.t, word: (id) => id }).length > 0;

  /** The costs and gains of the chosen move for the user. @returns {import("./parts/moves.js").Change[]} */
  function changes() {
    const after = choice?.answer?.view;
    const { you, view } = feed.match;
    if (!after || you === null) return [];
    const words = { t: drawing.t, word: (/** @type {string} */ id) => wordFor(feed.game.words, id) };
    const now = drawing.holdings(view, you, words);
    const then = drawing.holdings(after, you, words);
    return now
      .map(({ name, count }, place) => ({ name, before: count, after: then[place].count }))
      .filter((one) => one.before !== one.after);
  }

  /** Whether the chosen move costs nothing, and everything that it does is known. */
  const isFree = () =>
    Boolean(choice?.answer?.complete) && knowsCosts() && changes().every(({ before, after }) => after >= before);

  function confirm() {
    if (!choice || choice.state !== "passes") return;
    choice.state = "sending";
    void send(choice.filled ?? choice.offered.move);
  }

  const send = (/** @type {Move} */ move) =>
    runner.run(async () => {
      try {
        const answer = await commands.play(feed.match, move);
        choice = null;
        feed.take(answer);
        focusOn(STATUS);
      } catch (error) {
        if (choice) Object.assign(choice, { state: "refused", quiet: false, problem: error });
        void feed.refresh();
        if (!choice || (error instanceof api.Problem && error.status === 401)) throw error;
      }
    });

  /**
   * Move the focus out of the confirmation: to the moves, or to the line that says whose turn it is.
   * @param {string} selector
   */
  function focusOn(selector) {
    queueMicrotask(() =>
      queueMicrotask(() => {
        const active = document.activeElement;
        if (active && active !== document.body && !active.closest(".confirm, .moves")) return;
        const target = document.querySelector(selector) ?? document.querySelector(STATUS);
        /** @type {HTMLElement | null} */ (target)?.focus();
      }),
    );
  }

  const join = (/** @type {number} */ seat) =>
    act(async () => {
      await account();
      feed.match = await feed.loadMatch();
      return commands.join(feed.match, seat);
    });

  const decline = () =>
    runner.run(
      async () => {
        await commands.decline(feed.match);
        app.go("#/lobby");
      },
      { leaves: true },
    );

  const rematch = () =>
    runner.run(
      async () => {
        const made = await commands.rematch(feed.match);
        app.go(`#/match/${made.id}`);
      },
      { leaves: true },
    );

  /** The address of the match; for a private match with its key, if the user has it. */
  const address = () => {
    const key = feed.match.link_key ?? api.keyFor(id);
    return `${location.href.split(/[?#]/)[0]}#/match/${id}${feed.match.private && key ? `?key=${key}` : ""}`;
  };

  const renewLink = () =>
    runner.run(async () => {
      feed.match = { ...feed.match, link_key: await commands.renewLink(feed.match) };
      await copy();
    });

  async function copy() {
    const link = address();
    try {
      await navigator.clipboard.writeText(link);
      copied = true;
      app.announce(t("setup.copied"));
    } catch {
      app.announce(link);
    }
    app.update();
  }

  const context = () => ({
    game: feed.game,
    data: feed.data,
    words: feed.game.words,
    language: lang(),
    t: drawing.t,
    match: feed.match,
    view: feed.match.view,
    previous: feed.previous,
    since: feed.since,
    moves: moves(),
    chosen: choice && choice.offered.index >= 0 ? choice.offered.index : null,
    choose,
    propose,
    you: feed.match.you,
    names: feed.names,
    interactive: mayAct() && !runner.busy,
    reducedMotion: reducedMotion(),
  });

  const reason = () => endReason(feed.game, feed.events, feed.names);

  /** Put the result back to its place above the board. */
  function closeResult() {
    ended = false;
    app.update();
    focusOn(STATUS);
  }

  const statusText = () => {
    const { match, names } = feed;
    if (match.status === "open") return t("status.open");
    if (match.status === "aborted") return t("result.aborted");
    if (match.status === "finished") return winner(match, names);
    if (match.you !== null && match.to_act.includes(match.you)) return t("match.your_turn");
    const acting = match.to_act.map((seat) => names[seat]).join(", ");
    if (!acting) return t("match.going");
    return t(mayAct() ? "match.turn_of" : "match.waiting", { names: acting });
  };

  const actions = {
    choose,
    confirm,
    check: () => void check(),
    fill: (/** @type {any} */ value) => {
      if (choice) {
        choice.filled = value;
        app.update();
      }
    },
  };

  const board = () =>
    html` <div
      class="table ${mayAct() ? "my-turn" : ""}"
      ?data-asking=${runner.busy || choice?.state === "asking"}
      data-version=${feed.match.version}
    >
      <div class="board-side">
        ${
          feed.match.status === "running"
            ? turnBar(
                feed.match,
                statusText(),
                mayAct() ? drawing.prompt(context()) || t("moves.title", { count: moves().length }) : "",
                lastDone(feed.game, feed.events, feed.names),
              )
            : nothing
        }
        <section
          class="board ${drawing.own ? "" : "plain"}"
          tabindex=${drawing.own ? nothing : 0}
          aria-label=${t("match.board")}
        >
          ${drawing.draw(context())}
        </section>
        ${mayAct() ? moveList(moves(), choice, actions, runner.busy) : nothing}
      </div>
      <div class="info-side">
        ${
          choice && !choice.quiet ? confirmation(choice, feed.match.game, feed.game.words, actions, changes()) : nothing
        }
        ${players(feed.match, feed.names, standings(drawing, feed.game.words, feed.match.view))}
        ${log(feed.game, feed.events, feed.names)}
        ${
          feed.match.status === "running"
            ? html`<details class="more">
                <summary>${t("match.more")}</summary>
                ${confirmSetting()}
                <p class="row">
                  <button type="button" @click=${copy}>${copied ? t("setup.copied") : t("match.share")}</button> ${
                    feed.match.you === null
                      ? nothing
                      : html`<button
                            type="button"
                            @click=${() =>
                              window.confirm(t("match.resign_sure")) && act(() => commands.resign(feed.match))}
                          >
                            ${t("match.resign")}
                          </button>
                          <button type="button" @click=${() => act(() => commands.abort(feed.match))}>
                            ${t("match.abort")}
                          </button>`
                  }
                </p>
              </details>`
            : nothing
        }
      </div>
    </div>`;

  return {
    title: () => `${mayAct() ? "● " : ""}${feed.game.title}`,
    close() {
      closed = true;
      feed.close();
      clearInterval(clock);
    },
    view: () =>
      html`<article class="match">
        ${
          table
            ? html`<p class="crumbs">
                <a href="#/tournament/${table.id}">${table.title}</a>${
                  table.round === null
                    ? nothing
                    : html` <span class="faint">${t("tournament.round", { round: table.round })}</span>`
                }
              </p>`
            : nothing
        }
        <header class="match-head">
          <h1 tabindex="-1">${feed.game.title}</h1>
          ${feed.match.status === "running" ? nothing : html`<p class="status-line" tabindex="-1">${statusText()}</p>`}
          <p class="links">
            <a href="#/rules/${feed.match.game}">${t("rules.title")}</a>
            <a href="#/match/${id}/replay">${t("replay.title")}</a>
          </p>
        </header>
        ${
          api.me() || feed.over
            ? nothing
            : html`<p class="note">${t("match.no_account")} <a href="#/account">${t("problem.other_device")}</a></p>`
        }
        ${
          keyMissing && !feed.over
            ? html`<p class="alert" role="alert">
                ${t("problem.key_elsewhere")} <a href="#/account">${t("account.title")}</a>
              </p>`
            : nothing
        }
        ${feed.connected ? nothing : html`<p class="banner" role="status">${t("match.disconnected")}</p>`}
        ${
          runner.problem instanceof api.Problem && runner.problem.status === 401
            ? runner.alert
            : runner.problem
              ? refusal(runner.problem, feed.match.game)
              : nothing
        }
        ${
          feed.over
            ? result(feed.match, feed.names, feed.game.words, {
                rematch: feed.match.you === null || feed.match.branch || table ? null : rematch,
                record,
                reason: reason(),
                rating,
                news: ended,
                close: closeResult,
              })
            : nothing
        }
        ${
          feed.match.status === "open"
            ? setup(feed.match, feed.game, feed.names, {
                join,
                leave: () => act(() => commands.leave(feed.match)),
                start: () => act(() => commands.start(feed.match)),
                abort: () => act(() => commands.abort(feed.match)),
                decline,
                copy,
                copied,
                busy: runner.busy,
                me: api.me()?.id,
                renewLink,
                link: address(),
              })
            : nothing
        }
        ${feed.match.view ? board() : nothing}
      </article>`,
  };
}
