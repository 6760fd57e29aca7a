// Bytes, SHA-256, HMAC and Ed25519 for browsers and Node. SHA-256 is computed here: thousands of calls of
// crypto.subtle for small records take longer. Signatures are checked by crypto.subtle.
import { SMALL_ORDER } from "./small_order.mjs";
/** @typedef {Uint8Array<ArrayBuffer>} Bytes */
const encoder = new TextEncoder();
/** @param {string | Uint8Array} part */
export const bytesOf = (part) => /** @type {Bytes} */ (typeof part === "string" ? encoder.encode(part) : part);
/** @param {Uint8Array} bytes */
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
/** @param {string} text */
export const fromHex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
/** @param {unknown} text @param {number} digits */
export const isHex = (text, digits) => typeof text === "string" && text.length === digits && /^[0-9a-f]*$/.test(text);

/** @param {...(string | Uint8Array)} parts */
export function concat(...parts) {
  const all = parts.map(bytesOf);
  const joined = new Uint8Array(all.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of all) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/**
 * Decode Base64; null if the text is not the canonical encoding of its bytes.
 * @param {string} text
 * @param {number} length
 */
export function fromBase64(text, length) {
  try {
    const raw = atob(text);
    return btoa(raw) === text && raw.length === length
      ? Uint8Array.from(raw, (character) => character.charCodeAt(0))
      : null;
  } catch {
    return null;
  }
}

// --- SHA-2 (FIPS 180-4): the constants are the first bits of the roots of the first primes
/** @type {number[]} */
const PRIMES = [];
for (let n = 2; PRIMES.length < 64; n++) if (PRIMES.every((prime) => n % prime)) PRIMES.push(n);
/** @param {number} prime @param {bigint} power */
function fraction(prime, power) {
  // 32 bits of the square or cube root of a prime, after the binary point
  const target = BigInt(prime) << (32n * power);
  let low = 0n;
  let high = 1n << 40n;
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** power <= target) low = middle;
    else high = middle;
  }
  return Number(low & 0xffffffffn) | 0;
}
const K = Int32Array.from(PRIMES, (prime) => fraction(prime, 3n));
const H = Int32Array.from(PRIMES.slice(0, 8), (prime) => fraction(prime, 2n));
const W = new Int32Array(64);

/** @param {Uint8Array} message */
function padded(message) {
  const size = Math.ceil((message.length + 9) / 64) * 64;
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  bytes.set(message);
  bytes[message.length] = 0x80;
  view.setBigUint64(size - 8, BigInt(message.length) * 8n);
  return view;
}

/** @param {...(string | Uint8Array)} parts */
export function sha256(...parts) {
  const view = padded(parts.length === 1 ? bytesOf(parts[0]) : concat(...parts));
  const sum = Int32Array.from(H);
  for (let at = 0; at < view.byteLength; at += 64) {
    for (let i = 0; i < 16; i++) W[i] = view.getInt32(at + i * 4);
    for (let i = 16; i < 64; i++) {
      const x = W[i - 15];
      const y = W[i - 2];
      const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
      W[i] = (W[i - 16] + s0 + W[i - 7] + (((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10))) | 0;
    }
    let [a, b, c, d, e, f, g, h] = sum;
    for (let i = 0; i < 64; i++) {
      const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + K[i] + W[i]) | 0;
      const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + t1) | 0;
      d = c;
      c = b;
      b = a;
      a = (t1 + t2) | 0;
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => {
      sum[i] += word;
    });
  }
  const digest = new DataView(new ArrayBuffer(32));
  sum.forEach((word, i) => digest.setInt32(i * 4, word));
  return new Uint8Array(digest.buffer);
}

/** @param {Uint8Array} key @param {string | Uint8Array} message */
export function hmac(key, message) {
  // for keys of at most 64 bytes (RFC 2104)
  const pad = (/** @type {number} */ byte) => Uint8Array.from({ length: 64 }, (_, i) => (key[i] ?? 0) ^ byte);
  return sha256(pad(0x5c), sha256(pad(0x36), message));
}

// --- Ed25519 (RFC 8032)
const P = 2n ** 255n - 19n;
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
/** @param {Uint8Array} bytes */
const little = (bytes) => BigInt(`0x${hex(bytes.toReversed())}`);

/**
 * Whether these are the only encoding of a point: not every implementation of crypto.subtle refuses others.
 * @param {Uint8Array} bytes
 */
function isOnlyEncoding(bytes) {
  const y = little(bytes.with(31, bytes[31] & 0x7f));
  return y < P && (bytes[31] < 0x80 || (y !== 1n && y !== P - 1n));
}
/** @param {Uint8Array} key */
const isSmall = (key) => SMALL_ORDER.includes(hex(key.with(31, key[31] & 0x7f)));

// crypto.subtle does not know Ed25519 (or is missing, as on pages without HTTPS), so signatures can't be checked here.
export class NoEd25519 extends Error {
  constructor() {
    super("signatures can't be checked here: WebCrypto with Ed25519 is missing");
  }
}

/** @type {Map<string, Promise<CryptoKey>>} */
const imported = new Map();
/** @param {Bytes} key */
const importKey = async (key) => globalThis.crypto.subtle.importKey("raw", key, { name: "Ed25519" }, false, ["verify"]);
/** @type {Promise<boolean> | null} */
let supported = null;
// Whether signatures can be checked here.
export const knowsEd25519 = () =>
  (supported ??= importKey(fromHex(`58${"66".repeat(31)}`)).then(
    () => true,
    () => false,
  ));

/** @param {string} publicKey @param {string} signature @param {string | Uint8Array} message */
export async function isSigned(publicKey, signature, message) {
  const key = fromBase64(publicKey, 32);
  const signed = fromBase64(signature, 64);
  if (key === null || signed === null || isSmall(key) || !isOnlyEncoding(key)) return false;
  if (!isOnlyEncoding(signed.subarray(0, 32)) || little(signed.subarray(32)) >= ORDER) return false;
  if (!(await knowsEd25519())) throw new NoEd25519();
  const known = imported.get(publicKey) ?? importKey(key);
  imported.set(publicKey, known);
  return known
    .then((one) => globalThis.crypto.subtle.verify("Ed25519", one, signed, bytesOf(message)))
    .catch(() => false);
}
