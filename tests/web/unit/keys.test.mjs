import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Service, clearStorage } from "./browser.mjs";
import { ME } from "./matches.mjs";
import { hashFor } from "./signing.mjs";
import { signIn } from "../../../web/lib/api.js";
import { seal, unseal } from "../../../web/lib/devices.js";
import { agrees } from "../../../web/lib/entries.js";
import * as keys from "../../../web/lib/keys.js";
import * as store from "../../../web/lib/store.js";
import { isSigned } from "../../../web/verifier/crypto.mjs";

beforeEach(() => {
  clearStorage();
  signIn(ME);
});

test("a registered key signs, and proves that it belongs to the account", async () => {
  const service = new Service({ "PUT /v1/me/key": {}, "GET /v1/me": () => ({ public_key: keys.current() }) });
  const key = await keys.registered();
  const [{ body }] = service.requests("PUT", "/v1/me/key");
  assert.equal(body.public_key, key);
  const statement = `kontor.player-key.1\n{"player":"me","public_key":"${key}"}`;
  assert.ok(await isSigned(key, body.proof, statement));
  assert.equal(await keys.registered(), key);
  assert.ok(await isSigned(key, await keys.sign(key, "a text"), "a text"));
  assert.equal(await keys.sign("another key", "a text"), null);
});

test("a key whose account has registered another one since is replaced", async () => {
  new Service({ "PUT /v1/me/key": {}, "GET /v1/me": { public_key: "that of another device" } });
  const first = await keys.registered();
  assert.notEqual(await keys.registered(), first);
  assert.deepEqual((await keys.allOf("me")).length >= 2, true);
});

test("who does not want to sign has no key", async () => {
  const service = new Service({});
  store.set("unsigned", true);
  assert.equal(await keys.registered(), null);
  assert.equal(service.asked.length, 0);
});

test("a key can be saved to a file and read from it; anything else is refused", async () => {
  new Service({ "PUT /v1/me/key": {} });
  const key = await keys.register();
  const file = await keys.exported(key);
  assert.deepEqual(Object.keys(JSON.parse(file)), ["format", "player", "public_key", "private_key"]);
  assert.equal(await keys.imported(file), key);
  assert.equal(await keys.exported("another key"), null);
  for (const wrong of ["{}", file.replace("key-file.1", "key-file.2"), file.replace(key, "short")])
    await assert.rejects(keys.imported(wrong), /not a key file/);
});

test("what moves to another device can be read with the letters of the code only", async () => {
  const sealed = await seal("keys and evidence", "SECRETLETTER");
  assert.equal(await unseal(sealed, "SECRETLETTER"), "keys and evidence");
  await assert.rejects(unseal(sealed, "OTHERLETTERS"));
  const changed = sealed.slice(0, 60) + (sealed[60] === "A" ? "B" : "A") + sealed.slice(61);
  await assert.rejects(unseal(changed, "SECRETLETTER"));
});

test("the record of a tournament agrees with the entry, or it does not", () => {
  const entry = {
    player: "me",
    commitment: "c",
    sealed: "s",
    key: "k",
    opened: [{ digest: "d", value: "v", sealed: "s" }],
  };
  const record = () => [
    { by: "ben", fact: { type: "tournament_announced", commitment: "c" }, command: { type: "announce" } },
    { by: "me", fact: { type: "entrant_entered" }, command: { type: "enter", sealed: "s", key: "k" } },
    { by: "house", fact: { type: "contributions_due", digest: "d" } },
    {
      by: "me",
      fact: { type: "contribution_opened" },
      command: { type: "open_contribution", digest: "d", value: "v" },
    },
  ];
  const agreed = (change, kept = entry) => {
    const records = record();
    change(records);
    return agrees(kept, records, new Map([["m", hashFor("deal")]]));
  };
  assert.ok(agreed(() => {}));
  assert.ok(!agreed(([announced]) => (announced.fact.commitment = "other")));
  assert.ok(!agreed(([, entered]) => (entered.command.sealed = "other")));
  assert.ok(!agreed(([, entered]) => delete entered.command.key));
  assert.ok(!agreed(([, , due]) => (due.fact.digest = "other")));
  assert.ok(!agreed(([, , , opened]) => (opened.command.digest = "other")));
  assert.ok(agreed(() => {}, { ...entry, matches: ["m"] }));
  assert.ok(!agreed(() => {}, { ...entry, matches: ["m", "another"] }));
});
