import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Service, clearStorage } from "./browser.mjs";
import { MATCH, ME, matchAt } from "./matches.mjs";
import { Signer, hashFor } from "./signing.mjs";
import { signIn } from "../../../web/lib/api.js";
import * as evidence from "../../../web/lib/evidence.js";
import * as store from "../../../web/lib/store.js";
import { checkReceipt, pinnedKeys, updateKeys } from "../../../web/lib/trust.js";

const KEYS = "/.well-known/kontor-keys.json";
let service, signer;

const untrusted = (key) => ({ name: "Error", message: key });
/** The user's match before they take a seat, with a signed commitment. */
const opened = async (changes = {}) => {
  const chance = { ...matchAt(1).chance, ...(await signer.commitment(MATCH)) };
  return matchAt(1, { you: null, status: "open", chance, ...changes });
};
const answered = async (version, head = hashFor(`version ${version}`)) => ({
  version,
  head,
  receipt: await signer.receipt(MATCH, version, head),
});

beforeEach(async () => {
  clearStorage();
  signIn(ME);
  signer = await Signer.make();
  service = new Service({ [`GET ${KEYS}`]: { keys: [signer.published] } });
});

test("keys are pinned: the service can only add keys that are valid later", async () => {
  await updateKeys();
  const later = await Signer.make(5000);
  service.answers[`GET ${KEYS}`] = { keys: [later.published, signer.published] };
  await updateKeys();
  assert.deepEqual(
    pinnedKeys().map(({ id }) => id),
    [signer.published.id, later.published.id],
  );
  const earlier = await Signer.make(10);
  service.answers[`GET ${KEYS}`] = { keys: [signer.published, earlier.published, later.published] };
  await assert.rejects(updateKeys(), untrusted("trust.keys_backdated"));
  service.answers[`GET ${KEYS}`] = { keys: [later.published] };
  await assert.rejects(updateKeys(), untrusted("trust.keys_gone"));
  assert.equal(pinnedKeys().length, 2);
});

test("a receipt must be signed, for what it is about, with the key of its time", async () => {
  const answer = await answered(3);
  await checkReceipt("match", MATCH, answer);
  const wrong = (changes) => checkReceipt("match", MATCH, { ...answer, ...changes });
  await assert.rejects(wrong({ version: 4 }), untrusted("trust.other_receipt"));
  await assert.rejects(wrong({ head: hashFor("other") }), untrusted("trust.other_receipt"));
  await assert.rejects(checkReceipt("match", "other", answer), untrusted("trust.other_receipt"));
  await assert.rejects(wrong({ receipt: { ...answer.receipt, at: 1 } }), untrusted("trust.bad_receipt"));
  const stranger = await Signer.make();
  const forged = await stranger.receipt(MATCH, 3, answer.head);
  await assert.rejects(wrong({ receipt: forged }), untrusted("trust.bad_receipt"));
});

test("two receipts for one version are both kept, each once", async () => {
  await evidence.keepReceipt("match", MATCH, await answered(3));
  await evidence.keepReceipt("match", MATCH, await answered(3));
  const other = await answered(3, hashFor("other"));
  await assert.rejects(evidence.keepReceipt("match", MATCH, other), untrusted("trust.two_histories"));
  await evidence.keepReceipt("match", MATCH, await answered(4));
  const receipts = evidence.receiptsOf("match", MATCH);
  assert.deepEqual(
    receipts.map(({ receipt }) => receipt.version),
    [3, 3, 4],
  );
  assert.equal(evidence.contradicting(receipts).length, 1);
  assert.equal(evidence.receiptsOf("tournament", MATCH).length, 0);
});

test("before a contribution is sent, the commitment is checked and kept; later attempts send the same", async () => {
  const match = await opened();
  const first = await evidence.begin(match, null);
  const again = await evidence.begin(match, "a key");
  assert.equal(first.contribution, again.contribution);
  assert.match(first.contribution, /^[0-9a-f]{64}$/);
  assert.deepEqual(evidence.evidenceOf(MATCH).keys, [null, "a key"]);
  const swapped = { ...match, chance: { ...match.chance, ...(await signer.commitment(MATCH, "another secret")) } };
  await assert.rejects(evidence.begin(swapped, null), untrusted("trust.other_deal"));
  await assert.rejects(evidence.begin({ ...match, practice: true }, null), untrusted("trust.other_deal"));
  assert.equal(evidence.evidenceOf(MATCH).commitment, match.chance.commitment);
});

test("an unsigned commitment is refused, and nothing is kept", async () => {
  const match = await opened();
  match.chance.signed = null;
  await assert.rejects(evidence.begin(match, null), untrusted("trust.not_committed"));
  assert.equal(evidence.evidenceOf(MATCH), null);
});

test("a sealed contribution is sent as its hash", async () => {
  const match = await opened();
  const { contribution, sent } = await evidence.begin({ ...match, chance: { ...match.chance, sealed: true } }, null);
  assert.equal(sent, hashFor(contribution));
});

test("answers are compared with what was kept: the commitment, and the key of the user's seat", async () => {
  const match = await opened();
  await evidence.begin(match, "my key");
  const seats = (key) => matchAt(2).seats.map((one) => ({ ...one, key }));
  const shown = { ...match, you: 0, seats: seats("my key") };
  assert.equal(evidence.compared(shown), shown);
  assert.throws(() => evidence.compared({ ...shown, seats: seats("other") }), untrusted("trust.other_key"));
  const chance = { ...match.chance, commitment: hashFor("other") };
  assert.throws(() => evidence.compared({ ...shown, chance }), untrusted("trust.other_deal"));
  signIn({ ...ME, id: "somebody else" });
  assert.doesNotThrow(() => evidence.compared({ ...shown, chance }));
});

test("a created match has the terms that were requested", () => {
  const body = { game: "fair", seats: [{ type: "invited", player: "me" }, { type: "open" }] };
  const made = matchAt(1, {
    seats: [
      { seat: 0, type: "invited", player: null, invited: { id: "me" }, absent: false, key: null },
      { seat: 1, type: "open", player: null, invited: null, absent: false, key: null },
    ],
  });
  evidence.checkCreated(made, body);
  for (const changes of [
    { game: "other" },
    { practice: true },
    { clock: { kind: "bank", ms: 1, increment_ms: 0 } },
    { seats: made.seats.toReversed() },
    { chance: { ...made.chance, open_seed: "seed" } },
  ])
    assert.throws(() => evidence.checkCreated({ ...made, ...changes }, body), untrusted("trust.other_terms"));
  assert.throws(() => evidence.checkCreated(made, { ...body, signed: true }), untrusted("trust.other_terms"));
});

/** The verified record of a match that the user has joined at seat 0 and played once. */
const record = (kept) => {
  const line = (version, by, fact, more = {}) => ({ version, at: 1, by, fact, ...more });
  return [
    line(
      1,
      "me",
      { type: "match_created", commitment: kept.commitment, ...kept.announced },
      { command: { type: "create" } },
    ),
    line(
      2,
      "me",
      { type: "seat_taken", seat: 0, player: "me", contribution: kept.sent },
      { command: { type: "join" }, seat: null },
    ),
    line(
      3,
      "me",
      { type: "card_bought" },
      { command: { type: "play", moves: [{ type: "buy", card: 1, extra: 0 }] }, seat: 0 },
    ),
  ];
};

test("the record of a match agrees with what this browser did, or it is said where it does not", async () => {
  const match = await opened();
  const kept = await evidence.begin(match, null);
  await evidence.keepReceipt("match", MATCH, await answered(3), { type: "play", moves: [{ type: "buy", card: 1 }] });
  const found = (change) => {
    const lines = structuredClone(record(kept));
    change(lines);
    return evidence.contradictions(lines, MATCH).map(({ key }) => key);
  };
  assert.deepEqual(
    found(() => {}),
    [],
  );
  assert.deepEqual(
    found(([created]) => (created.fact.commitment = hashFor("other"))),
    ["check.other_commitment"],
  );
  assert.deepEqual(
    found(([created]) => (created.fact.practice = true)),
    ["check.other_commitment"],
  );
  assert.deepEqual(
    found(([, taken]) => (taken.fact.contribution = "other")),
    ["check.other_contribution"],
  );
  assert.deepEqual(
    found(([, taken]) => (taken.fact.key = "other")),
    ["trust.other_key"],
  );
  assert.deepEqual(
    found(([, , played]) => (played.command.moves[0].card = 2)),
    ["check.other_command"],
  );
  assert.deepEqual(
    found(([, , played]) => (played.by = "ben")),
    ["check.other_command", "check.foreign_command"],
  );
});

test("a signed command that was refused must not be in the record", async () => {
  const kept = await evidence.begin(await opened(), null);
  evidence.keepRefused(MATCH, "a signature");
  const lines = record(kept);
  lines[2].command.signature = "a signature";
  assert.deepEqual(evidence.contradictions(lines, MATCH), [{ key: "check.refused_command", version: 3 }]);
  await evidence.keepReceipt("match", MATCH, await answered(3), lines[2].command);
  assert.deepEqual(evidence.contradictions(lines, MATCH), []);
});

test("evidence that was stored before it was kept for each account still counts", () => {
  store.set(`match.${MATCH}`, { match: MATCH, player: "me", key: "my key", commitment: "c", announced: {} });
  assert.deepEqual(evidence.evidenceOf(MATCH).keys, ["my key"]);
  evidence.keep({ ...evidence.evidenceOf(MATCH), opened: true });
  assert.equal(store.get(`match.${MATCH}`), null);
  assert.equal(evidence.evidenceOf(MATCH).opened, true);
});
