// What the page of a match shows.
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import * as api from "../../lib/api.js";
import { span } from "../../lib/clocks.js";
import { standings } from "../../lib/drawing.js";
import { t } from "../../lib/i18n.js";
import { eventText } from "../../lib/texts.js";
import { beside, notePress } from "./beside.js";
import { log } from "./log.js";
import { confirmSetting, confirmation, moveList, refusal } from "./moves.js";
import { players } from "./players.js";
import { result } from "./result.js";
import { setup } from "./setup.js";
import { aidButton } from "./aid_button.js";
import { talk } from "./talk.js";
import { happened, moment, toldBar } from "./telling.js";
import { lastDone, turnBar } from "./turn_bar.js";

/** @typedef {import("../match.js").MatchPage} MatchPage */
/** @typedef {import("../../lib/table_of.js").TableOf} TableOf */

/** @param {MatchPage} page */
export const matchView = (page) =>
  html`<article class="match">
    ${page.table ? crumbs(page.table) : nothing} ${head(page)} ${notices(page)} ${ending(page)}
    ${page.feed.match.status === "open" ? beginning(page) : nothing}
    ${page.stage.match.view ? table(page, page.stage.match.view) : nothing}
  </article>`;

/** @param {TableOf} table */
const crumbs = ({ id, title, round }) =>
  html`<p class="crumbs">
    <a href="#/tournament/${id}">${title}</a>${
      round === null ? nothing : html` <span class="faint">${t("tournament.round", { round })}</span>`
    }
  </p>`;

/** @param {MatchPage} page */
const head = ({ id, feed: { game, match, data }, drawing, isRunning, status }) =>
  html`<header class="match-head">
    <h1 tabindex="-1">${game.title}</h1>
    ${isRunning ? nothing : html`<p class="status-line" tabindex="-1">${status}</p>`}
    <p class="links">
      ${aidButton(drawing, game, data, match.seats.length)}
      <a href="#/rules/${match.game}">${t("rules.title")}</a>
      <a href="#/match/${id}/replay">${t("replay.title")}</a>
    </p>
  </header>`;

/**
 * What the user should know first: a missing account or key, a lost connection, what has failed.
 * @param {MatchPage} page
 */
const notices = ({ feed, keyMissing, runner }) =>
  html`${
    api.me() || feed.over || feed.match.status === "open"
      ? nothing
      : html`<p class="note">${t("match.no_account")} <a href="#/account">${t("problem.other_device")}</a></p>`
  }
  ${
    feed.match.spectator_delay && feed.match.you === null && feed.match.status === "running"
      ? html`<p class="note">${t("match.delayed", { time: span(feed.match.spectator_delay * 1000) })}</p>`
      : nothing
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
      : runner.problems.map((problem) => refusal(problem, feed.match.game))
  }`;

/** @param {MatchPage} page */
function ending({ feed, over, table: ofTable, record, rating, reason, ended, rematch, closeResult }) {
  const { game, match, names } = feed;
  if (!over) return nothing;
  return result(match, names, game.words, {
    ...{ record, reason, rating },
    rematch: match.you === null || match.branch || ofTable ? null : rematch,
    news: ended,
    close: closeResult,
  });
}

/** @param {MatchPage} page */
const beginning = (page) =>
  setup(page.feed.match, page.feed.game, page.feed.names, {
    join: page.join,
    command: page.command,
    decline: page.decline,
    seatBot: page.seatBot,
    copy: page.copy,
    copied: page.copied,
    busy: page.runner.busy,
    declines: page.feed.events
      .filter(({ fact }) => fact.type === "invitation_declined")
      .map((event) => eventText(page.feed.game, event, page.feed.names) ?? ""),
    me: api.me()?.id,
    renewLink: page.renewLink,
    link: page.address,
  });

/** @param {MatchPage} page @param {import("../../types").View} view */
function table(page, view) {
  const { feed, stage, drawing, choosing, mayAct, runner } = page;
  const { choice, moves } = choosing;
  const context = page.context(choosing.view ?? view);
  const told = { drawing, context, match: feed.match };
  return html`<div
    class="table ${mayAct ? "my-turn" : ""}"
    ?data-asking=${runner.busy || choice?.state === "asking"}
    ?data-telling=${stage.behind}
    data-version=${feed.match.version}
    @pointerdown=${notePress}
    @keydown=${notePress}
  >
    <div class="board-side">
      ${page.isRunning ? html`${bar(page, told)}${happened(stage.list, told)}` : nothing}
      ${page.guide?.view() ?? nothing}
      <section
        class="board ${drawing.own ? "" : "plain"} ${choosing.view ? "laid-out" : ""}"
        tabindex=${drawing.own ? nothing : 0}
        aria-label=${t("match.board")}
        @click=${stage.step ? stage.queue.skip : nothing}
      >
        ${moment(stage.step, told)}${drawing.draw(context)}${beside(choosing)}
      </section>
      ${mayAct ? moveList(moves, context.chosen, choosing, runner.busy) : nothing}
    </div>
    <div class="info-side">
      ${choice && !choice.quiet ? confirmation(choice, feed.game, choosing) : nothing}
      ${players(feed.match, feed.names, standings(drawing, feed.game.words, view))}
      ${log(feed.game, feed.events, feed.names)} ${talk(page)} ${page.isRunning ? more(page) : nothing}
    </div>
  </div>`;
}

/** @param {MatchPage} page @param {import("./telling.js").ToldLive} told */
function bar({ feed: { game, events, names }, stage, drawing, status, mayAct }, told) {
  const { context } = told;
  const { step, match } = stage;
  if (step) return toldBar(step, stage.queue, told);
  const prompt = mayAct ? drawing.prompt(context) || t("moves.title", { count: context.moves.length }) : "";
  return turnBar(match, status, prompt, lastDone(game, events, names));
}

/** @param {MatchPage} page */
const more = ({ feed, copied, copy, command }) =>
  html`<details class="more">
    <summary>${t("match.more")}</summary>
    ${confirmSetting()}
    <p class="row">
      <button type="button" @click=${copy}>${copied ? t("setup.copied") : t("match.share")}</button> ${
        feed.match.you === null
          ? nothing
          : html`<button type="button" @click=${() => window.confirm(t("match.resign_sure")) && command("resign")}>
                ${t("match.resign")}
              </button>
              <button type="button" @click=${() => command("abort")}>${t("match.abort")}</button>`
      }
    </p>
  </details>`;
