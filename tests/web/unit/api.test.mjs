import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Service, clearStorage } from "./browser.mjs";
import { MATCH, ME } from "./matches.mjs";
import * as api from "../../../web/lib/api.js";

const failing = (status, headers) => () => new Response('{"code":"busy"}', { status, headers });

/** A service that gives these answers to each request in turn. */
const inTurn = (...answers) => {
  const all = [...answers];
  return () => {
    const next = all.length > 1 ? all.shift() : all[0];
    return typeof next === "function" ? next() : next;
  };
};

beforeEach(() => {
  clearStorage();
  api.signIn(null);
});

test("a lost request is sent again with the same idempotency key, so that it happens once", async () => {
  const lost = () => {
    throw new TypeError("network");
  };
  const service = new Service({
    "POST /v1/players": inTurn(lost, failing(503, { "Retry-After": "0" }), { id: "new" }),
  });
  assert.deepEqual(await api.post("/v1/players", { name: "Ada" }), { id: "new" });
  const keys = service.asked.map(({ headers }) => headers["Idempotency-Key"]);
  assert.equal(keys.length, 3);
  assert.equal(new Set(keys).size, 1);
  await api.post("/v1/players", { name: "Ben" });
  assert.notEqual(service.asked[3].headers["Idempotency-Key"], keys[0]);
});

test("a refusal is not sent again, and says why", async () => {
  const refusal = { code: "not_your_turn", rule: "S-1", detail: "It is not your turn." };
  const service = new Service({ "POST /v1/matches": () => new Response(JSON.stringify(refusal), { status: 409 }) });
  await assert.rejects(api.post("/v1/matches", {}), (error) => {
    assert.ok(error instanceof api.Problem);
    assert.deepEqual(
      [error.status, error.code, error.rule, error.message],
      [409, "not_your_turn", "S-1", refusal.detail],
    );
    return true;
  });
  assert.equal(service.asked.length, 1);
});

test("a caller who would have to wait long is told at once", async () => {
  const service = new Service({ "GET /v1/me": failing(429, { "Retry-After": "60" }) });
  await assert.rejects(api.get("/v1/me"), { code: "busy" });
  assert.equal(service.asked.length, 1);
});

test("an answer without JSON is a problem, too", async () => {
  new Service({ "GET /v1/me": () => new Response("<html>", { status: 404 }) });
  await assert.rejects(api.get("/v1/me"), { code: "unknown", message: "HTTP 404" });
});

test("requests have the token of the account, except those for everybody", async () => {
  const service = new Service({ "GET /v1/me": {}, "GET /v1/games": { games: [{ id: "fair" }] } });
  api.signIn(ME);
  await api.get("/v1/me");
  assert.equal(service.asked[0].headers.Authorization, "Bearer token");
  const [games, again] = await Promise.all([api.games("de"), api.games("de")]);
  assert.deepEqual([games, again], [[{ id: "fair" }], [{ id: "fair" }]]);
  const [asked, ...more] = service.requests("GET", "/v1/games");
  assert.deepEqual([asked.headers.Authorization, asked.headers["Accept-Language"], more], [undefined, "de", []]);
});

test("the key of a private match is sent with requests about it only", async () => {
  const service = new Service({ [`GET /v1/matches/${MATCH}`]: {}, "GET /v1/me": {} });
  api.keepKey(MATCH, "no key at all");
  assert.equal(api.keyFor(MATCH), null);
  api.keepKey(MATCH, "abcdefghijklmnopqrstuvwx");
  await api.get(`/v1/matches/${MATCH}`);
  await api.get("/v1/me");
  assert.deepEqual(
    service.asked.map(({ headers }) => headers["Match-Key"]),
    ["abcdefghijklmnopqrstuvwx", undefined],
  );
});

test("values that are missing are not part of an address", () => {
  assert.equal(
    api.address("/v1/matches", { cursor: null, limit: 2, online: true, q: "a b" }),
    "/v1/matches?limit=2&online=true&q=a+b",
  );
  assert.equal(api.address("/v1/matches", { cursor: undefined }), "/v1/matches");
});

test("who listens to the account hears of changes here and in other tabs", () => {
  let heard = 0;
  api.onAccount(() => (heard += 1));
  api.signIn(ME);
  localStorage.setItem("kontor.account", JSON.stringify({ ...ME, name: "Other" }));
  dispatchEvent(Object.assign(new Event("storage"), { key: "kontor.account" }));
  assert.deepEqual([heard, api.me().name], [2, "Other"]);
});
