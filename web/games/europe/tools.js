/**
 * The legal moves, sorted by where they are made.
 *
 * A *tool* is a kind of move that is made on the map: with a tool selected, only its places can be chosen. All other moves
 * are buttons, cards or dialogs.
 */
import { choices, movesOf } from '../../boards/context.js';
import { geographyOf } from './geography.js';

/** @typedef {import('../../boards/context.js').Context} Context */
/** @typedef {import('../../boards/context.js').Choice} Choice */
/** @typedef {import('../../boards/context.js').Move} Move */
/** @typedef {{ key: string, kind: 'hex' | 'path' | 'city' | 'crossroads', id: string }} Place */
/** @typedef {{ name: string, types: string[], costs: string[], at: (move: Move) => [Place['kind'], string] }} Tool */

/** @type {Tool[]} */
export const TOOLS = [
  { name: 'start_post', types: ['place_start_post'], costs: [], at: ({ city }) => ['city', city] },
  { name: 'neutral_post', types: ['place_neutral_post'], costs: [], at: ({ city }) => ['city', city] },
  { name: 'start_route', types: ['place_start_route'], costs: [], at: ({ path }) => ['path', path] },
  { name: 'robber', types: ['move_robber'], costs: [], at: ({ hex }) => ['hex', hex] },
  { name: 'token', types: ['place_token'], costs: [], at: ({ hex }) => ['hex', hex] },
  { name: 'shift', types: ['shift_token'], costs: [], at: ({ source }) => ['hex', source] },
  { name: 'chain', types: ['choose_chain'], costs: [], at: ({ chain }) => ['path', chain[Math.floor(chain.length / 2)]] },
  { name: 'route', types: ['build_route'], costs: ['ore', 'lumber'], at: ({ path }) => ['path', path] },
  { name: 'hire', types: ['hire_merchant'], costs: ['wool', 'grain', 'lumber'], at: ({ city }) => ['city', city] },
  { name: 'form', types: ['form_caravan'], costs: ['ore', 'lumber', 'salt'], at: ({ path }) => ['path', path] },
  { name: 'merchant', types: ['move_merchant'], costs: ['grain'], at: ({ to }) => ['crossroads', to] },
  { name: 'caravan', types: ['move_caravan'], costs: ['salt'], at: ({ path }) => ['path', path.at(-1)] },
  { name: 'deliver', types: ['deliver'], costs: [], at: ({ city }) => ['city', city] },
  { name: 'treaty', types: ['play_treaty_for_merchant'], costs: [], at: ({ to }) => ['crossroads', to] },
];

/** The purchases of a turn, shown with their prices even if the player can't pay. */
export const BUILDS = ['route', 'hire', 'form', 'merchant', 'caravan'];

/** @param {Context} context @param {string} name @returns {Choice[]} */
export const movesWith = (context, name) => movesOf(context, ...(TOOLS.find((tool) => tool.name === name)?.types ?? []));

/** @param {Context} context @returns {Tool[]} the tools that can be used now */
export const usableTools = (context) => TOOLS.filter(({ name }) => movesWith(context, name).length);

/** @param {Move} move the tool that makes it on the map, if any */
export const toolOf = (move) => TOOLS.find(({ types }) => types.includes(move.type));

/**
 * The selected tool: the one that was clicked, or the only one, or the one for a choice that must be made.
 * @param {import('../../boards/element.js').BoardElement} board
 * @returns {Tool | null}
 */
export function toolInHand(board) {
  const usable = usableTools(board.context);
  const taken = usable.find(({ name }) => name === board.local.tool);
  if (taken) return taken;
  if (board.local.tool === null) return null;
  return usable.length === 1 || mustAct(board.context) ? (usable[0] ?? null) : null;
}

/** @param {Context} context whether the match waits for a choice on the map, not for any action */
const mustAct = (context) => !['action', 'roll'].includes(context.view.phase);

/**
 * The places of the selected tool, each with its moves.
 * @param {import('../../boards/element.js').BoardElement} board
 * @returns {{ place: Place, moves: Choice[] }[]}
 */
export function targets(board) {
  const tool = toolInHand(board);
  if (!tool) return [];
  /** @type {Map<string, { place: Place, moves: Choice[] }>} */
  const found = new Map();
  for (const entry of movesOfPiece(board, movesWith(board.context, tool.name))) {
    const [kind, id] = tool.at(entry.move);
    const key = `${kind} ${id}`;
    if (!found.has(key)) found.set(key, { place: { key, kind, id }, moves: [] });
    found.get(key)?.moves.push(entry);
  }
  return inReadingOrder(board.context, [...found.values()]);
}

/**
 * The moves of the piece that was selected on the map; all of them if none was.
 * @param {import('../../boards/element.js').BoardElement} board
 * @param {Choice[]} moves
 */
function movesOfPiece({ local }, moves) {
  const own = moves.filter(({ move }) => (move.merchant ?? move.caravan) === local.piece);
  return own.length ? own : moves;
}

/**
 * The moves of one of the user's caravans or merchants, and the tool for them: the treaty if it is selected.
 * @param {import('../../boards/element.js').BoardElement} board
 * @param {'merchant' | 'caravan'} kind
 * @param {number} number
 * @returns {{ tool: string, moves: Choice[] }}
 */
export function journeys(board, kind, number) {
  const tool = kind === 'merchant' && toolInHand(board)?.name === 'treaty' ? 'treaty' : kind;
  return { tool, moves: movesWith(board.context, tool).filter(({ move }) => move[kind] === number) };
}

/**
 * Places from north to south and from west to east, as they are read out.
 * @template {{ place: Place }} T
 * @param {Context} context
 * @param {T[]} places
 * @returns {T[]}
 */
function inReadingOrder(context, places) {
  const map = geographyOf(context.data);
  const at = (/** @type {T} */ { place }) => pointOfPlace(map, place);
  return places.sort((one, other) => at(one)[1] - at(other)[1] || at(one)[0] - at(other)[0]);
}

/**
 * @param {import('./geography.js').Geography} map
 * @param {Place} place
 * @returns {[number, number]}
 */
export function pointOfPlace(map, { kind, id }) {
  if (kind === 'hex') return map.hexes.get(id)?.at ?? [0, 0];
  if (kind === 'path') return map.paths.get(id)?.at ?? [0, 0];
  if (kind === 'city') return map.cities.get(id)?.at ?? [0, 0];
  return map.pointAt(id);
}

/** Moves with their own controls outside the map. */
const ELSEWHERE = new Set([
  ...['roll_dice', 'end_turn', 'buy_card', 'buy_resource', 'trade_with_supply', 'steal_card', 'discard_card', 'discard_cards'],
  ...['play_safe_conduct', 'play_treaty_for_gold', 'play_lancer', 'play_bribe', 'offer_trade', 'counter_offer', 'accept_offer'],
  ...['decline_offer', 'withdraw_offer'],
]);

/** @param {Context} context @returns {Choice[]} the moves that no part of the board shows; these are plain buttons */
export const otherChoices = (context) =>
  choices(context).filter(({ move }) => !move.schema && !toolOf(move) && !ELSEWHERE.has(move.type));
