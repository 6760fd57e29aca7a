// The page's copy of a tournament: announcement, standings and rounds, kept up to date; and the commands on it.
import * as api from "./api.js";
import * as evidence from "./evidence.js";
import { follow } from "./stream.js";

/**
 * @typedef {import("../types").Tournament} Tournament
 * @typedef {import("../types").Standings} Standings
 * @typedef {import("../types").Round} Round
 */

const SOON = 100;
const MOST_ROUNDS = 30;
const RECENT = 1000;
const MOST_NAMED = 40;
/** The facts that are decisions, listed in words beside the standings. */
const DECISIONS = ["match_voided", "result_ruled", "no_show_recorded", "entrant_withdrew", "tournament_cancelled"];

/** The path of each command. @type {Record<string, string>} */
const PATHS = {
  withdraw: "/entrants/me/withdrawal",
  acknowledge: "/acknowledgements",
  protest: "/protests",
  // Commands of the organiser and of arbiters.
  open: "/opening",
  start: "/start",
  pair: "/rounds",
  post: "/provisional-standings",
  sign: "/sign-off",
  cancel: "/cancellation",
  withdraw_entrant: "/withdrawals",
  replay: "/replays",
  rule: "/rulings",
  correct: "/corrections",
};

/** @param {Tournament} tournament @param {string} command @param {any} [body] @returns {Promise<Tournament>} */
export async function send({ id }, command, body = {}) {
  const answer = await api.post(`/v1/tournaments/${id}${PATHS[command]}`, body);
  await evidence.keepReceipt("tournament", id, answer);
  return answer;
}

/** Announce a tournament. @param {any} terms as `POST /v1/tournaments` takes them @returns {Promise<Tournament>} */
export async function announce(terms) {
  const answer = await api.post("/v1/tournaments", terms);
  await evidence.keepReceipt("tournament", answer.id, answer);
  return answer;
}

/**
 * Load the players named in the terms (arbiters, invited, must not meet), at most MOST_NAMED.
 * @param {any} terms
 * @returns {Promise<Map<string, import("../types").SeatHolder>>} by their ids
 */
export async function announcedPlayers({ arbiters, forbidden, invited }) {
  const ids = [...new Set([...arbiters, ...forbidden.flat(), ...invited])].slice(0, MOST_NAMED);
  const answers = await Promise.allSettled(ids.map((id) => api.get(`/v1/players/${id}`)));
  const found = new Map();
  for (const one of answers) if (one.status === "fulfilled") found.set(one.value.id, one.value);
  return found;
}

export class TournamentFeed {
  /** @param {string} id @param {{change(): void, fail(error: unknown): void}} listener */
  constructor(id, listener) {
    this.id = id;
    this.path = `/v1/tournaments/${id}`;
    this.listener = listener;
    /** @type {Tournament} */ this.tournament = /** @type {any} */ (null);
    /** @type {Standings} */ this.standings = /** @type {any} */ (null);
    /** @type {Map<number, Round>} */ this.rounds = new Map();
    /** @type {any[]} */ this.events = [];
    this.connected = true;
    this.closed = false;
    this.stop = () => {};
    /** @type {any[]} */ this.newFacts = [];
    this.timer = 0;
  }

  /** Load everything and follow the facts. */
  async start() {
    await this.refresh([]);
    const { version } = this.tournament;
    this.events = (
      await api.get(`${this.path}/events`, { after: Math.max(0, version - RECENT), limit: RECENT })
    ).events.filter((/** @type {any} */ one) => one.version <= version);
    this.follow(version);
  }

  get over() {
    return ["final", "cancelled"].includes(this.tournament.status);
  }

  /** @param {any[]} facts those since the last refresh */
  async refresh(facts) {
    [this.tournament, this.standings] = await Promise.all([api.get(this.path), api.get(`${this.path}/standings`)]);
    const first = Math.max(1, this.tournament.round - MOST_ROUNDS + 1);
    const shown = Array.from({ length: this.tournament.round - first + 1 }, (_, place) => first + place);
    const changed = this.changedBy(facts);
    const stale = shown.filter((round) => !this.rounds.has(round) || changed === null || changed.has(round));
    for (const round of stale) this.rounds.set(round, await api.get(`${this.path}/rounds/${round}`));
  }

  /** @param {any[]} facts @returns {Set<number> | null} the rounds that they change; null if it could be any round */
  changedBy(facts) {
    /** @type {Set<number>} */ const found = new Set();
    for (const fact of facts) {
      const round = fact.round ?? (fact.match ? this.roundOf(fact.match) : 0);
      if (round === undefined) return null;
      found.add(round);
    }
    return found;
  }

  /** @param {string} match @returns {number | undefined} */
  roundOf(match) {
    return [...this.rounds.values()].find((round) =>
      round.tables.some((table) => table.matches.some((one) => one.match === match)),
    )?.round;
  }

  /** @param {number} after the last known version */
  follow(after) {
    if (this.over) return;
    this.stop = follow({
      path: `${this.path}/events`,
      after,
      onRefused: (problem) => this.listener.fail(problem),
      onEvent: (type, data) => {
        if (type === "fact") this.handleEvent(data);
      },
      onState: (connected) => {
        if (connected !== this.connected) {
          this.connected = connected;
          this.listener.change();
        }
      },
    });
  }

  /** Facts come in bursts: reload the standings once for all of them. @param {any} event */
  handleEvent(event) {
    if (event.version <= (this.events.at(-1)?.version ?? 0)) return;
    this.events = [...this.events, event].slice(-RECENT);
    this.newFacts.push(event.fact);
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.refreshNew(), SOON);
  }

  async refreshNew() {
    const facts = this.newFacts;
    this.newFacts = [];
    try {
      await this.refresh(facts);
    } catch (error) {
      this.listener.fail(error);
    }
    if (!this.closed) this.listener.change();
  }

  /** Show the answer to a command at once. @param {Tournament} answer */
  async done(answer) {
    this.tournament = answer;
    await this.refresh([]);
    this.listener.change();
  }

  /** The decisions of arbiters, and those that follow from time limits, newest first. */
  get decisions() {
    return this.events
      .filter(({ fact }) => DECISIONS.includes(fact.type) && (fact.type !== "entrant_withdrew" || fact.why))
      .reverse();
  }

  /** Whether an entrant has agreed with the current standings. @param {number | null} entrant */
  hasAgreed(entrant) {
    const posted = this.events.findLastIndex(({ fact }) => fact.type === "standings_posted");
    return this.events
      .slice(posted + 1)
      .some(({ fact }) => fact.type === "standings_acknowledged" && fact.entrant === entrant);
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    this.stop();
  }
}
