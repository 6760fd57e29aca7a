import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { Service, clearStorage, silence, until } from "./browser.mjs";
import { Listener, MATCH, loaded, matchAt } from "./matches.mjs";
import { hashFor } from "./signing.mjs";
import { keep } from "../../../web/lib/evidence.js";
import { MatchFeed, load } from "../../../web/lib/match_feed.js";
import { Untrusted } from "../../../web/lib/trust.js";

const PATH = `/v1/matches/${MATCH}`;
const fact = (version, type = "card_bought") => ({ version, at: "t", by: "ben", fact: { type } });
const feeds = [];

/** A feed whose stream never says anything. */
function feedAt(version, answers = {}) {
  const service = new Service({ [`GET ${PATH}/events`]: silence, ...answers });
  const listener = new Listener();
  const feed = new MatchFeed(loaded(matchAt(version)), listener);
  feeds.push(feed);
  return { feed, listener, service };
}

afterEach(() => {
  feeds.splice(0).forEach((feed) => feed.close());
  clearStorage();
});

test("the newest position is shown, and an older one changes nothing", () => {
  const { feed, listener } = feedAt(5);
  feed.take(matchAt(6));
  feed.take(matchAt(4, { view: { coins: [0, 0] } }));
  assert.equal(feed.match.version, 6);
  assert.equal(listener.changes, 1);
});

test("the answer to a command tells what happened, and later its own view is compared", () => {
  const { feed, listener } = feedAt(5);
  const facts = [{ type: "card_bought" }, { type: "turn_ended" }];
  feed.take({ ...matchAt(7, { view: { coins: [3, 5] } }), first: 6, facts, texts: ["Bought.", null], receipt: {} });
  assert.deepEqual(
    listener.sentences.map(({ version, text }) => [version, text]),
    [
      [6, "Bought."],
      [7, null],
    ],
  );
  assert.deepEqual(feed.since, { coins: [3, 5] });
  assert.deepEqual(feed.previous, { coins: [5, 5] });
});

test("facts that the stream repeats are told once", () => {
  const { feed } = feedAt(5);
  feed.handleEvent("fact", fact(6));
  feed.handleEvent("fact", fact(6));
  assert.deepEqual(
    feed.events.map(({ version }) => version),
    [6],
  );
});

test("when the stream is ahead of an answer, the position is loaded again", async () => {
  const { feed, service } = feedAt(5, { [`GET ${PATH}`]: () => matchAt(7) });
  feed.handleEvent("fact", fact(7));
  feed.take(matchAt(6));
  await until(() => feed.match.version === 7);
  assert.equal(service.requests("GET", PATH).length, 1);
});

test("facts are told with the position that contains them, so that the end of a match is told as such", () => {
  const { feed, listener } = feedAt(5);
  feed.handleEvent("fact", fact(6));
  feed.handleEvent("fact", fact(7, "match_aborted"));
  const told = () => listener.sentences.map(({ version }) => version);
  feed.take(matchAt(6));
  assert.deepEqual(told(), [6]);
  feed.take(matchAt(7, { status: "aborted" }));
  assert.deepEqual(told(), [6, 7]);
});

test("a turn does not contain the seats: after a change of seats the match is loaded", async () => {
  const seats = matchAt(1).seats.map((one) => ({ ...one, absent: true }));
  const { feed } = feedAt(5, { [`GET ${PATH}`]: () => matchAt(6, { seats }) });
  feed.handleEvent("fact", fact(6, "seat_taken"));
  feed.handleEvent("turn", { ...matchAt(6), seats: "not part of it" });
  assert.equal(feed.match.seats[0].absent, false);
  await until(() => feed.match.seats[0].absent);
});

test("a lost connection is shown until a request is answered", async () => {
  const { feed, listener } = feedAt(5, { [`GET ${PATH}`]: () => matchAt(5) });
  feed.connection(false);
  assert.equal(feed.connected, false);
  feed.connection(true);
  await until(() => feed.connected && listener.changes >= 3);
  feed.take(matchAt(6, { status: "finished" }));
  feed.connection(false);
  assert.equal(feed.connected, true);
});

test("a service that shows another commitment than before is reported", async () => {
  const other = { ...matchAt(6), chance: { ...matchAt(6).chance, commitment: hashFor("other") } };
  const { feed, listener } = feedAt(5, { [`GET ${PATH}`]: () => other });
  keep({ match: MATCH, player: "", commitment: hashFor("commitment"), keys: [], announced: {} });
  await feed.refresh();
  assert.deepEqual(
    listener.failures.map(({ key }) => key),
    ["trust.other_deal"],
  );
  assert.ok(listener.failures[0] instanceof Untrusted);
  assert.equal(feed.match.version, 5);
});

test("nothing reaches a page that was closed", async () => {
  const { feed, listener } = feedAt(5, { [`GET ${PATH}`]: () => matchAt(6) });
  const refreshed = feed.refresh();
  feed.close();
  await refreshed;
  feed.handleEvent("turn", matchAt(7));
  assert.equal(listener.changes, 0);
});

test("loading keeps the facts up to the position, and the view after the user's last command", async () => {
  new Service({
    [`GET ${PATH}`]: matchAt(5),
    "GET /v1/games/fair": { id: "fair" },
    "GET /v1/games/fair/data-sets/standard": { derived: {} },
    [`GET ${PATH}/events`]: { events: [fact(4), fact(5), fact(6)] },
    [`GET ${PATH}/positions`]: {
      positions: [
        { version: 3, seat: 0, view: { coins: [6, 5] } },
        { version: 4, seat: 1, patch: [{ op: "replace", path: "/coins/1", value: 4 }] },
      ],
    },
  });
  const { events, since, match } = await load(MATCH);
  assert.deepEqual(
    events.map(({ version }) => version),
    [4, 5],
  );
  assert.deepEqual(since, { coins: [6, 5] });
  assert.ok(Date.now() - match.clock.received < 1000);
});
