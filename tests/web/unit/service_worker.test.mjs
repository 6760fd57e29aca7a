// A click on a notification leads to the match, in a page that is open already or in a new one.

import assert from "node:assert/strict";
import { test } from "node:test";

const listeners = {};
const clients = {};
globalThis.self = { addEventListener: (name, listener) => (listeners[name] = listener), clients };
await import("../../../web/service_worker.js");

/** What happens after a click on a notification while these pages are open. */
async function click(...pages) {
  const done = [];
  const waited = [];
  clients.matchAll = async () =>
    pages.map((page) => ({
      navigate: async (address) => done.push(`${page} goes to ${address}`),
      focus: async () => done.push(`${page} comes to the front`),
    }));
  clients.openWindow = async (address) => done.push(`a new page goes to ${address}`);
  listeners.notificationclick({
    notification: { data: "m1", close: () => done.push("the notification closes") },
    waitUntil: (work) => waited.push(work),
  });
  await Promise.all(waited);
  return done;
}

test("without an open page, a new one shows the match", async () => {
  assert.deepEqual(await click(), ["the notification closes", "a new page goes to /#/match/m1"]);
});

test("an open page shows the match and comes to the front", async () => {
  assert.deepEqual(await click("the first page", "the second page"), [
    "the notification closes",
    "the first page goes to /#/match/m1",
    "the first page comes to the front",
  ]);
});
