// Types of the page. Those of the API, of views, moves and facts are generated from the contract
// (tests/web/contract_types.py, run by `make check`); this file gives them the names that the page uses.
import type { components, paths } from "../build/web-types/contract";
import type { BoardElement } from "./boards/element.js";
import type { Derived, Geography } from "./games/europe/geography.js";
import type { Draft } from "./games/europe/trade.js";
import type { Cube } from "./games/speicherstadt/loading.js";
import type { TemplateResult, nothing } from "./vendor/lit-html/lit-html.js";
import type { Settings } from "./lib/settings.js";
import type { AnyReceipt, Command, Fact, Kind, ServiceKey, Terms, TournamentFact } from "./verifier/types";

type Schemas = components["schemas"];
export type Method = "get" | "post" | "put" | "patch" | "delete";
/** A path of the contract as a pattern: `/v1/games/{id}` is `/v1/games/${string}`. */
type Pattern<P extends string> = P extends `${infer Before}{${string}}${infer After}`
  ? `${Before}${string}${Pattern<After>}`
  : P;
/** The path of the contract to which an address belongs; `never` if there is none. */
type PathOf<A extends string> = {
  [P in keyof paths]: A extends Pattern<P> ? (Pattern<P> extends A ? P : never) : never;
}[keyof paths];
type JsonIn<R> = R extends { content: { "application/json": infer Body } } ? Body : null;
/** What the service answers to a request, by its method and address. */
export type Answer<M extends Method, A extends string> = paths[PathOf<A>][M] extends { responses: infer R }
  ? JsonIn<R[keyof R & (200 | 201 | 202)]>
  : never;
/** The body that a request takes. */
export type Body<M extends Method, A extends string> = paths[PathOf<A>][M] extends {
  requestBody?: { content: { "application/json": infer Sent } };
}
  ? Sent
  : undefined;

export type { Command, Fact, Terms } from "./verifier/types";
export type Template = TemplateResult | typeof nothing | string;
export type Translate = (key: string, values?: Record<string, string | number>) => string;
/** Names of things in the language of the page, by their ids. */
export type Words = Record<string, string>;
/** A JSON Schema, as far as forms use it. */
export interface Schema {
  type?: string;
  default?: unknown;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  description?: string;
}

export interface Account {
  id: string;
  name: string;
  token: string;
}
export type SeatHolder = Schemas["SeatHolder"];
export type Seat = Schemas["Seat"];
export type ClockTerms = Schemas["ClockKind"];
/** A clock, and when the answer with it came: it runs from then on. */
export type Clock = Schemas["Clock"] & { received?: number };
export type Chance = Schemas["Chance"];
export type View = Record<string, unknown>;
/** With `schema`, a kind of move that has too many variants to be listed. */
export interface Move {
  type: string;
  schema?: Schema;
  [field: string]: unknown;
}
export type Match = Omit<Schemas["Match"], "clock" | "legal_moves"> & { clock: Clock; legal_moves: Move[] };
export type MatchSummary = Schemas["MatchSummary"];
export type CommandAnswer = Schemas["CommandAnswer"];
export type DryRun = Schemas["DryRun"];
export interface Event {
  version: number;
  at: string;
  by: string;
  fact: Fact;
  text?: string | null;
}
export type Analysis = Schemas["Analysis"];
export type SentPosition = Schemas["ReplayPosition"];
/** A position of a replay with its view. */
export type Position = Omit<SentPosition, "patch" | "view"> & { view: View | null };
export type GameSummary = Schemas["GameSummary"];
export type Game = Omit<Schemas["GameDetails"], "options" | "words"> & { options: Schema; words: Words };
export type DataSet = Schemas["DataSet"];
export interface Offered<M = Move> {
  index: number;
  move: M;
  label: string;
}
/** What the page gives to a board: `V` is the view of the game, `M` its moves, `D` its derived data. */
export interface BoardContext<V = View, M extends BoardMove = Move, D = Record<string, unknown>> {
  game: Game;
  /** The data that the service derives from the data set; null if it can't be loaded. */
  data: { derived: D } | null;
  words: Words;
  language: string;
  t: Translate;
  match: Pick<Match, "to_act" | "status">;
  view: V;
  previous: V | null;
  /** The earlier view to compare with: pieces that are new since then are marked. */
  since?: V | null;
  moves: Offered<M>[];
  chosen: number | null;
  choose(index: number | null): void;
  propose(move: Move): void;
  /** What the user lacks for moves that are not possible; null until it was asked for and answered. */
  obstacles?: Obstacle[] | null;
  askObstacles?(): void;
  you: number | null;
  names: string[];
  interactive: boolean;
  reducedMotion: boolean;
  /** What is shown of the moves of others right now. */
  step?: Step | null;
}
/** What a player's aid is drawn from: the figures that the service derives from the rules and the data set. */
export interface AidContext<D> {
  data: { derived: D };
  seats: number;
  words: Words;
  language: string;
  t: Translate;
}
/** The module of a game with its aid, and pictures of its words by their keys. */
export interface AidModule {
  aid(context: AidContext<unknown>): unknown;
  pictures: Record<string, () => unknown>;
  /** The class under which the style sheets of the game draw them. */
  style: string;
}
/** A move, as far as what all boards share knows it. */
export interface BoardMove {
  type: string;
  schema?: Schema;
}
export type AnyContext = BoardContext<object, BoardMove, unknown>;
/** What every board has, for the controls that they share. */
export interface AnyBoard {
  context: AnyContext;
  local: { asking?: number[] | null };
  update(changes: { asking: null }): void;
  pick(moves: { index: number }[]): void;
}

export type EuropeView = Schemas["europe_view"];
export type EuropePlayer = EuropeView["players"][number];
/** The fields of all moves; which of them one has follows from its type. */
export type EuropeMove = Required<Kind<Schemas["europe_move"]>> & BoardMove;
export type EuropeContext = BoardContext<EuropeView, EuropeMove, Derived>;
/** A choice in progress: a tool, a piece, an open dialog; and how the map is shown. */
export interface EuropeChoice {
  asking?: number[] | null;
  tool?: string | null;
  piece?: number | null;
  supply?: boolean;
  /** The kinds of move of a control that can't be used, whose obstacles are shown. */
  lacking?: string[] | null;
  trade?: Draft | null;
  discard?: Record<string, number>;
  lens?: { zoom: number; x: number; y: number };
  kept?: { geography: Geography; language: string; land: SVGElement; labels: SVGElement };
}
export type EuropeBoard = BoardElement<EuropeContext, EuropeChoice>;

export type EuropeFact = Schemas["europe_fact"];
export type SpeicherstadtFact = Schemas["speicherstadt_fact"];
export type SpeicherstadtView = Schemas["speicherstadt_view"];
export type SpeicherstadtMove = Kind<Schemas["speicherstadt_move"]> & BoardMove;
/** What is printed on a card; the parts depend on its kind. */
export interface Card {
  kind: string;
  season: string;
  cubes?: string[];
  goods?: string[];
  points?: number;
  value?: number | "";
  buys?: string;
}
export type SpeicherstadtContext = BoardContext<
  SpeicherstadtView,
  SpeicherstadtMove,
  { seasons: Season[]; cards: Record<string, Card> }
>;
export type Season = keyof SpeicherstadtView["pile"];
/** A choice in progress: the selected cubes; and whether the screen is wide. */
export interface SpeicherstadtChoice {
  asking?: number[] | null;
  held?: Cube[];
  wide?: boolean;
}
export type SpeicherstadtBoard = BoardElement<SpeicherstadtContext, SpeicherstadtChoice>;

/** What a fact changes of the possessions of a seat; `of` is the key of a word. */
export interface SeatChange {
  seat: number;
  of: string;
  by: number;
}
/** How a kind of fact is shown. */
export interface StepRule<F = Fact> {
  /** How long it is shown, compared with an ordinary step; 0 if only its effect on the view is. */
  weight: number;
  /** The parts of the view that it changes. */
  parts: string[];
  /** Whether it is shown large over the board. */
  big?: boolean;
  /** Whether it is chance: then it is shown to whoever caused it, too. */
  chance?: boolean;
  /** Where on the board it happens, as selectors. */
  at?(fact: F): string[];
  changes?(fact: F): SeatChange[];
}
/** A rule for every fact of a game. */
export type StepRules<F extends { type: string }> = { [T in F["type"]]: StepRule<Extract<F, { type: T }>> };
/** One thing that happened, as it is shown. */
export interface Step {
  version: number;
  position: Position;
  fact: Fact;
  text: string;
  view: View | null;
  changes: SeatChange[];
  weight: number;
  /** Whether it takes something from the reader. */
  loss: boolean;
  at: string[];
  big: boolean;
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
/**
 * In a drawing, `data-stage` marks parts that the confirmation must not cover while something in them is chosen; with
 * the value `always`, it must never cover them.
 */
export interface Drawing {
  draw(context: BoardContext): Template;
  holdings(view: View, seat: number, words: BoardWords): Holding[];
  t: Translate;
  /** What everyone may know of how far a seat is. */
  standing(view: View, seat: number, words: BoardWords): Standing[];
  /** One sentence that says what the user can do now. */
  prompt(context: BoardContext): string;
  /** The types of moves that can be laid out one after the other, and sent together. */
  sequence: string[];
  /** How each kind of fact is shown. */
  steps: Record<string, StepRule>;
  /** A picture of what a fact is about. */
  picture(fact: Fact, context: BoardContext): Template;
  /** Whether the game has its own board. */
  own: boolean;
}
export interface Page {
  title(): string;
  view(): unknown;
  close?(): void;
  /** Called when the same address is opened with another query. */
  revisit?(query: URLSearchParams): boolean;
}
export interface App {
  update(): void;
  /** Draw the page, and wait until it is drawn. */
  drawn(): Promise<void>;
  announce(sentence: string): void;
  go(address: string): void;
}
export type Seek = Schemas["Seek"];
export type Obstacle = Schemas["Obstacle"];
export type ListedPlayer = Schemas["ListedPlayer"];
export type Me = Schemas["Me"];
export type LadderEntry = Schemas["LadderEntry"];
export type RatingPoint = Schemas["RatingPoint"];
export type PlayerRating = Schemas["PlayerRating"];
export type PlayerProfile = Schemas["PlayerProfile"];
/**
 * What the service showed before the user took a seat, and what the user sent; `keys` are those with which the seat was
 * taken, `checked` is the last checked head.
 */
export interface Evidence {
  match: string;
  player: string;
  commitment: string;
  signed: Chance["signed"];
  announced: Record<string, unknown>;
  contribution: string;
  sent: string;
  keys: (string | null)[];
  opened: boolean;
  checked?: string;
}
/** A receipt with the command for which the service gave it. */
export interface KeptReceipt {
  receipt: AnyReceipt;
  command: Command | null;
  player: string | null;
}
/** The values that the page stores in the browser, by their names. */
export interface Stored {
  account: Account;
  /** The public key with which seats are taken. */
  key: string;
  /** Whether the user does not want to sign. */
  unsigned: true;
  settings: Settings;
  /** The open seek of this browser, and what was sought. */
  seek: string;
  sought: { seek: string; terms: Body<"post", "/v1/seeks"> };
  "service-keys": ServiceKey[];
  /** Whom the user has seen invited to open matches, by match and seat. */
  invited: Record<string, Record<string, string>>;
  /** The id of this browser among the user's devices. */
  device: string;
  /** The steps of the guide that were read, by match. */
  [guide: `guide.${string}`]: string[];
  [linkKey: `link-key.${string}`]: string;
  [evidence: `evidence.${string}`]: Evidence;
  /** Evidence as it was stored before it was kept for each account. */
  [earlier: `match.${string}`]: Evidence & { key: string | null };
  [entry: `entry.${string}`]: Entry;
  [receipt: `receipt.${string}` | `tournament-receipt.${string}`]: KeptReceipt;
  [refused: `refused.${string}`]: string;
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
  checked?: string;
  contradicted?: boolean;
  matches?: string[];
}

export type TournamentSummary = Schemas["TournamentSummary"];
export type Tournament = Omit<Schemas["Tournament"], "terms"> & { terms: Terms };
export interface TournamentEvent {
  version: number;
  at: string;
  by: string;
  fact: TournamentFact;
}
export type StandingLine = Schemas["StandingLine"];
export type Standings = Schemas["Standings"];
export type TableMatch = Schemas["TableMatch"];
export type RoundTable = Schemas["RoundTable"];
export type Round = Schemas["Round"];

/** What the service pushes to a browser. */
export interface PushMessage {
  match: string;
  text: string;
}
interface WorkerEvents {
  install: unknown;
  activate: { waitUntil(work: Promise<unknown>): void };
  fetch: { request: Request; respondWith(answer: Promise<Response>): void };
  push: { data: { json(): PushMessage }; waitUntil(work: Promise<unknown>): void };
  notificationclick: { notification: Notification; waitUntil(work: Promise<unknown>): void };
}
interface OpenPage {
  visibilityState: string;
  navigate(address: string): Promise<unknown>;
  focus(): Promise<unknown>;
}
/** The global object of the service worker; the types of pages and of workers exclude each other. */
export interface PushWorker {
  clients: {
    matchAll(which: { type: "window" }): Promise<OpenPage[]>;
    openWindow(address: string): Promise<unknown>;
    claim(): Promise<void>;
  };
  registration: ServiceWorkerRegistration;
  skipWaiting(): Promise<void>;
  addEventListener<N extends keyof WorkerEvents>(type: N, act: (event: WorkerEvents[N]) => unknown): void;
}
/** A window whose policy may let only some functions name scripts. */
export interface TrustedTypesHost {
  trustedTypes?: {
    createPolicy(
      name: string,
      rules: { createScriptURL(text: string): string },
    ): { createScriptURL(text: string): string };
  };
}
