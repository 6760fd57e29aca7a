import assert from "node:assert/strict";
import { test } from "node:test";
import { Service, silence, until } from "./browser.mjs";
import { follow, parser } from "../../../web/lib/stream.js";

/** The events in a text that arrives in parts. */
function parsed(...parts) {
  const events = [];
  const parse = parser((id, type, data) => events.push([id, type, data]));
  parts.forEach(parse);
  return events;
}

const stream = (text) => new Response(text, { headers: { "Content-Type": "text/event-stream" } });

/** Follow a service that gives these answers in turn; returns what was reported. */
function followed(answers, after = 4) {
  const seen = { events: [], states: [], refused: null };
  const service = new Service({ "GET /events": (request) => (answers.shift() ?? silence)(request) });
  const stop = follow({
    path: "/events",
    after,
    onEvent: (type, data) => seen.events.push([type, data]),
    onState: (connected) => seen.states.push(connected),
    onRefused: (problem) => (seen.refused = problem),
  });
  return { seen, service, stop };
}

test("events are read from parts that end anywhere", () => {
  const text = 'id: 7\nevent: fact\ndata: {"a":\ndata: 1}\n\n: a comment\n\ndata: 2\n\n';
  const expected = [
    ["7", "fact", { a: 1 }],
    [null, "message", 2],
  ];
  assert.deepEqual(parsed(text), expected);
  assert.deepEqual(parsed(...text), expected);
  assert.deepEqual(parsed(text.replaceAll("\n", "\r\n")), expected);
});

test("an event without its blank line is not complete yet", () => {
  assert.deepEqual(parsed("data: 1\n"), []);
});

test("a broken connection is resumed after the last event", async () => {
  const { seen, service, stop } = followed([
    () => stream("id: 5\nevent: fact\ndata: 5\n\nid: 6\nevent: fact\n"),
    () => stream("id: 6\nevent: fact\ndata: 6\n\nevent: end\ndata: {}\n\n"),
  ]);
  await until(() => seen.events.length === 3);
  stop();
  assert.deepEqual(
    seen.events.map(([type]) => type),
    ["fact", "fact", "end"],
  );
  assert.deepEqual(
    service.asked.map(({ headers }) => headers["Last-Event-ID"]),
    ["4", "5"],
  );
});

test("after the end nothing is asked any more", async () => {
  const { seen, service } = followed([() => new Response(null, { status: 204 })]);
  await until(() => seen.states.length === 1);
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.deepEqual([seen.states, service.asked.length], [[true], 1]);
});

test("a refusal is final, a failure of the service is not", async () => {
  const refused = followed([() => new Response('{"code":"not_yours"}', { status: 403 })]);
  await until(() => refused.seen.refused);
  assert.equal(refused.seen.refused.code, "not_yours");
  const failing = followed([() => new Response("", { status: 503 }), silence]);
  await until(() => failing.service.asked.length === 2);
  failing.stop();
  assert.deepEqual([failing.seen.states, failing.seen.refused], [[false], null]);
});
