// A service that signs commitments and receipts with a key of its own.
import { hex, sha256 } from "../../../web/verifier/crypto.mjs";
import { canonical, idOfKey } from "../../../web/verifier/formats.mjs";

const ALGORITHM = { name: "Ed25519" };
const base64 = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes)));

export class Signer {
  static async make(validFrom = 0) {
    const pair = await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
    const raw = new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey));
    return new Signer(pair.privateKey, raw, validFrom);
  }

  constructor(privateKey, raw, validFrom) {
    this.privateKey = privateKey;
    this.published = { id: idOfKey(raw), algorithm: "Ed25519", public_key: base64(raw), valid_from: validFrom };
  }

  async sign(text) {
    return base64(await crypto.subtle.sign(ALGORITHM, this.privateKey, new TextEncoder().encode(text)));
  }

  /** A receipt for a command on a match. */
  async receipt(match, version, head, at = 1000 + version) {
    const signature = await this.sign(`kontor.receipt.1\n${canonical({ at, head, match, version })}`);
    return { match, version, head, at, key: this.published.id, signature };
  }

  /** The commitment of a match to a secret. */
  async commitment(match, secret = "secret", at = 500) {
    const commitment = hex(sha256(secret));
    const signature = await this.sign(`kontor.commitment.1\n${canonical({ at, commitment, match })}`);
    return { commitment, signed: { at, key: this.published.id, signature } };
  }
}

/** A hash that differs for each name. */
export const hashFor = (name) => hex(sha256(name));
