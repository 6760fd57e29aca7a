import assert from "node:assert/strict";
import { test } from "node:test";
import "./browser.mjs";
import { clockText, span } from "../../../web/lib/clocks.js";
import { initial } from "../../../web/lib/form.js";
import { duration, load } from "../../../web/lib/i18n.js";
import { fill, parse } from "../../../web/lib/messages.js";
import { settings } from "../../../web/lib/settings.js";
import {
  eventText,
  moveText,
  namesOf,
  offered,
  spaced,
  valueText,
  withBotNames,
  wordFor,
} from "../../../web/lib/texts.js";

const PLURALS = new Intl.PluralRules("en");
const said = (template, values) => fill(parse(template), values, PLURALS);
const WORDS = { tea: "Tea", place_worker: "Place a worker" };

test("messages take values, numbers and words", () => {
  assert.equal(
    said("{who} pays {n, plural, =0 {nothing} one {# coin} other {# coins}}", { who: "Ada", n: 0 }),
    "Ada pays nothing",
  );
  assert.equal(said("{n, plural, one {# coin} other {# coins}}", { n: 1 }), "1 coin");
  assert.equal(said("{n, plural, one {# coin} other {# coins}}", { n: 7 }), "7 coins");
  assert.equal(said("{how, select, won {by {n, plural, other {#}}} other {else}}", { how: "won", n: 2 }), "by 2");
  assert.equal(said("{how, select, won {x} other {else}}", { how: "lost" }), "else");
  assert.equal(said("{missing}", {}), "{missing}");
});

test("a template that is not well-formed is an error", () => {
  for (const wrong of ["{", "a}", "{a, plural, one {b}}", "{a other {b}}"]) assert.throws(() => parse(wrong), Error);
});

test("the service's sentence about a fact is shown, and one made here where there is none", () => {
  const game = { words: WORDS };
  const fact = { type: "cube_bought", seat: 1, good: "tea", price: 2, detail: { hidden: true } };
  assert.equal(eventText(game, { fact, text: "Ben buys tea." }, ["Ada", "Ben"]), "Ben buys tea.");
  assert.equal(eventText(game, { fact, text: null }, ["Ada", "Ben"]), null);
  assert.equal(eventText(game, { fact }, ["Ada", "Ben"]), "Ben: Cube bought (good Tea, price 2)");
  assert.equal(eventText(game, { fact: { type: "round_begun" } }, []), "Round begun");
});

test("moves and values have names, also those that the game does not name", () => {
  assert.equal(moveText(WORDS, { type: "place_worker", card: "tea" }), "Place a worker · Tea");
  assert.equal(moveText(WORDS, { type: "offer", schema: {} }), "Offer …");
  assert.equal(valueText(WORDS, { tea: 2, coffee: 0, gold: 1 }), "Tea 2, Gold 1");
  assert.deepEqual([valueText(WORDS, []), valueText(WORDS, null), valueText(WORDS, true)], ["–", "–", "true"]);
  assert.deepEqual([wordFor(WORDS, "tea"), wordFor(WORDS, "free_seat"), spaced("a_b")], ["Tea", "Free seat", "A b"]);
  const match = { legal_moves: [{ type: "pass" }, { type: "place_worker" }], labels: ["Pass now"] };
  assert.deepEqual(
    offered({ words: WORDS }, match).map(({ index, label }) => [index, label]),
    [
      [0, "Pass now"],
      [1, "Place a worker"],
    ],
  );
});

test("players with the same name are numbered", () => {
  const seat = (name, invited = false) => ({ player: invited ? null : { name }, invited: invited ? { name } : null });
  const free = { player: null, invited: null };
  assert.deepEqual(namesOf([seat("Ada"), seat("Ben"), seat("Ada"), free, seat(null)]), [
    "Ada 1",
    "Ben",
    "Ada 2",
    "seat.free",
    "player.erased",
  ]);
});

test("texts of the service name house bots as the page does", async () => {
  const words = { "bot.greedy": "Casual", "bot.search:1": "Strong", "seat.free": "free" };
  globalThis.fetch = async () => new Response(JSON.stringify(words));
  settings.language = "en";
  await load();
  const bot = (name) => ({ player: { id: "house", name, bot: true }, invited: null });
  const person = (name) => ({ player: { id: "1", name, bot: false }, invited: null });
  const seats = [bot("greedy"), person("greedy fan"), bot("greedy"), bot("search:1"), bot("unknown")];
  assert.deepEqual(namesOf(seats), ["Casual 1", "greedy fan", "Casual 2", "Strong", "unknown"]);
  const named = withBotNames(seats);
  assert.deepEqual(
    named({
      text: "greedy 2 takes a seat, a house bot (greedy).",
      labels: ["Give 1 to greedy fan", "search:1s Posten"],
      texts: ["greedy 1: greedy 21, greedily", null],
      label: "unknown passes",
      version: 3,
    }),
    {
      text: "Casual 2 takes a seat, a house bot (Casual).",
      labels: ["Give 1 to greedy fan", "Strongs Posten"],
      texts: ["Casual 1: Casual 21, greedily", null],
      label: "unknown passes",
      version: 3,
    },
  );
  assert.deepEqual(withBotNames([bot("greedy"), person("Casual")])({ text: "Casual pays greedy" }), {
    text: "Casual 2 pays Casual 1",
  });
  const answer = { text: "greedy pays" };
  assert.equal(withBotNames([person("greedy"), person("Ada")])(answer), answer);
});

test("a clock shows minutes and seconds, never less than nothing", () => {
  assert.equal(duration(61_001), "1:02");
  assert.equal(duration(3_600_000), "1:00:00");
  assert.equal(duration(-5), "0:00");
  assert.equal(duration(72 * 3_600_000), "clock.days");
});

test("lengths of time have the unit that suits them", () => {
  assert.deepEqual([30_000, 600_000, 7_200_000 * 2, 86_400_000 * 4].map(span), [
    "terms.seconds",
    "terms.minutes",
    "terms.hours",
    "clock.days",
  ]);
  assert.equal(clockText({ kind: "none" }), "clock.none");
  assert.equal(clockText({ kind: "bank", ms: 600_000, increment_ms: 5000 }), "text.labelled");
});

test("a form begins with the values that its schema demands", () => {
  const properties = {
    kind: { const: "bid" },
    coins: { type: "integer", minimum: 2 },
    good: { enum: ["tea", "coffee"] },
    seat: { anyOf: [{ type: "null" }, { type: "integer" }] },
    list: { type: "array", minItems: 2, items: { type: "boolean" } },
    optional: { type: "string" },
    given: { type: "string", default: "yes" },
  };
  const required = ["kind", "coins", "good", "seat", "list"];
  assert.deepEqual(initial({ type: "object", properties, required }), {
    kind: "bid",
    coins: 2,
    good: "tea",
    seat: null,
    list: [false, false],
    given: "yes",
  });
});
