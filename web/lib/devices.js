// Moves the account to another device with a one-time code: its first eight letters go to the service, the others
// never do. With these, the keys that
// sign moves and the evidence of unfinished matches are encrypted, so that the service stores and passes on what it
// can't read (docs/signatures.md).
import { bytesOf, concat } from "../verifier/crypto.mjs";
import * as api from "./api.js";
import * as evidence from "./evidence.js";
import * as keys from "./keys.js";
import * as store from "./store.js";
import { pinnedKeys } from "./trust.js";

const LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ";
const OF_SERVICE = 8;
const SECRET = 12;
const ROUNDS = 600_000;
const MOST = 24_000;
const SALT = 16;
const NONCE = 12;

/**
 * @typedef {{code: string, expires: string, left: boolean}} Offer a code, and whether some key can't leave this browser
 */

/** @returns {Promise<Offer>} */
export async function offer() {
  const seals = await keys.canSign(); // otherwise there are neither keys nor a way to encrypt them
  if (seals && !keys.current() && !store.get("unsigned")) await keys.register(); // one key for both devices
  const secret = randomLetters(SECRET);
  const { parcel, left } = await pack();
  const sealed = seals ? await seal(parcel, secret) : null;
  const made = await api.post("/v1/me/device-codes", sealed ? { sealed } : {});
  return { code: `${made.code}${sealed ? secret : ""}`.match(/.{4}/g)?.join("-") ?? "", expires: made.expires, left };
}

/**
 * Store a phrase that recovers this account: half of it goes to the service, the other half encrypts the keys.
 * @returns {Promise<string>}
 */
export async function makeRecovery() {
  const seals = await keys.canSign();
  if (seals && !keys.current() && !store.get("unsigned")) await keys.register();
  const [code, secret] = [randomLetters(SECRET), randomLetters(SECRET)];
  const sealed = seals ? await seal((await pack()).parcel, secret) : null;
  await api.put("/v1/me/recovery", { code, sealed });
  return `${code}${secret}`.match(/.{4}/g)?.join("-") ?? "";
}

/**
 * Use the account of another device here, or one that is recovered by its phrase.
 * @param {string} typed the code
 * @returns {Promise<"moved" | "no_keys" | "wrong_end">} what arrived with the account
 */
export async function redeem(typed) {
  const code = typed.toUpperCase().replace(/[^A-Z]/g, "");
  const recovers = code.length === 2 * SECRET;
  const secret = code.slice(recovers ? SECRET : OF_SERVICE);
  const sent = { code: code.slice(0, recovers ? SECRET : OF_SERVICE) };
  const made = recovers
    ? await api.post("/v1/recoveries", sent, { anonymous: true })
    : await api.post("/v1/device-codes/redeem", sent, { anonymous: true });
  api.signIn({ id: made.id, name: made.name ?? "", token: made.token });
  if (!made.sealed) return "no_keys";
  const parcel = await unseal(made.sealed, secret).catch(() => null);
  if (!parcel) return "wrong_end";
  await unpack(parcel);
  return "moved";
}

/** @param {number} count */
function randomLetters(count) {
  let text = "";
  while (text.length < count) {
    const [byte] = crypto.getRandomValues(new Uint8Array(1));
    if (byte < 240) text += LETTERS[byte % LETTERS.length]; // 240 is a multiple of 24: all letters are equally likely
  }
  return text;
}

/** What the other device needs to play on, as text, and whether some key can't be part of it. */
async function pack() {
  const me = api.me()?.id ?? "";
  const kept = await keys.allOf(me);
  const texts = await Promise.all(kept.map((one) => keys.exported(one)));
  const matches = (
    await Promise.all(["open", "running"].map((status) => api.get("/v1/matches", { player: me, status, limit: 100 })))
  ).flatMap((page) => page.matches);
  const content = {
    format: "kontor.device.1",
    player: me,
    key: keys.current(),
    unsigned: store.get("unsigned"),
    keys: texts.filter(Boolean),
    service_keys: pinnedKeys(),
    entries: evidence.entriesOf(me),
    matches: matches.map(({ id }) => evidence.evidenceOf(id)).filter(Boolean),
  };
  while (JSON.stringify(content).length > MOST && content.matches.length) content.matches.pop();
  while (JSON.stringify(content).length > MOST && content.entries.length) content.entries.pop();
  while (JSON.stringify(content).length > MOST) content.keys.pop();
  return { parcel: JSON.stringify(content), left: texts.includes(null) };
}

/** @param {string} text */
async function unpack(text) {
  const { format, player, key, keys: texts, service_keys: known, unsigned, entries, matches } = JSON.parse(text);
  if (format !== "kontor.device.1" || player !== api.me()?.id) throw new Error("not a parcel for this account");
  for (const one of texts) await keys.imported(one);
  store.set("key", key);
  store.set("unsigned", unsigned);
  if (pinnedKeys().length === 0 && known.length) store.set("service-keys", known);
  entries.forEach(evidence.keepEntry);
  for (const one of matches) if (!evidence.evidenceOf(one.match)) evidence.keep(one);
}

/** @param {string} secret the letters that the service never sees @param {Uint8Array<ArrayBuffer>} salt */
async function keyFrom(secret, salt) {
  const typed = await crypto.subtle.importKey("raw", new TextEncoder().encode(secret), "PBKDF2", false, ["deriveKey"]);
  const how = { name: "PBKDF2", hash: "SHA-256", salt, iterations: ROUNDS };
  return crypto.subtle.deriveKey(how, typed, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
}

/** @param {string} text @param {string} secret @returns {Promise<string>} salt, nonce and ciphertext in Base64 */
export async function seal(text, secret) {
  const salt = crypto.getRandomValues(new Uint8Array(SALT));
  const iv = crypto.getRandomValues(new Uint8Array(NONCE));
  const hidden = await crypto.subtle.encrypt(
    { name: "AES-GCM", iv },
    await keyFrom(secret, salt),
    new Uint8Array(bytesOf(text)),
  );
  return keys.toBase64(concat(salt, iv, new Uint8Array(hidden)));
}

/**
 * @param {string} sealed
 * @param {string} secret
 * @returns {Promise<string>} throws if the secret is another one, or something was changed
 */
export async function unseal(sealed, secret) {
  const bytes = Uint8Array.from(atob(sealed), (one) => one.charCodeAt(0));
  const [salt, iv, hidden] = [bytes.slice(0, SALT), bytes.slice(SALT, SALT + NONCE), bytes.slice(SALT + NONCE)];
  return new TextDecoder().decode(
    await crypto.subtle.decrypt({ name: "AES-GCM", iv }, await keyFrom(secret, salt), hidden),
  );
}
