// What is going on now, for the first page: the user's own matches, matches to watch, tournaments, and how many play.
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import * as api from "../../lib/api.js";
import { t } from "../../lib/i18n.js";
import { isMyTurn, matchRows } from "./match_rows.js";

/**
 * @typedef {import("../../types").MatchSummary} Match
 * @typedef {{mine: Match[], live: Match[], tournaments: import("../../types").TournamentSummary[], people: number}} Now
 */
const MINE = 3;
const WATCHED = 3;
const TOURNAMENTS = 2;
const LOOKED_AT = 50;
const LOOKED_AT_TOURNAMENTS = 20;

/** @param {Match[]} matches @param {{player: {id: string}}[]} seeks how many people play, or want to */
function peopleIn(matches, seeks) {
  const seated = matches.flatMap(({ seats }) =>
    seats.flatMap(({ player }) => (player && !player.bot ? [player.id] : [])),
  );
  return new Set([...seated, ...seeks.map(({ player }) => player.id)]).size;
}

/** @returns {Promise<Now>} */
export async function loadNow() {
  const me = api.me()?.id;
  const [own, running, { tournaments }, { seeks }] = await Promise.all([
    me ? api.get("/v1/matches", { player: me, limit: LOOKED_AT }) : { matches: [] },
    api.get("/v1/matches", { status: "running", limit: LOOKED_AT }),
    api.get("/v1/tournaments", { limit: LOOKED_AT_TOURNAMENTS }),
    api.get("/v1/seeks"),
  ]);
  const mine = /** @type {Match[]} */ (own.matches).filter(({ status, you }) => status === "running" && you !== null);
  const ofOthers = running.matches.filter(({ id }) => !mine.some((one) => one.id === id));
  return {
    mine: [...mine.filter(isMyTurn), ...mine.filter((match) => !isMyTurn(match))].slice(0, MINE),
    live: ofOthers.slice(0, WATCHED),
    tournaments: tournaments.filter(({ status }) => ["open", "running"].includes(status)).slice(0, TOURNAMENTS),
    people: peopleIn(running.matches, seeks),
  };
}

/** The user's matches, above everything else. @param {Now} now @param {Record<string, string>} titles of the games */
export const continued = ({ mine }, titles) =>
  mine.length
    ? html`<section class="matches" aria-labelledby="continue-title">
        <h2 id="continue-title">${t("landing.continue")}</h2>
        ${matchRows(mine, (match) => ({
          title: titles[match.game] ?? match.game,
          action: isMyTurn(match) ? "lobby.play" : "lobby.look",
          main: isMyTurn(match),
        }))}
      </section>`
    : nothing;

/** What can be read without a connection. @param {Match[]} kept @param {Record<string, string>} titles of the games */
export const readable = (kept, titles) =>
  kept.length
    ? html`<section class="matches" aria-labelledby="kept-title">
        <h2 id="kept-title">${t("landing.offline")}</h2>
        ${matchRows(kept, (match) => ({ title: titles[match.game] ?? match.game, action: "lobby.look" }))}
      </section>`
    : nothing;

/** What others do. @param {Now} now @param {Record<string, string>} titles of the games */
export const goingOn = ({ live, tournaments, people }, titles) =>
  live.length + tournaments.length + people === 0
    ? nothing
    : html`<section class="matches" aria-labelledby="now-title">
        <h2 id="now-title">${t("landing.now")}</h2>
        ${people ? html`<p>${t("landing.people", { count: people })}</p>` : nothing}
        ${matchRows(live, (match) => ({ title: titles[match.game] ?? match.game, action: "lobby.watch" }))}
        <p class="row">
          ${tournaments.map(({ id, title }) => html`<a class="button" href="#/tournament/${id}">${title}</a>`)}
          <a href="#/lobby">${t("landing.all")}</a> <a href="#/tournaments">${t("tournaments.title")}</a>
        </p>
      </section>`;
