import type { ServiceKey } from "./kontor-verify.mjs";
export interface TournamentVerdict {
  tournament: string; title: string; game: string; status: string; edition: number; facts: number; rounds: number; matches: number; entrants: number;
  trusted: boolean; contributions: number; keys: string[]; sealed: boolean; withheld: number[]; signed_entries: number; receipts: number; uploaded: number[];
}
export function isTournament(content: Uint8Array): boolean;
export function verifyTournament(content: Uint8Array, given?: { keys?: ServiceKey[] | null; receipts?: any[] }): Promise<TournamentVerdict>;
