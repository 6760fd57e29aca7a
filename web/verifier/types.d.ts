// The lines of exports (docs/export.md, docs/tournaments.md). Facts and commands are generated from what is published
// (tests/web/contract_types.py).
import type { components } from "../../build/web-types/contract";

type Schemas = components["schemas"];
/** All fields of several kinds of records; some of the kinds may lack them. */
export type Fields<R> = { [F in R extends R ? keyof R : never]?: R extends { [G in F]?: infer V } ? V : never };
export type Kind<R> = Omit<Fields<R>, "type"> & { type: string };

export type MatchFact<T extends string = Schemas["match_fact"]["type"]> = Extract<Schemas["match_fact"], { type: T }>;
/** A fact of a match: of its rules, with any fields, or one that all games share. */
export interface Fact extends Kind<Schemas["match_fact"]> {
  [field: string]: unknown;
}
/** A command on a match. */
export interface Command extends Kind<Schemas["match_command"]> {
  /** Whether a match of a tournament is called off after its deal is known. */
  reveal?: boolean;
}
export interface Draw {
  stream: string;
  index: number;
  values: [number, number][];
}
export interface Line {
  version: number;
  at: number;
  by: string;
  before: string;
  hash: string;
  match: string;
  fact: Fact;
  sealed: Record<string, string>;
  seat?: number | null;
  command?: Command;
  sealed_command?: string;
  draws?: Draw[];
  salts?: Record<string, string>;
  key?: string;
  signature?: string;
}
export interface ServiceKey {
  id: string;
  algorithm: string;
  public_key: string;
  valid_from: number;
}
export type Receipt = Schemas["Receipt"];
/** A receipt for a command on a match or a tournament. */
export type AnyReceipt = Omit<Receipt, "match"> & { match?: string; tournament?: string };
export type Result = Schemas["Result"];
export interface Header {
  format: string;
  match: string;
  ruleset: Schemas["Ruleset"];
  complete: boolean;
  viewer: number | null;
  exported_at: number;
  keys: ServiceKey[];
}
export interface Footer {
  at: number;
  end: string;
  file: string;
  head: string;
  key: string;
  result: Result | null;
  signature: string;
  version: number;
}

export type TournamentFactOf<T extends string> = Extract<Schemas["tournament_fact"], { type: T }>;
export type TournamentFact = Kind<Schemas["tournament_fact"]>;
export type TournamentCommand = Kind<Schemas["tournament_command"]>;
export type Terms = TournamentFactOf<"tournament_announced">["terms"] & { secret_blocks?: boolean };
export interface TournamentLine extends Omit<Line, "match" | "fact" | "command"> {
  tournament: string;
  fact: TournamentFact;
  command?: TournamentCommand;
}

/** A signature that is still to be checked: key, signature, what was signed, and the error if it is not right. */
export type OpenSignature = [key: string, signature: string, text: string, error: string];
