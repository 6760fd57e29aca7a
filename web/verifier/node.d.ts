// The part of Node.js that verify.mjs uses.
declare module "node:fs" {
  export function readFileSync(file: string): Uint8Array<ArrayBuffer>;
  export function readFileSync(file: string, encoding: "utf-8"): string;
}
declare module "node:path" {
  export function join(...parts: string[]): string;
}
declare const process: { argv: string[]; exitCode: number };
