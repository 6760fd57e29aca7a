// Gives each case to the page's check of a match, with what the browser has kept: prints what it says is wrong.
//   node page_check.mjs cases.ndjson
import { readFileSync } from "node:fs";
import { Service, clearStorage } from "../../../web/unit/browser.mjs";
import { signIn } from "../../../../web/lib/api.js";
import * as store from "../../../../web/lib/store.js";
import { updateKeys } from "../../../../web/lib/trust.js";
import { check } from "../../../../web/lib/verify.js";

for (const line of readFileSync(process.argv[2], "utf-8").trim().split("\n")) {
  const { content, kept, keys, published, receipts, refused } = JSON.parse(line);
  clearStorage();
  signIn({ id: kept.player, name: "Ann", token: "" });
  store.set("service-keys", keys);
  store.set(`evidence.${kept.match}.${kept.player}`, kept);
  receipts.forEach(({ command, receipt }, place) => {
    const name = `receipt.${kept.match}.${String(receipt.version).padStart(9, "0")}.${place}`;
    store.set(name, { command, receipt, player: kept.player });
  });
  refused.forEach((signature, place) => store.set(`refused.${kept.match}.${place}`, signature));
  new Service({ "GET /.well-known/kontor-keys.json": { keys: published } });
  const said = await updateKeys().then(
    () => check(new Uint8Array(Buffer.from(content, "base64"))),
    (error) => ({ problem: error.key ?? error.message, findings: [] }),
  );
  const wrong = said.findings.filter(({ kind }) => kind === "wrong").map(({ text }) => text);
  console.log(JSON.stringify(said.problem ?? wrong[0] ?? null));
}
