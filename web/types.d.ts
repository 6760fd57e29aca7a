// The types of the API that the page uses; openapi.yaml describes them in full.
import type { TemplateResult, nothing } from "./vendor/lit-html/lit-html.js";

export type Json = any;
export type Template = TemplateResult | typeof nothing | string;
export type Translate = (key: string, values?: Record<string, string | number>) => string;

export interface Account {
  id: string;
  name: string;
  token: string;
}
export interface SeatHolder {
  id: string;
  name: string | null;
  bot: boolean;
}
export interface Seat {
  seat: number;
  type: string;
  player: SeatHolder | null;
  invited: SeatHolder | null;
  absent: boolean;
  key: string | null;
}
export interface SeatClock {
  seat: number;
  remaining_ms: number;
  deadline: string | null;
}
export interface Clock {
  kind: string;
  ms: number;
  increment_ms: number;
  server_time?: string;
  received?: number;
  seats?: SeatClock[];
}
export interface Result {
  places: number[];
  scores: Record<string, number>[] | null;
  reason: string;
}
export interface Move {
  type: string;
  schema?: Json;
  [name: string]: Json;
}
export interface Receipt {
  match: string;
  version: number;
  head: string;
  at: number;
  key: string;
  signature: string;
}
export interface Chance {
  commitment: string;
  signed: { at: number; key: string; signature: string } | null;
  sealed: boolean;
  due: string | null;
  open_seed: string | null;
  in_block: boolean;
  server_secret: string | null;
}
export interface Position {
  id: string;
  status: string;
  version: number;
  at: string;
  you: number | null;
  to_act: number[];
  legal_moves: Move[];
  labels?: string[];
  view: Json;
  clock: Clock;
  result: Result | null;
  head: string;
}
export interface Match extends Position {
  game: string;
  seats: Seat[];
  private: boolean;
  meet_bots: boolean;
  practice: boolean;
  branch: boolean;
  signed: boolean;
  ruleset: { game: string; version: number; data: string; data_hash: string };
  options: Json;
  creator: string;
  on_timeout: string;
  autostart: boolean;
  chance: Chance;
  [name: string]: Json;
}
export interface CommandAnswer extends Match {
  first: number;
  facts: Json[];
  texts?: (string | null)[];
  receipt: Receipt;
}
export interface Event {
  version: number;
  at: string;
  by: string;
  fact: Json;
  text?: string | null;
  match?: string;
}
export interface GameSummary {
  id: string;
  title: string;
  titles: Record<string, string>;
  seats: number[];
  bots: string[];
}
export interface Game extends GameSummary {
  language: string;
  rules_text: string;
  rulesets: Json[];
  data_sets: { name: string; hash: string }[];
  options: Json;
  moves: Json;
  facts: Json;
  words: Record<string, Json>;
}
export interface Offered {
  index: number;
  move: Move;
  label: string;
}
export interface BoardContext {
  game: Game;
  data: Json;
  words: Record<string, Json>;
  language: string;
  t: Translate;
  match: Match;
  view: Json;
  previous: Json;
  /** The earlier view to compare with: pieces that are new since then are marked. */
  since?: Json;
  moves: Offered[];
  chosen: number | null;
  choose(index: number | null): void;
  propose(move: Move): void;
  you: number | null;
  names: string[];
  interactive: boolean;
  reducedMotion: boolean;
}
/** How many of one kind of thing, such as coins, a seat has. */
export interface Holding {
  name: string;
  count: number;
}
/** A figure that says how far a seat is. */
export interface Standing {
  name: string;
  value: string | number;
}
export interface BoardWords {
  t: Translate;
  word(id: string): string;
}
/** In a drawing, `data-stage` marks parts that the confirmation must not cover while something in them is chosen; with the value `always`, it must never cover them. */
export interface Drawing {
  draw(context: BoardContext): Template;
  holdings(view: Json, seat: number, words: BoardWords): Holding[];
  t: Translate;
  /** What everyone may know of how far a seat is. */
  standing(view: Json, seat: number, words: BoardWords): Standing[];
  /** One sentence that says what the user can do now. */
  prompt(context: BoardContext): string;
  /** Whether the game has its own board. */
  own: boolean;
}
/** The answer to a dry run: the effects of a move, as far as its player can know them. */
export interface DryRun {
  version: number;
  facts: Json[];
  texts?: (string | null)[];
  label?: string;
  view: Json;
  complete: boolean;
}
export interface Page {
  title(): string;
  view(): Template;
  close?(): void;
  /** Called when the same address is opened with another query. */
  revisit?(query: URLSearchParams): boolean;
}
export interface App {
  update(): void;
  announce(sentence: string): void;
  go(address: string): void;
}
export interface Seek {
  id: string;
  player: SeatHolder;
  game: string;
  seats: number;
  opponents: string;
  rated: boolean;
  clock: Clock;
  options: Json;
  on_timeout: string;
  status: string;
  match: string | null;
  created_at: string;
  expires_at: string;
}
export interface ListedPlayer extends SeatHolder {
  online: boolean;
}
export interface LadderStanding {
  rank: number;
  mean: number;
  deviation: number;
  conservative: number;
  matches: number;
  at: string;
}
export interface LadderEntry extends LadderStanding {
  player: SeatHolder;
}
export interface RatingPoint {
  match: string;
  at: string;
  place: number;
  mean: number;
  deviation: number;
}
export interface PlayerRating extends LadderStanding {
  game: string;
  kind: string;
  history: RatingPoint[];
}
export interface PlayerProfile extends ListedPlayer {
  ratings: PlayerRating[];
}
/** What the service showed before the user took a seat, and what the user sent; `keys` are those with which the seat was taken, `checked` is the last checked head. */
export interface Evidence {
  match: string;
  player: string;
  commitment: string;
  signed: Chance["signed"];
  announced: Json;
  contribution: string;
  sent: string;
  keys: (string | null)[];
  opened: boolean;
  checked?: string;
}
/** A receipt with the command for which the service gave it. */
export interface KeptReceipt {
  receipt: Receipt;
  command: Json | null;
  player: string | null;
}
/** What this browser stored when its user entered a tournament. */
export interface Entry {
  tournament: string;
  player: string;
  commitment: string;
  signed: Chance["signed"];
  rotated: boolean;
  root: string;
  sealed: string;
  key: string | null;
  opened: { sealed: string; digest: string; value: string }[];
  entered: boolean;
  started?: boolean;
  matches?: string[];
}

export interface TournamentSummary {
  id: string;
  title: string;
  game: string;
  format: string;
  status: string;
  version: number;
  at: string;
  organiser: SeatHolder;
  entrants: number;
  round: number;
  rounds: number;
}
export interface Tournament extends TournamentSummary {
  terms: Json;
  chance: {
    commitment: string;
    signed: Chance["signed"];
    server_secret: string | null;
    sealed: boolean;
    due: string | null;
    digest: string | null;
  };
  head: string;
  you: number | null;
  unfinished: number;
  ends_at: string | null;
  correction_until: string | null;
  edition: number;
  protests: { entrant: number; why: string }[];
  acknowledged: number;
}
export interface StandingLine {
  place: number;
  entrant: number;
  player: SeatHolder;
  active: boolean;
  points: number;
  tie_breaks: Record<string, number>;
  played: number;
  wins: number;
  byes: number;
  low: number | null;
  high: number | null;
  strength: number | null;
  strength_low: number | null;
  strength_high: number | null;
  best_rank: number | null;
  worst_rank: number | null;
  separated: boolean;
}
export interface Standings {
  tournament: string;
  status: string;
  version: number;
  edition: number;
  digest: string;
  lines: StandingLine[];
}
export interface TableMatch {
  number: number;
  match: string | null;
  entrants: number[];
  places: number[] | null;
  scores: number[] | null;
  reason: string | null;
  absent: number[];
}
export interface RoundTable {
  table: number;
  entrants: number[];
  players: SeatHolder[];
  points_before: number[];
  repeated_meetings: number;
  seat_repeats: number;
  matches: TableMatch[];
}
export interface Round {
  tournament: string;
  round: number;
  uploaded: boolean;
  byes: number[];
  tables: RoundTable[];
}
