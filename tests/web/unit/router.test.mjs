import assert from "node:assert/strict";
import { test } from "node:test";
import "./browser.mjs";
import { pageFor, parseAddress } from "../../../web/lib/router.js";

const ADDRESSES = {
  "/": [],
  "/lobby": [],
  "/new": [],
  "/seek": [],
  "/players": [],
  "/player/ada": ["ada"],
  "/match/m": ["m"],
  "/match/m/replay": ["m"],
  "/match/m/check": ["match", "m"],
  "/tournament/t/check": ["tournament", "t"],
  "/check": [],
  "/rules/europe": ["europe", undefined],
  "/rules/europe/E-12": ["europe", "E-12"],
  "/tournaments": [],
  "/tournaments/new": [],
  "/tournament/t": ["t"],
  "/account": [],
};

test("every address has its page, which can be opened, with the parts of the address", async () => {
  const pages = new Set();
  for (const [address, params] of Object.entries(ADDRESSES)) {
    const found = pageFor(address);
    assert.deepEqual(found?.params, params, address);
    const { open } = await found.load();
    assert.equal(typeof open, "function", address);
    pages.add(open);
  }
  assert.equal(pages.size, 14);
});

test("other addresses have none", () => {
  for (const address of ["/nowhere", "/match/", "/match/m/other", "/rules", "/lobby/"])
    assert.equal(pageFor(address), null, address);
});

test("an address is read from the hash, with its query", () => {
  assert.equal(parseAddress("").address, "/");
  const { address, query } = parseAddress("#/player/J%C3%BCrgen?show=all&key=a%26b");
  assert.deepEqual([address, query.get("show"), query.get("key")], ["/player/Jürgen", "all", "a&b"]);
});
