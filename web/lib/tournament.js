// The page's copy of a tournament: announcement, standings and rounds, kept up to date; and the commands on it.
import * as api from "./api.js";
import * as evidence from "./evidence.js";
import { follow } from "./stream.js";

/**
 * @typedef {import("../types").Tournament} Tournament
 * @typedef {import("../types").Standings} Standings
 * @typedef {import("../types").Round} Round
 * @typedef {import("../types").Terms} Terms
 * @typedef {import("../types").TournamentEvent} Event
 * @typedef {import("../types").Answer<"post", "/v1/tournaments">} Answer
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

/** @param {Tournament} tournament @param {string} command @param {object} [body] */
export async function send({ id }, command, body = {}) {
  const answer = /** @type {Answer} */ (await api.request("POST", `/v1/tournaments/${id}${PATHS[command]}`, { body }));
  await evidence.keepReceipt("tournament", id, answer);
  return answer;
}

/** Announce a tournament. @param {import("../types").Body<"post", "/v1/tournaments">} terms */
export async function announce(terms) {
  const answer = await api.post("/v1/tournaments", terms);
  await evidence.keepReceipt("tournament", answer.id, answer);
  return answer;
}

/**
 * Load the players named in the terms (arbiters, invited, must not meet), at most MOST_NAMED.
 * @param {Terms} terms
 * @returns {Promise<Map<string, import("../types").SeatHolder>>} by their ids
 */
export async function announcedPlayers({ arbiters, forbidden, invited }) {
  const ids = [...new Set([...arbiters, ...forbidden.flat(), ...invited])].slice(0, MOST_NAMED);
  const answers = await Promise.allSettled(ids.map((id) => api.get(`/v1/players/${id}`)));
  const found = new Map();
  for (const one of answers) if (one.status === "fulfilled") found.set(one.value.id, one.value);
  return found;
}

/**
 * The announcement and the standings as they are now.
 * @param {string} id
 * @returns {Promise<[Tournament, Standings]>}
 */
async function loadNow(id) {
  const [tournament, standings] = await Promise.all([
    api.get(`/v1/tournaments/${id}`),
    api.get(`/v1/tournaments/${id}/standings`),
  ]);
  return [/** @type {Tournament} */ (tournament), standings];
}

/**
 * Load the newest rounds that are not known, or have changed.
 * @param {Tournament} tournament
 * @param {Map<number, Round>} rounds
 * @param {Set<number> | null} changed null if it could be any round
 */
async function loadRounds({ id, round: newest }, rounds, changed) {
  for (let round = Math.max(1, newest - MOST_ROUNDS + 1); round <= newest; round++)
    if (!rounds.has(round) || changed === null || changed.has(round))
      rounds.set(round, await api.get(`/v1/tournaments/${id}/rounds/${String(round)}`));
}

/** Load what the page of a tournament shows first. @param {string} id */
export async function load(id) {
  const [tournament, standings] = await loadNow(id);
  const { version } = tournament;
  /** @type {Map<number, Round>} */ const rounds = new Map();
  await loadRounds(tournament, rounds, null);
  const page = await api.get(`/v1/tournaments/${id}/events`, { after: Math.max(0, version - RECENT), limit: RECENT });
  const events = /** @type {Event[]} */ (page.events).filter((one) => one.version <= version);
  return { tournament, standings, rounds, events };
}

export class TournamentFeed {
  connected = true;
  closed = false;
  stop = () => {};
  /** @type {Event["fact"][]} */ newFacts = [];
  timer = 0;

  /**
   * Follow a tournament.
   * @param {Awaited<ReturnType<typeof load>>} loaded
   * @param {{change(): void, fail(error: unknown): void}} listener
   */
  constructor({ tournament, standings, rounds, events }, listener) {
    this.tournament = tournament;
    this.standings = standings;
    this.rounds = rounds;
    this.events = events;
    this.listener = listener;
    if (!["final", "cancelled"].includes(tournament.status)) this.follow();
  }

  /** @param {Event["fact"][]} facts those since the last refresh */
  async refresh(facts) {
    [this.tournament, this.standings] = await loadNow(this.tournament.id);
    await loadRounds(this.tournament, this.rounds, this.changedBy(facts));
  }

  /**
   * The rounds that facts change; null if it could be any round.
   * @param {Event["fact"][]} facts
   * @returns {Set<number> | null}
   */
  changedBy(facts) {
    const changed = facts.map(({ round, match }) => round ?? (match ? this.roundOf(match) : 0));
    return changed.includes(undefined) ? null : new Set(/** @type {number[]} */ (changed));
  }

  /** @param {string} match @returns {number | undefined} */
  roundOf(match) {
    return [...this.rounds.values()].find((round) =>
      round.tables.some((table) => table.matches.some((one) => one.match === match)),
    )?.round;
  }

  follow() {
    this.stop = follow({
      path: `/v1/tournaments/${this.tournament.id}/events`,
      after: this.tournament.version,
      onRefused: (problem) => this.listener.fail(problem),
      onEvent: (type, data) => {
        if (type === "fact") this.handleEvent(/** @type {Event} */ (data));
      },
      onState: (connected) => {
        if (connected !== this.connected) {
          this.connected = connected;
          this.listener.change();
        }
      },
    });
  }

  /** Facts come in bursts: reload the standings once for all of them. @param {Event} event */
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

  /** Show the answer to a command at once. @param {Answer} answer */
  async done(answer) {
    this.tournament = /** @type {Tournament & Answer} */ (answer);
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
