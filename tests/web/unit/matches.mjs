// Matches as the service shows them.
import { hashFor } from "./signing.mjs";

export const MATCH = "00000000-0000-4000-8000-000000000001";
export const ME = { id: "me", name: "Ada", token: "token" };
export const GAME = { id: "fair", title: "Fair", words: { buy: "Buy", pass: "Pass" }, options: {} };

const holder = (id, name = id) => ({ id, name, bot: false });
const seat = (number, player, key = null) => ({
  seat: number,
  type: player ? "player" : "open",
  player,
  invited: null,
  absent: false,
  key,
});

/** A running match with the user at seat 0; version and head belong together. */
export const matchAt = (version, changes = {}) => ({
  id: MATCH,
  game: "fair",
  status: "running",
  version,
  head: hashFor(`version ${version}`),
  at: "2026-03-01T12:00:00.000Z",
  you: 0,
  to_act: [0],
  legal_moves: [{ type: "buy", card: 1 }, { type: "pass" }],
  labels: ["Buy the first card", "Pass"],
  view: { coins: [5, 5] },
  seats: [seat(0, holder("me", "Ada")), seat(1, holder("ben", "Ben"))],
  clock: { kind: "none", ms: 0, increment_ms: 0 },
  result: null,
  chance: {
    commitment: hashFor("commitment"),
    signed: null,
    sealed: false,
    due: null,
    open_seed: null,
    in_block: false,
  },
  ruleset: { game: "fair", version: 1, data: "standard", data_hash: hashFor("data") },
  options: {},
  rated: false,
  private: false,
  signed: false,
  practice: false,
  branch: false,
  meet_bots: true,
  autostart: true,
  on_timeout: "bot",
  required_witnesses: 0,
  tags: [],
  creator: "me",
  link_key: null,
  ...changes,
});

/** What the page has loaded of it. */
export const loaded = (match, events = []) => ({ match, game: GAME, data: null, events, since: null });

/** A listener that counts. */
export class Listener {
  changes = 0;
  sentences = [];
  failures = [];
  change() {
    this.changes += 1;
  }
  news(events) {
    this.sentences.push(...events);
  }
  fail(error) {
    this.failures.push(error);
  }
}
