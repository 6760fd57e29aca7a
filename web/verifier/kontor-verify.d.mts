export { Broken } from "./formats.mjs";
export interface ServiceKey { id: string; algorithm: string; public_key: string; valid_from: number }
export interface Verdict {
  match: string; game: string; complete: boolean; status: string; places: number[] | null; facts: number; commands: number; draws: number; bound: boolean;
  loose: string[]; open_seed: boolean; branch: boolean; in_block: boolean; outages: number; returned_ms: number; keys: string[]; trusted: boolean; receipts: number; contributions: (string | null)[];
  players: (string | null)[]; house_bots: (string | null)[]; player_keys: (string | null)[]; signed_commands: number; unseen_commands: number;
}
export function parse(text: string): any;
export function readKeys(keys: ServiceKey[]): ServiceKey[];
export function verifyExport(content: Uint8Array, given?: { keys?: ServiceKey[] | null; receipts?: any[] }): Promise<Verdict>;
