// SHA-512 and Ed25519 for browsers whose crypto.subtle does not support them. Not in constant time: it only checks
// public signatures.
import { concat, fromHex, H512, hex, K512, padded } from "./crypto.mjs";

const MASK = (1n << 64n) - 1n;
export function sha512(message) {
  const view = padded(message, 128);
  const sum = [...H512];
  const w = [];
  const turn = (x, n) => ((x >> n) | (x << (64n - n))) & MASK;
  for (let at = 0; at < view.byteLength; at += 128) {
    for (let i = 0; i < 16; i++) w[i] = view.getBigUint64(at + i * 8);
    for (let i = 16; i < 80; i++) {
      const x = w[i - 15];
      const y = w[i - 2];
      w[i] =
        (w[i - 16] + (turn(x, 1n) ^ turn(x, 8n) ^ (x >> 7n)) + w[i - 7] + (turn(y, 19n) ^ turn(y, 61n) ^ (y >> 6n))) &
        MASK;
    }
    let [a, b, c, d, e, f, g, h] = sum;
    for (let i = 0; i < 80; i++) {
      const t1 = h + (turn(e, 14n) ^ turn(e, 18n) ^ turn(e, 41n)) + ((e & f) ^ (~e & MASK & g)) + K512[i] + w[i];
      const t2 = (turn(a, 28n) ^ turn(a, 34n) ^ turn(a, 39n)) + ((a & b) ^ (a & c) ^ (b & c));
      h = g;
      g = f;
      f = e;
      e = (d + t1) & MASK;
      d = c;
      c = b;
      b = a;
      a = (t1 + t2) & MASK;
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => {
      sum[i] = (sum[i] + word) & MASK;
    });
  }
  const digest = new DataView(new ArrayBuffer(64));
  sum.forEach((word, i) => digest.setBigUint64(i * 8, word));
  return new Uint8Array(digest.buffer);
}

// --- Ed25519 (RFC 8032, 5.1.7)
// ----------------------------------------------------------------------------------------------------
const P = 2n ** 255n - 19n;
const L = 2n ** 252n + 27742317777372353535851937790883648493n;
const mod = (a) => {
  const rest = a % P;
  return rest < 0n ? rest + P : rest;
};
function power(base, exponent) {
  let result = 1n;
  for (let b = mod(base), e = exponent; e > 0n; e >>= 1n, b = mod(b * b)) if (e & 1n) result = mod(result * b);
  return result;
}
const D = mod(-121665n * power(121666n, P - 2n));
const ROOT = power(2n, (P - 1n) / 4n);
const little = (bytes) => BigInt(`0x${hex(Uint8Array.from(bytes).reverse())}`);

function point(bytes) {
  // X, Y, Z, T of an encoded point, or null
  const number = little(bytes);
  const y = number & ((1n << 255n) - 1n);
  const sign = number >> 255n;
  const square = mod((y * y - 1n) * power(D * y * y + 1n, P - 2n));
  let x = power(square, (P + 3n) / 8n);
  if (mod(x * x) !== square) x = mod(x * ROOT);
  if (y >= P || mod(x * x) !== square || (x === 0n && sign === 1n)) return null;
  if ((x & 1n) !== sign) x = P - x;
  return [x, y, 1n, mod(x * y)];
}
function add([x1, y1, z1, t1], [x2, y2, z2, t2]) {
  const a = mod((y1 - x1) * (y2 - x2));
  const b = mod((y1 + x1) * (y2 + x2));
  const c = mod(2n * D * mod(t1 * t2));
  const d = mod(2n * z1 * z2);
  const e = b - a;
  const f = d - c;
  const g = d + c;
  const h = b + a;
  return [mod(e * f), mod(g * h), mod(f * g), mod(e * h)];
}
function encoded([x, y, z]) {
  const inverse = power(z, P - 2n);
  const number = mod(y * inverse) | ((mod(x * inverse) & 1n) << 255n);
  return fromHex(number.toString(16).padStart(64, "0")).reverse();
}
const BASE = point(fromHex(`58${"66".repeat(31)}`));

export function isSigned(key, signature, message) {
  const a = point(key);
  const r = signature.subarray(0, 32);
  const s = little(signature.subarray(32));
  if (a === null || s >= L) return false;
  const k = little(sha512(concat(r, key, message))) % L;
  const minus = [P - a[0], a[1], 1n, mod(-a[3])];
  const both = add(BASE, minus);
  let sum = [0n, 1n, 1n, 0n];
  for (let bit = 252n; bit >= 0n; bit--) {
    sum = add(sum, sum);
    const [inS, inK] = [(s >> bit) & 1n, (k >> bit) & 1n];
    if (inS || inK) sum = add(sum, inS ? (inK ? both : BASE) : minus);
  }
  return hex(encoded(sum)) === hex(r);
}
