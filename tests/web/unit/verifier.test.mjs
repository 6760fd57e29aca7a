import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as bytes from "../../../web/verifier/crypto.mjs";
import { Broken, canonical, parse, pick, same, without } from "../../../web/verifier/formats.mjs";
import { mayHaveSent, possible, sameMoves } from "../../../web/verifier/forms.mjs";
import { verifyExport } from "../../../web/verifier/kontor-verify.mjs";
import { readKeys } from "../../../web/verifier/service_keys.mjs";
import { pointsOf } from "../../../web/verifier/standings.mjs";
import * as vectors from "../../../web/verifier/vectors.mjs";
import { Signer } from "./signing.mjs";

const read = (name) => JSON.parse(readFileSync(new URL(`../../../docs/vectors/${name}.json`, import.meta.url)));
const CHECKS = {
  chance: vectors.checkChanceVectors,
  chain: vectors.checkChainVectors,
  ed25519: vectors.checkSignatureVectors,
  signatures: vectors.checkCommandVectors,
  standings: vectors.checkStandingsVector,
};

for (const [name, check] of Object.entries(CHECKS))
  test(`it agrees with the published vectors of ${name}`, async () => {
    await check(read(name));
  });

test("a vector that was changed is found", async () => {
  const chance = read("chance");
  chance.words[0].words[0] = "0".repeat(16);
  assert.throws(() => vectors.checkChanceVectors(chance), Broken);
  const chain = read("chain");
  chain.trees.at(-1).root = "0".repeat(64);
  await assert.rejects(vectors.checkChainVectors(chain), Broken);
  const standings = read("standings");
  standings.lots.reverse();
  assert.throws(() => vectors.checkStandingsVector(standings), /standings: lots/);
});

test("SHA-256 and HMAC are those of Node.js, for every length around a block", () => {
  for (const length of [0, 1, 55, 56, 63, 64, 65, 119, 120, 1000]) {
    const content = Uint8Array.from({ length }, (_, i) => (i * 7) % 256);
    assert.equal(bytes.hex(bytes.sha256(content)), createHash("sha256").update(content).digest("hex"));
    const key = content.subarray(0, 32);
    assert.equal(bytes.hex(bytes.hmac(key, content)), createHmac("sha256", key).update(content).digest("hex"));
  }
  assert.equal(bytes.hex(bytes.sha256("ü", "x")), createHash("sha256").update("üx").digest("hex"));
});

test("Base64 has one encoding", () => {
  assert.deepEqual(bytes.fromBase64("AAE=", 2), Uint8Array.of(0, 1));
  for (const [text, length] of [
    ["AAE", 2],
    ["AAF=", 2],
    ["AAE=", 3],
    ["AA E=", 2],
    ["?", 0],
  ])
    assert.equal(bytes.fromBase64(text, length), null, text);
});

test("canonical JSON is sorted, short and without numbers that are not exact", () => {
  assert.equal(canonical({ b: [1, '\n\u0001"ü'], a: null }), '{"a":null,"b":[1,"\\n\\u0001\\"ü"]}');
  assert.throws(() => canonical(0.5), Broken);
  assert.throws(() => canonical(2 ** 53), Broken);
});

test("JSON with a key twice is refused", () => {
  assert.deepEqual(parse('{"a":{"a":":"}}'), { a: { a: ":" } });
  assert.throws(() => parse('{"a":1,"a":2}'), /a key occurs twice/);
  assert.throws(() => parse("{"), /not JSON/);
});

test("fields are picked and left out by name", () => {
  assert.deepEqual(pick({ a: 1, b: 2 }, ["b", "c"]), { b: 2 });
  assert.deepEqual(without({ a: 1, b: 2 }, ["b", "c"]), { a: 1 });
  assert.ok(same({ a: [1], b: 2 }, { b: 2, a: [1] }));
  assert.ok(same(undefined, null));
  assert.ok(!same([1, 2], [2, 1]));
});

test("a move as it was sent means the stored one, which has all its fields", () => {
  assert.ok(
    sameMoves([{ type: "buy", card: "a" }], [{ type: "buy", card: "a", price: 0, more: [], deep: { x: null } }]),
  );
  assert.ok(!sameMoves([{ type: "buy", card: "a" }], [{ type: "buy", card: "a", price: 1 }]));
  assert.ok(!sameMoves([{ type: "buy", card: "a", own: 1 }], [{ type: "buy", card: "a" }]));
  assert.ok(
    sameMoves([{ type: "sell_two", goods: ["tea", "coffee"] }], [{ type: "sell_two", goods: ["coffee", "tea"] }]),
  );
  assert.ok(!sameMoves([{ type: "walk", way: [1, 2] }], [{ type: "walk", way: [2, 1] }]));
  const play = { type: "play", moves: [{ type: "pass", n: 0 }], signature: "s" };
  assert.ok(mayHaveSent(play));
  assert.ok(mayHaveSent({ ...play, sent_moves: [{ type: "pass" }] }));
  assert.ok(!mayHaveSent({ ...play, sent_moves: [{ type: "pass", n: 0 }] }));
  assert.ok(!mayHaveSent({ ...play, sent_moves: [{ type: "other" }] }));
});

test("seats that share a place share the points of all its places", () => {
  assert.deepEqual(pointsOf([4, 2, 0], [1, 2, 3]), [240, 120, 0]);
  assert.deepEqual(pointsOf([4, 2, 0], [1, 1, 3]), [180, 180, 0]);
  assert.deepEqual(pointsOf([1, 0, 0], [1, 1, 1]), [20, 20, 20]);
});

test("terms of a tournament must not contradict each other", () => {
  const { terms } = read("standings").announced;
  assert.ok(possible(terms));
  for (const changes of [
    { format: "other" },
    { points: terms.points.toReversed() },
    { tie_breaks: ["wins", "wins"] },
    { least_entrants: 1 },
    { rated: true, admits: "both" },
    { format: "complete", late_entry: true },
  ])
    assert.ok(!possible({ ...terms, ...changes }), JSON.stringify(changes));
});

test("the keys of a service are named by their hash", async () => {
  const { published } = await Signer.make(7);
  assert.deepEqual(readKeys([published]), [published]);
  assert.throws(() => readKeys([{ ...published, id: "0".repeat(16) }]), /not the hash/);
  assert.throws(() => readKeys([{ ...published, algorithm: "RSA" }]), /'algorithm' has the wrong type/);
  assert.throws(() => readKeys([]), /there are no keys/);
});

test("a file that is no export is refused with the line that is wrong", async () => {
  const refused = (text, message) => assert.rejects(verifyExport(new TextEncoder().encode(text)), { message });
  await refused("", "the file is truncated");
  await refused("{}\n", "the file is truncated");
  await refused('{"a":1,"a":1}\n{}\n{}\n', "line 1: a key occurs twice");
  await refused("{}\n[]\n{}\n", "line 2: this is not a JSON object");
  await refused("{}\n{ }\n{}\n", "line 2: this is not canonical JSON");
  await refused("{}\n{}\n{}\n", "line 1: 'format' is missing");
});
