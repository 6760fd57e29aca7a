// The keys with which this browser signs commands (docs/signatures.md). They are created by WebCrypto and stored in
// IndexedDB; they can be exported,
// so that another device of the player can play on.
import { canonical } from "../verifier/formats.mjs";
import { fromBase64 } from "../verifier/crypto.mjs";
import * as api from "./api.js";
import * as store from "./store.js";

/** @typedef {{public_key: string, account: string, private_key: CryptoKey, made_at: number}} KeptKey */

const ALGORITHM = { name: "Ed25519" };
/** @type {Map<string, KeptKey>} */
const memory = new Map();
/** @type {Promise<IDBDatabase> | null} */
let database = null;

/** @param {ArrayBuffer | Uint8Array} bytes */
export const toBase64 = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes)));

/** Whether this browser can sign: WebCrypto with Ed25519, which needs HTTPS or localhost. */
export async function canSign() {
  try {
    await crypto.subtle.generateKey(ALGORITHM, false, ["sign", "verify"]);
    return true;
  } catch {
    return false;
  }
}

function openDatabase() {
  database ??= new Promise((resolve, reject) => {
    const opening = indexedDB.open("kontor", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("keys", { keyPath: "public_key" });
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = opening.onblocked = () => reject(opening.error);
  });
  return database;
}

/**
 * @template T
 * @param {IDBTransactionMode} mode
 * @param {(keys: IDBObjectStore) => IDBRequest<T>} act
 * @returns {Promise<T>} fails if the browser has no database
 */
async function inDatabase(mode, act) {
  const opened = await openDatabase();
  return new Promise((resolve, reject) => {
    const asked = act(opened.transaction("keys", mode).objectStore("keys"));
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
}

/** @param {KeptKey} key */
async function keep(key) {
  memory.set(key.public_key, key);
  await inDatabase("readwrite", (keys) => keys.put(key)).catch(() => undefined);
}

/** @param {string} publicKey @returns {Promise<KeptKey | null>} */
export async function find(publicKey) {
  return (
    memory.get(publicKey) ??
    (await inDatabase("readonly", (keys) => keys.get(publicKey)).catch(() => undefined)) ??
    null
  );
}

/** @param {string} account @returns {Promise<string[]>} the public keys of an account that are here, newest first */
export async function allOf(account) {
  /** @type {KeptKey[]} */ const found = await inDatabase("readonly", (keys) => keys.getAll()).catch(() => []);
  const all = new Map([...found, ...memory.values()].map((key) => [key.public_key, key]));
  return [...all.values()]
    .filter((key) => key.account === account)
    .sort((one, other) => other.made_at - one.made_at)
    .map((key) => key.public_key);
}

/**
 * @param {string} publicKey
 * @param {string} text
 * @returns {Promise<string | null>} a signature in Base64; null if the key is not here
 */
export async function sign(publicKey, text) {
  const key = await find(publicKey);
  if (!key) return null;
  return toBase64(await crypto.subtle.sign(ALGORITHM, key.private_key, new TextEncoder().encode(text)));
}

/** @param {string} account @returns {Promise<string>} the public key */
async function make(account) {
  const pair = /** @type {CryptoKeyPair} */ (await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]));
  const publicKey = toBase64(await crypto.subtle.exportKey("raw", pair.publicKey));
  await keep({ public_key: publicKey, account, private_key: pair.privateKey, made_at: Date.now() });
  return publicKey;
}

/** Create a key and register it; seats taken from now on use it. */
export async function register() {
  const account = api.me();
  if (!account || !(await canSign())) return null;
  const publicKey = await make(account.id);
  const proof = await sign(
    publicKey,
    `kontor.player-key.1\n${canonical({ player: account.id, public_key: publicKey })}`,
  );
  await api.put("/v1/me/key", { public_key: publicKey, proof: proof ?? "" });
  store.set("key", publicKey);
  return publicKey;
}

/** Stop signing in matches that are joined from now on. */
export async function unregister() {
  await api.remove("/v1/me/key");
  store.remove("key");
}

/** The key with which this browser takes seats, or null. @returns {string | null} */
export const current = () => store.get("key");

/**
 * @param {string} publicKey
 * @returns {Promise<string | null>} the private key as text for a file; null if it can't leave this browser
 */
export async function exported(publicKey) {
  const key = await find(publicKey);
  if (!key?.private_key.extractable) return null;
  const bytes = await crypto.subtle.exportKey("pkcs8", key.private_key);
  return JSON.stringify({
    format: "kontor.player-key-file.1",
    player: key.account,
    public_key: publicKey,
    private_key: toBase64(bytes),
  });
}

/** Read a key that `exported` wrote. @param {string} text @returns {Promise<string>} the public key */
export async function imported(text) {
  const { format, player, public_key: publicKey, private_key: privateKey } = JSON.parse(text);
  if (format !== "kontor.player-key-file.1" || fromBase64(publicKey, 32) === null) throw new Error("not a key file");
  const bytes = Uint8Array.from(atob(privateKey), (character) => character.charCodeAt(0));
  const key = await crypto.subtle.importKey("pkcs8", bytes, ALGORITHM, true, ["sign"]);
  await keep({ public_key: publicKey, account: player, private_key: key, made_at: Date.now() });
  return publicKey;
}

/** What the user entered or joined with must be signed with a key that is not in this browser. */
export class KeyElsewhere extends Error {}

/** The registered key of this browser; created on first use unless the user does not sign. */
export async function registered() {
  if (store.get("unsigned")) return null;
  const known = (await api.get("/v1/me")).public_key;
  const own = current();
  if (own && known === own && (await find(own))) return own;
  return register();
}
