// A match move by move: slider, speed, jumps, choice of viewer, points over time, continuing from a position.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { live } from "../vendor/lit-html/directives/live.js";
import * as api from "../lib/api.js";
import { kept } from "../boards/kept.js";
import { drawingOf, standings } from "../lib/drawing.js";
import { account } from "../lib/guest.js";
import { lang, t } from "../lib/i18n.js";
import { eventsOf, pointsOf, read } from "../lib/replay.js";
import { reducedMotion } from "../lib/settings.js";
import { eventText, namesOf, tellQuery } from "../lib/texts.js";
import { graph } from "./parts/graph.js";
import { log, scrollLog } from "./parts/log.js";
import { players } from "./parts/players.js";
import { refusal } from "./parts/moves.js";
import { Runner } from "./parts/runner.js";

/** @typedef {import("../lib/replay.js").Position} Position @typedef {import("../types").Match} Match */
const SPEEDS = [0.5, 1, 2, 4, 8];
const LINK_PAUSE = 300;
const STILL = 100;
const SOON = 50;
/** How many sentences are shown: while the slider is dragged, only those that can be seen without scrolling. */
const SHOWN_FACTS = 60;
const SHOWN_IN_PASSING = 14;

/**
 * @param {string[]} params
 * @param {URLSearchParams} query
 * @param {import("../types").App} app
 * @returns {Promise<import("../types").Page>}
 */
export async function open([id], query, app) {
  /** @type {Match} */ const match = await api.get(`/v1/matches/${id}`, tellQuery());
  const [game, data, drawing] = await Promise.all([
    api.game(match.game, lang()),
    api.dataSet(match.ruleset.game, match.ruleset.data, lang()).catch(() => null),
    drawingOf(match.game),
  ]);
  const names = namesOf(match.seats);
  const over = ["finished", "aborted"].includes(match.status);
  /** @type {Position[]} */ let positions = [];
  /** @type {(number[] | null)[]} */ let points = [];
  /** @type {(number | null)[]} */ let rounds = [];
  /** @type {{round: number, place: number}[]} The first position of each round. */ let starts = [];
  const runner = new Runner(app);
  let eyes = query.get("eyes");
  let at = 0;
  let before = -1;
  let speed = 1;
  let playing = 0;
  let reading = 0;
  let complete = false;
  let closed = false;
  let follower = match.you ?? 0;
  let timer = 0;
  let moved = 0;
  let passing = false;
  let copied = false;

  const indexOf = (/** @type {number} */ version) =>
    Math.max(
      0,
      positions.findLastIndex((one) => one.version <= version),
    );

  /** @type {number | null} */ let goal = null; // the version to show, even if it is not loaded yet

  async function load(/** @type {number | null} */ version) {
    const number = ++reading;
    let isFirst = true;
    goal = version;
    complete = false;
    await read(
      id,
      eyes,
      (part, isLast) => {
        if (isFirst) {
          positions = [];
          points = [];
          rounds = [];
          isFirst = false;
        }
        positions = positions.concat(part);
        points = points.concat(part.map((one) => pointsOf(one.view, match.seats.length)));
        rounds = rounds.concat(part.map((one) => one.view?.round ?? null));
        starts = rounds.flatMap((round, place) =>
          round !== null && round !== rounds[place - 1] ? [{ round, place }] : [],
        );
        complete = isLast;
        at = goal === null ? firstView() : indexOf(goal);
        draw();
      },
      () => closed || number !== reading,
    );
  }

  const firstView = () =>
    Math.max(
      0,
      positions.findIndex((one) => one.view),
    );
  await load(Number(query.get("at")) || null);
  setTimeout(scrollLog, SOON);

  function jump(/** @type {number} */ index) {
    const next = Math.max(0, Math.min(positions.length - 1, index));
    const now = performance.now();
    passing = now - moved < STILL; // no animations while the slider is dragged
    before = next === at + 1 && !passing ? at : -1;
    moved = now;
    at = next;
    goal = positions[at].version;
    copied = false;
    clearTimeout(timer);
    timer = window.setTimeout(settle, LINK_PAUSE);
    draw();
  }

  /** Draw, and scroll the sentences to the last one. */
  function draw() {
    app.update();
    queueMicrotask(scrollLog);
  }

  /** Put the position into the address, unless the user has gone to another page: its event comes later. */
  function showAddress() {
    if (location.hash.startsWith(`#/match/${id}/replay`)) history.replaceState(null, "", address());
  }

  /** Show the whole position once the slider stops. */
  function settle() {
    showAddress();
    if (!passing) return;
    passing = false;
    draw();
  }

  const here = () => positions[at];
  const address = () =>
    `#/match/${id}/replay?at=${here()?.version ?? 0}${eyes === null ? "" : `&eyes=${eyes}`}${
      match.private && api.keyFor(id) ? `&key=${api.keyFor(id)}` : ""
    }`;
  const next = (/** @type {(place: number) => boolean} */ condition) => {
    for (let place = at + 1; place < positions.length; place++) if (condition(place)) return jump(place);
  };
  const nextRound = () => next((place) => rounds[place] !== rounds[at] && rounds[place] !== null);
  const nextDecision = () =>
    next((place) => positions[place].to_act.includes(follower) && positions[place + 1]?.seat === follower);

  function play() {
    if (playing) return stop();
    if (at >= positions.length - 1) at = firstView();
    const tick = () => {
      if (at >= positions.length - 1) return stop();
      jump(at + 1);
      playing = window.setTimeout(tick, 1000 / speed);
    };
    playing = window.setTimeout(tick, 0);
    app.update();
  }

  function stop() {
    clearTimeout(playing);
    playing = 0;
    app.update();
  }

  const look = (/** @type {string} */ value) =>
    runner.run(async () => {
      eyes = value === "own" ? null : value;
      await load(here()?.version ?? null);
      showAddress();
    });

  const playOn = () =>
    runner.run(async () => {
      await account();
      const made = await api.post(`/v1/matches/${id}/branches`, {
        version: here().version,
        seat: here().to_act[0] ?? follower,
      });
      app.go(`#/match/${made.id}`);
    });

  async function copy() {
    showAddress();
    await navigator.clipboard.writeText(location.href).catch(() => undefined);
    copied = true;
    app.announce(t("setup.copied"));
    app.update();
  }

  const events = () => {
    const most = passing ? SHOWN_IN_PASSING : SHOWN_FACTS;
    return positions
      .slice(Math.max(0, at + 1 - most), at + 1)
      .flatMap(eventsOf)
      .slice(-most);
  };
  const caption = () =>
    eventsOf(here())
      .map((event) => eventText(game, event, names))
      .find(Boolean) ?? "";
  const where = () =>
    t("replay.where", { number: at + 1, count_of: positions.length }) +
    (rounds[at] === null ? "" : ` · ${t("replay.round", { round: String(rounds[at]) })}`);
  const shown = () => ({
    ...match,
    view: here().view,
    version: here().version,
    status: here().status,
    to_act: here().to_act,
    result: at === positions.length - 1 ? match.result : null,
    clock: { ...match.clock, seats: undefined },
  });
  const viewers = () => [
    "own",
    ...(over ? match.seats.map((seat) => String(seat.seat)) : []),
    "spectator",
    ...(over ? ["arbiter"] : []),
  ];
  const viewerName = (/** @type {string} */ one) => (/^\d+$/.test(one) ? names[Number(one)] : t(`replay.eyes.${one}`));
  const pictureMatch = () =>
    drawing.draw({
      game,
      data,
      words: game.words,
      language: lang(),
      t: drawing.t,
      match: shown(),
      view: here().view,
      previous: before >= 0 ? (positions[before]?.view ?? null) : null,
      since: passing ? null : (positions[at - 1]?.view ?? null),
      moves: [],
      chosen: null,
      choose() {},
      propose() {},
      you: eyes !== null && /^\d+$/.test(eyes) ? Number(eyes) : match.you,
      names,
      interactive: false,
      reducedMotion: reducedMotion() || playing === 0 || speed > 2,
    });
  const step = (
    /** @type {string} */ key,
    /** @type {string} */ sign,
    /** @type {() => void} */ act,
    /** @type {boolean} */ disabled,
  ) =>
    html`<button type="button" class="icon" aria-label=${t(key)} title=${t(key)} ?disabled=${disabled} @click=${act}>
      <span aria-hidden="true">${sign}</span>
    </button>`;

  const transport = () =>
    html`<div class="row transport">
      <span class="pair"
        >${step("replay.first", "|◀", () => jump(0), at === 0)}${step("replay.back", "◀", () => jump(at - 1), at === 0)}
        <button type="button" class="main play" @click=${play}>
          ${playing ? t("replay.pause") : t("replay.play")}
        </button>
        ${step("replay.forth", "▶", () => jump(at + 1), at >= positions.length - 1)}${step(
          "replay.last",
          "▶|",
          () => jump(positions.length - 1),
          at >= positions.length - 1,
        )}
        <label
          ><span class="unseen">${t("replay.speed")}</span
          ><select
            title=${t("replay.speed")}
            @change=${(/** @type {any} */ event) => {
              speed = Number(event.target.value);
              app.update();
            }}
          >
            ${SPEEDS.map((one) => html`<option value=${one} ?selected=${one === speed}>× ${one}</option>`)}
          </select></label
        ></span
      >
      <input
        class="slider"
        type="range"
        min="0"
        max=${Math.max(0, positions.length - 1)}
        .value=${live(String(at))}
        aria-label=${t("replay.slider")}
        aria-valuetext=${`${where()}. ${caption()}`}
        @input=${(/** @type {any} */ event) => jump(Number(event.target.value))}
      />
      <span class="where">${where()}</span>
    </div>`;

  const roundOptions = () =>
    kept([starts, rounds[at]], () => [
      rounds[at] === null ? html`<option value="" .selected=${true}>–</option>` : nothing,
      starts.map(({ round }) => html`<option value=${round} .selected=${round === rounds[at]}>${round}</option>`),
    ]);
  const jumps = () =>
    html`<div class="row jumps">
      ${
        starts.length
          ? html`<span class="pair"
              ><label class="inline"
                >${t("graph.round")}
                <select
                  @change=${(/** @type {any} */ event) =>
                    jump(starts.find(({ round }) => String(round) === event.target.value)?.place ?? at)}
                >
                  ${roundOptions()}
                </select></label
              >
              <button type="button" @click=${nextRound}>${t("replay.next_round")}</button></span
            >`
          : nothing
      }
      <span class="pair"
        ><button type="button" @click=${nextDecision}>${t("replay.next_decision")}</button
        ><label class="unseen" for="follower">${t("replay.of")}</label
        ><select
          id="follower"
          @change=${(/** @type {any} */ event) => {
            follower = Number(event.target.value);
          }}
        >
          ${names.map((name, seat) => html`<option value=${seat} ?selected=${seat === follower}>${name}</option>`)}
        </select></span
      >
      <label class="inline"
        >${t("replay.eyes")}
        <select @change=${(/** @type {any} */ event) => look(event.target.value)}>
          ${viewers().map(
            (one) => html`<option value=${one} ?selected=${one === (eyes ?? "own")}>${viewerName(one)}</option>`,
          )}
        </select></label
      >
    </div>`;

  const told = () =>
    html`<div class="row told">
      <p class="caption">${caption()}</p>
      <button type="button" @click=${copy}>${copied ? t("setup.copied") : t("replay.copy")}</button>
      ${
        over || match.practice
          ? html`<button type="button" ?disabled=${!here().view || here().status !== "running"} @click=${playOn}>
              ${t("replay.play_on")}
            </button>`
          : nothing
      }
    </div>`;

  return {
    title: () => t("text.labelled", { name: t("replay.title"), value: game.title }),
    close() {
      closed = true;
      stop();
      clearTimeout(timer);
    },
    revisit(asked) {
      const version = Number(asked.get("at"));
      if ((asked.get("eyes") ?? null) !== eyes) return false;
      jump(version ? indexOf(version) : firstView());
      return true;
    },
    view: () =>
      html`<article class="match replay">
        <header class="match-head">
          <h1 tabindex="-1">${game.title}</h1>
          <p class="status-line">${t("replay.title")}</p>
          <p class="links">
            <a href="#/match/${id}">${t("replay.match")}</a>
            ${over ? html`<a href="#/match/${id}/check">${t("result.check")}</a>` : nothing}
            <a href="#/rules/${match.game}">${t("rules.title")}</a>
          </p>
        </header>
        ${runner.problem ? refusal(runner.problem, match.game) : nothing}
        ${
          positions.length === 0
            ? html`<p class="loading">${t("shell.loading")}</p>`
            : html`<div class="table">
                <div class="board-side">
                  <section class="controls" aria-label=${t("replay.controls")}>
                    ${transport()} ${jumps()} ${told()}
                  </section>
                  ${
                    here().view
                      ? html`<section
                          class="board ${drawing.own ? "" : "plain"}"
                          tabindex=${drawing.own ? nothing : 0}
                          aria-label=${t("match.board")}
                        >
                          ${pictureMatch()}
                        </section>`
                      : nothing
                  }
                </div>
                <div class="info-side">
                  ${players(shown(), names, standings(drawing, game.words, here().view))}
                  ${complete ? graph(points, at, names, jump, rounds, positions[positions.length - 1].view) : nothing}
                  ${log(
                    game,
                    events(),
                    names,
                    (version) => `#/match/${id}/replay?at=${version}${eyes === null ? "" : `&eyes=${eyes}`}`,
                  )}
                </div>
              </div>`
        }
      </article>`,
  };
}
