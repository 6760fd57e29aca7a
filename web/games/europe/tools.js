// The legal moves, sorted by where they are made.
//
// A *tool* is a kind of move that is made on the map: with a tool selected, only its places can be chosen. All other
// moves
// are buttons, cards or dialogs.
import { choices, movesOf } from "../../boards/context.js";
import { geographyOf } from "./geography.js";

/** @typedef {import("../../types").EuropeContext} Context */
/** @typedef {import("../../types").Offered<import("../../types").EuropeMove>} Choice */
/** @typedef {import("../../types").EuropeMove} Move */
/** @typedef {{ kind: "hex" | "path" | "city" | "crossroads", id: string }} Place */
/** @typedef {{ name: string, type: string, at: (move: Move) => [Place["kind"], string], costs?: string[] }} Tool */

/**
 * Those with costs are what a turn is for: they are shown even if they are not possible. The prices of purchases are
 * in the data of the match.
 * @type {Tool[]}
 */
export const TOOLS = [
  { name: "start_post", type: "place_start_post", at: ({ city }) => ["city", city] },
  { name: "neutral_post", type: "place_neutral_post", at: ({ city }) => ["city", city] },
  { name: "start_route", type: "place_start_route", at: ({ path }) => ["path", String(path)] },
  { name: "robber", type: "move_robber", at: ({ hex }) => ["hex", hex] },
  { name: "token", type: "place_token", at: ({ hex }) => ["hex", hex] },
  { name: "shift", type: "shift_token", at: ({ source }) => ["hex", source] },
  { name: "chain", type: "choose_chain", at: ({ chain }) => ["path", chain[Math.floor(chain.length / 2)]] },
  { name: "deliver", type: "deliver", at: ({ city }) => ["city", city], costs: [] },
  { name: "treaty", type: "play_treaty_for_merchant", at: ({ to }) => ["crossroads", String(to)] },
  { name: "route", type: "build_route", at: ({ path }) => ["path", String(path)], costs: [] },
  { name: "hire", type: "hire_merchant", at: ({ city }) => ["city", city], costs: [] },
  { name: "form", type: "form_caravan", at: ({ path }) => ["path", String(path)], costs: [] },
  { name: "merchant", type: "move_merchant", at: ({ to }) => ["crossroads", String(to)], costs: ["grain"] },
  { name: "caravan", type: "move_caravan", at: ({ path }) => ["path", String(path.at(-1))], costs: ["salt"] },
];

/** @param {Context} context @returns {Tool[]} the tools that can be used now */
export const usableTools = (context) => TOOLS.filter(({ type }) => movesOf(context, type).length);

/** @param {Move} move the tool that makes it on the map, if any */
export const toolOf = (move) => TOOLS.find(({ type }) => type === move.type);

/**
 * The selected tool: the one that was clicked, or the only one, or the one for a choice that must be made.
 * @param {import("../../types").EuropeBoard} board
 * @returns {Tool | null}
 */
export function toolInHand(board) {
  const usable = usableTools(board.context);
  const taken = usable.find(({ name }) => name === board.local.tool);
  if (taken) return taken;
  if (board.local.tool === null) return null;
  // the match waits for a choice on the map, not for any action
  const mustAct = !["action", "roll"].includes(board.context.view.phase);
  return usable.length === 1 || mustAct ? (usable[0] ?? null) : null;
}

/**
 * The places of the selected tool, each with its moves, from north to south and from west to east, as they are read
 * out.
 * If a piece was selected on the map, only the places of its own moves.
 * @param {import("../../types").EuropeBoard} board
 * @returns {{ place: Place, moves: Choice[] }[]}
 */
export function targets(board) {
  const { context, local } = board;
  const tool = toolInHand(board);
  if (!tool) return [];
  const moves = movesOf(context, tool.type);
  const ofPiece = moves.filter(({ move }) => (move.merchant ?? move.caravan) === local.piece);
  /** @type {Map<string, { place: Place, moves: Choice[] }>} */
  const found = new Map();
  for (const entry of ofPiece.length ? ofPiece : moves) {
    const [kind, id] = tool.at(entry.move);
    const key = `${kind} ${id}`;
    if (!found.has(key)) found.set(key, { place: { kind, id }, moves: [] });
    found.get(key)?.moves.push(entry);
  }
  const map = geographyOf(context);
  const at = (/** @type {{ place: Place }} */ { place }) => pointOfPlace(map, place);
  return [...found.values()].sort((one, other) => at(one)[1] - at(other)[1] || at(one)[0] - at(other)[0]);
}

/**
 * The moves of one of the user's caravans or merchants, and the tool for them: the treaty if it is selected.
 * @param {import("../../types").EuropeBoard} board
 * @param {"merchant" | "caravan"} kind
 * @param {number} number
 * @returns {{ tool: string, moves: Choice[] }}
 */
export function journeys(board, kind, number) {
  const byTreaty = kind === "merchant" && toolInHand(board)?.name === "treaty";
  const moves = movesOf(board.context, byTreaty ? "play_treaty_for_merchant" : `move_${kind}`);
  return { tool: byTreaty ? "treaty" : kind, moves: moves.filter(({ move }) => move[kind] === number) };
}

/** @param {import("./geography.js").Geography} map @param {Place} place @returns {[number, number]} */
export function pointOfPlace(map, { kind, id }) {
  const places = { hex: map.hexes, path: map.paths, city: map.cities, crossroads: map.crossroads };
  return places[kind][id].at;
}

/** Moves with their own controls outside the map. */
const ELSEWHERE = new Set([
  ...[
    "roll_dice",
    "end_turn",
    "buy_card",
    "buy_resource",
    "trade_with_supply",
    "steal_card",
    "discard_card",
    "discard_cards",
  ],
  ...[
    "play_safe_conduct",
    "play_treaty_for_gold",
    "play_lancer",
    "play_bribe",
    "offer_trade",
    "counter_offer",
    "accept_offer",
  ],
  ...["decline_offer", "withdraw_offer"],
]);

/** @param {Context} context @returns {Choice[]} the moves that no part of the board shows; these are plain buttons */
export const otherChoices = (context) =>
  choices(context).filter(({ move }) => !move.schema && !toolOf(move) && !ELSEWHERE.has(move.type));
