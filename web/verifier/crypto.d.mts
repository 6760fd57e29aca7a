export const hex: (bytes: Uint8Array) => string;
export function fromBase64(text: string, length: number): Uint8Array | null;
export function sha256(...parts: (string | Uint8Array)[]): Uint8Array;
export function isSigned(publicKey: string, signature: string, message: string | Uint8Array): Promise<boolean>;
export function concat(...parts: (string | Uint8Array)[]): Uint8Array;
export function bytesOf(part: string | Uint8Array): Uint8Array;
export function knowsEd25519(): Promise<boolean>;
