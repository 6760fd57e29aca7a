// What the page of a replay shows.
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { live } from "../../vendor/lit-html/directives/live.js";
import { kept } from "../../boards/kept.js";
import { standings } from "../../lib/drawing.js";
import { withText } from "../../lib/events.js";
import { t } from "../../lib/i18n.js";
import { analysisPart } from "./analysis.js";
import { graph } from "./graph.js";
import { log } from "./log.js";
import { refusal } from "./moves.js";
import { players } from "./players.js";
import { changes, moment } from "./telling.js";

/** @typedef {import("../replay.js").ReplayPage} ReplayPage */
const SPEEDS = [0.5, 1, 2, 4, 8];

/** @param {ReplayPage} page */
export const replayView = (page) =>
  html`<article class="match replay">
    <header class="match-head">
      <h1 tabindex="-1">${page.game.title}</h1>
      <p class="status-line">${t("replay.title")}</p>
      <p class="links">
        <a href="#/match/${page.match.id}">${t("replay.match")}</a>
        ${page.over ? html`<a href="#/match/${page.match.id}/check">${t("result.check")}</a>` : nothing}
        <a href="#/rules/${page.match.game}">${t("rules.title")}</a>
      </p>
    </header>
    ${page.runner.problems.map((problem) => refusal(problem, page.match.game))}
    ${page.positions.length === 0 ? html`<p class="loading">${t("shell.loading")}</p>` : table(page)}
  </article>`;

/** @param {ReplayPage} page */
function table(page) {
  const { game, names, drawing, points, at, rounds, positions, last, here, shown } = page;
  const context = here.view && page.context(here.view);
  return html`<div class="table">
    <div class="board-side">
      <section class="controls" aria-label=${t("replay.controls")}>
        ${transport(page)} ${analysisPart(page)} ${jumps(page)} ${told(page, context)}
      </section>
      ${context ? board(page, context) : nothing}
    </div>
    <div class="info-side">
      ${players(shown, names, standings(drawing, game.words, here.view))}
      ${page.complete ? graph(points, at, names, page.jump, rounds, positions[last].view) : nothing}
      ${log(game, page.events, names, page.address)}
    </div>
  </div>`;
}

/** @param {ReplayPage} page @param {import("../../types").BoardContext} context */
const board = ({ drawing, queue }, context) =>
  html`<section
    class="board ${drawing.own ? "" : "plain"}"
    tabindex=${drawing.own ? nothing : 0}
    aria-label=${t("match.board")}
  >
    ${moment(queue.current, { drawing, context })}${drawing.draw(context)}
  </section>`;

/** @param {string} key @param {string} sign @param {() => void} act @param {boolean} disabled */
const step = (key, sign, act, disabled) =>
  html`<button type="button" class="icon" aria-label=${t(key)} title=${t(key)} ?disabled=${disabled} @click=${act}>
    <span aria-hidden="true">${sign}</span>
  </button>`;

/** @param {ReplayPage} page */
function transport(page) {
  const { at, last, jump, where } = page;
  const [isFirst, isLast] = [at === 0, at >= last];
  return html`<div class="row transport">
    <span class="pair"
      >${step("replay.first", "|◀", () => jump(0), isFirst)}${step("replay.back", "◀", () => jump(at - 1), isFirst)}
      <button type="button" class="main play" @click=${page.play}>
        ${page.playing ? t("replay.pause") : t("replay.play")}
      </button>
      ${step("replay.forth", "▶", () => jump(at + 1), isLast)}${step("replay.last", "▶|", () => jump(last), isLast)}
      <label
        ><span class="unseen">${t("replay.speed")}</span
        ><select title=${t("replay.speed")} @change=${withText(page.setSpeed)}>
          ${SPEEDS.map((one) => html`<option value=${one} ?selected=${one === page.speed}>× ${one}</option>`)}
        </select></label
      ></span
    >
    <input
      class="slider"
      type="range"
      min="0"
      max=${Math.max(0, last)}
      .value=${live(String(at))}
      aria-label=${t("replay.slider")}
      aria-valuetext=${`${where}. ${page.caption}`}
      @input=${withText((place) => jump(Number(place)))}
    />
    <span class="where">${where}</span>
  </div>`;
}

/** @param {ReplayPage} page */
const jumps = (page) =>
  html`<div class="row jumps">
    ${page.starts.length ? roundJump(page) : nothing}
    <span class="pair"
      ><button type="button" @click=${page.nextDecision}>${t("replay.next_decision")}</button
      ><label class="unseen" for="follower">${t("replay.of")}</label
      ><select
        id="follower"
        @change=${withText((seat) => {
          page.follower = Number(seat);
        })}
      >
        ${page.names.map(
          (name, seat) => html`<option value=${seat} ?selected=${seat === page.follower}>${name}</option>`,
        )}
      </select></span
    >
    <label class="inline"
      >${t("replay.eyes")}
      <select @change=${withText(page.look)}>
        ${viewers(page).map(
          ([one, name]) => html`<option value=${one} ?selected=${one === (page.eyes ?? "own")}>${name}</option>`,
        )}
      </select></label
    >
  </div>`;

/**
 * With whose eyes the match can be seen: id and name of each.
 * @param {ReplayPage} page
 * @returns {[string, string][]}
 */
function viewers({ over, names }) {
  /** @type {(id: string) => [string, string]} */
  const named = (id) => [id, t(`replay.eyes.${id}`)];
  /** @type {[string, string][]} */
  const seats = names.map((name, seat) => [String(seat), name]);
  return over ? [named("own"), ...seats, named("spectator"), named("arbiter")] : [named("own"), named("spectator")];
}

/** @param {ReplayPage} page */
const roundJump = ({ toRound, nextRound, starts, round }) =>
  html`<span class="pair"
    ><label class="inline"
      >${t("graph.round")}
      <select @change=${withText(toRound)}>
        ${kept([starts, round], () => [
          round === null ? html`<option value="" .selected=${true}>–</option>` : nothing,
          starts.map((one) => html`<option value=${one.round} .selected=${one.round === round}>${one.round}</option>`),
        ])}
      </select></label
    >
    <button type="button" @click=${nextRound}>${t("replay.next_round")}</button></span
  >`;

/** @param {ReplayPage} page @param {import("../../types").BoardContext | null} context */
const told = ({ caption, copy, copied, over, match, here, playOn, drawing, queue: { current } }, context) =>
  html`<div class="row told">
    <p class="caption">${caption} ${current && context ? changes(current, { drawing, context }) : nothing}</p>
    <button type="button" @click=${copy}>${copied ? t("setup.copied") : t("replay.copy")}</button>
    ${
      over || match.practice
        ? html`<button type="button" ?disabled=${!here.view || here.status !== "running"} @click=${playOn}>
            ${t("replay.play_on")}
          </button>`
        : nothing
    }
  </div>`;
