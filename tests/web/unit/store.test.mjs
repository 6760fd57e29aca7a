import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { MemoryStorage, clearStorage } from "./browser.mjs";
import * as store from "../../../web/lib/store.js";

beforeEach(() => {
  MemoryStorage.limit = Infinity;
  clearStorage();
});

test("a value is kept under the prefix of the page, and null removes it", () => {
  store.set("settings", { confirm: "each" });
  assert.equal(localStorage.getItem("kontor.settings"), '{"confirm":"each"}');
  assert.deepEqual(store.get("settings"), { confirm: "each" });
  store.set("settings", null);
  assert.equal(store.get("settings"), null);
  assert.deepEqual(Object.keys(localStorage), []);
});

test("names and values are listed by their beginning, in order", () => {
  localStorage.setItem("other", "1");
  store.set("entry.b.me", { player: "me" });
  store.set("entry.a.me", { player: "you" });
  assert.deepEqual(store.names("entry."), ["entry.a.me", "entry.b.me"]);
  assert.deepEqual(
    store.all("entry.").map(({ player }) => player),
    ["you", "me"],
  );
});

test("a value that does not fit into the storage is kept until the page is closed", () => {
  MemoryStorage.limit = 0;
  store.set("key", "a key");
  assert.equal(store.get("key"), "a key");
  assert.deepEqual(store.names("k"), ["key"]);
  MemoryStorage.limit = 1;
  store.set("key", "another");
  assert.equal(store.get("key"), "another");
  store.remove("key");
  assert.equal(store.get("key"), null);
});

test("what is no JSON counts as missing", () => {
  localStorage.setItem("kontor.seek", "{");
  assert.equal(store.get("seek"), null);
});

test("a change in another tab is reported for its name, and for all names when everything is removed", () => {
  let changes = 0;
  store.onChange("account", () => (changes += 1));
  for (const key of ["kontor.account", "kontor.other", null])
    dispatchEvent(Object.assign(new Event("storage"), { key }));
  assert.equal(changes, 2);
});
