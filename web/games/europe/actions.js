// The bar of actions: dice, tools for the map, the supply, trade, and the end of the turn.
import { html, nothing } from "../../boards/lit.js";
import { derivedOf, heading, isOpen, movesOf, word } from "../../boards/context.js";
import { indexes, moveButton } from "../../boards/controls.js";
import { seatMark } from "../../boards/seats.js";
import { RESOURCES } from "./geography.js";
import { caravan, crate, die, merchant, ownerOf, pictureOf, post, robber, termPicture } from "./pieces.js";
import { TOOLS, toolInHand } from "./tools.js";
import { draft } from "./trade.js";

/** @typedef {import("../../types").EuropeBoard} BoardElement */
/** @typedef {import("../../types").EuropeContext} Context */

const FROM_SUPPLY = ["buy_resource", "trade_with_supply"];

/** @param {BoardElement} board */
export function actions(board) {
  const { context } = board;
  return html`<section class="actions" aria-label=${context.t("actions")}>
    ${situation(board)} ${context.interactive && context.moves.length ? bar(board) : nothing}
  </section>`;
}

/** The status: turn, dice, phase. @param {BoardElement} board */
function situation({ context }) {
  const { turn, phase, dice, round } = context.view;
  return html`<p class="situation">
    <span class="turn">${context.t("round", { round, turn })}</span>
    <b class="phase">${heading(context, phase)}</b>
    ${
      dice
        ? html`<span
            class="dice"
            role="img"
            aria-label=${context.t("rolled", { sum: dice[0] + dice[1] })}
            data-piece="dice"
            data-place=${`${turn} ${dice.join()}`}
            >${dice.map(die)}<b>${dice[0] + dice[1]}</b></span
          >`
        : nothing
    }
  </p>`;
}

/** @param {BoardElement} board */
function bar(board) {
  const { context } = board;
  const card = movesOf(context, "buy_card");
  const building = context.view.phase === "action" && context.view.active === context.you;
  // purchases even if the player can't pay
  const shown = TOOLS.filter(({ type, costs }) => movesOf(context, type).length || (building && costs));
  return html`<div class="bar" role="toolbar" aria-label=${context.t("actions")} data-arrows>
      ${moveButton(
        board,
        movesOf(context, "roll_dice"),
        html`<span class="dice">${die(3)}${die(4)}</span> ${context.t("roll")}`,
        "main",
      )}
      ${movesOf(context, "steal_card").map((entry) => steal(board, entry))}
      ${shown.map((tool) => toolButton(board, tool))}
      ${
        card.length
          ? moveButton(
              board,
              card,
              html`${context.t("tool_card")} ${price(context, pricesOf(context, "buy_card"))}`,
              "tool",
            )
          : building
            ? inert(
                board,
                ["buy_card"],
                html`${context.t("tool_card")} ${price(context, pricesOf(context, "buy_card"))}`,
              )
            : nothing
      }
      ${supplyButton(board, building)}
      ${
        isOpen(context, "offer_trade")
          ? html`<button
              type="button"
              class="move tool"
              data-target
              data-open="offer_trade"
              @click=${() => board.update({ trade: draft() })}
            >
              ${context.t("offer_trade")}
            </button>`
          : building
            ? inert(board, ["offer_trade"], context.t("offer_trade"))
            : nothing
      }
      ${moveButton(board, movesOf(context, "end_turn"), context.t("end_turn"), "main")}
    </div>
    ${hint(board)}${supplyPanel(board)}`;
}

/**
 * Whom to steal from, with how many cards they have.
 * @param {BoardElement} board
 * @param {import("../../types").Offered<import("../../types").EuropeMove>} entry
 */
function steal(board, entry) {
  const { context } = board;
  const { victim } = entry.move;
  const { colour, letter } = ownerOf(context, victim);
  return moveButton(
    board,
    [entry],
    html`${seatMark(colour, letter)} ${context.t("steal_from", { name: context.names[victim] })}
      <small title=${context.t("hand_size")}>(${context.view.players[victim].hand_size})</small>`,
    "main",
  );
}

/**
 * Something that is not possible now: a click tells what is missing, below it.
 * @param {BoardElement} board
 * @param {string[]} types the kinds of move that it would make
 * @param {unknown} content
 */
function inert(board, types, content) {
  const { context, local } = board;
  const open = local.lacking?.join() === types.join();
  const toggle = () => {
    context.askObstacles?.();
    board.update({ lacking: open ? null : types, tool: null, supply: false });
  };
  return html`<button
      type="button"
      class="move tool inert"
      data-target
      aria-expanded=${open}
      title=${context.t("not_now")}
      @click=${toggle}
    >
      ${content}</button
    >${open ? lacking(context, types) : nothing}`;
}

/**
 * What is missing for moves of these kinds, with the rules that say so.
 * @param {Context} context
 * @param {string[]} types
 */
const lacking = ({ obstacles, game, t }, types) =>
  html`<div class="lacking" role="status">
    ${obstacles
      ?.filter(({ type }) => types.includes(type))
      .map(({ text, rule }) => html`<p>${text} <a href="#/rules/${game.id}/${rule}">${t("rule", { rule })}</a></p>`)}
  </div>`;

/** What a purchase costs. @param {Context} context @param {string} type */
const pricesOf = (context, type) => Object.keys(derivedOf(context).prices?.[type] ?? {});

/** @param {Context} context @param {string[]} costs */
const price = (context, costs) =>
  html`<span class="costs"
    >${costs.map(
      (name) =>
        html`<span title=${word(context, name)}
          >${termPicture(name)}<span class="unseen">${word(context, name)}</span></span
        >`,
    )}</span
  >`;

/** @type {Record<string, (owner: import("./pieces.js").Owner) => unknown>} The piece that each tool moves. */
const TOOL_PIECES = {
  hire: merchant,
  merchant,
  treaty: merchant,
  form: caravan,
  caravan,
  deliver: crate,
  start_post: post,
  robber: () => robber,
};

/** @param {BoardElement} board @param {import("./tools.js").Tool} tool */
function toolButton(board, { name, type, costs = [] }) {
  const { context } = board;
  const moves = movesOf(context, type);
  const free = ["bonus_route", "free_route"].includes(context.view.phase) && name === "route";
  const piece = TOOL_PIECES[name]?.(ownerOf(context, context.you));
  const content = html`${piece ? pictureOf(piece) : nothing} ${context.t(`tool_${name}`)}
  ${price(context, free ? [] : [...pricesOf(context, type), ...costs])}`;
  if (!moves.length) return inert(board, [type], content);
  const inHand = toolInHand(board)?.name === name;
  const take = () => {
    context.choose(null);
    board.update({ tool: inHand ? null : name, piece: null, asking: null, supply: false });
  };
  return html`<button
    type="button"
    class="move tool"
    data-target
    data-moves=${indexes(moves)}
    aria-pressed=${inHand}
    @click=${take}
  >
    ${content}
  </button>`;
}

/** The instruction for the selected tool. @param {BoardElement} board */
function hint(board) {
  const tool = toolInHand(board);
  return tool ? html`<p class="hint" role="status">${board.context.t(`hint_${tool.name}`)}</p>` : nothing;
}

/** @param {BoardElement} board @param {boolean} building whether it is shown even if nothing can be bought */
function supplyButton(board, building) {
  const { context } = board;
  const moves = movesOf(context, ...FROM_SUPPLY);
  const content = html`${context.t("tool_supply")} ${price(context, ["gold"])}`;
  if (!moves.length) return building ? inert(board, FROM_SUPPLY, content) : nothing;
  return html`<button
    type="button"
    class="move tool"
    data-target
    data-moves=${indexes(moves)}
    aria-pressed=${Boolean(board.local.supply)}
    @click=${() => board.update({ supply: !board.local.supply, tool: null })}
  >
    ${content}
  </button>`;
}

/** Buying from the supply for gold or for three cards of one kind. @param {BoardElement} board */
function supplyPanel(board) {
  const { context } = board;
  if (!board.local.supply) return nothing;
  const buys = movesOf(context, "buy_resource");
  const trades = movesOf(context, "trade_with_supply");
  return html`<div class="supply-panel" role="group" aria-label=${context.t("tool_supply")} data-arrows>
    ${
      buys.length
        ? html`<p class="supply-row">
            <span>${context.t("for_two_gold")}</span>
            ${buys.map((entry) =>
              moveButton(
                board,
                [entry],
                html`${termPicture(entry.move.resource)} ${heading(context, entry.move.resource)}`,
              ),
            )}
          </p>`
        : nothing
    }
    ${RESOURCES.map((give) => {
      const mine = trades.filter(({ move }) => move.give === give);
      return mine.length
        ? html`<p class="supply-row">
            <span>${context.t("for_three")} ${termPicture(give)} ${heading(context, give)}</span>
            ${mine.map((entry) =>
              moveButton(board, [entry], html`${termPicture(entry.move.take)} ${heading(context, entry.move.take)}`),
            )}
          </p>`
        : nothing;
    })}
    <p class="supply-left">
      ${context.t("supply_left")}
      ${RESOURCES.map(
        (name) =>
          html`<span class="term-count"
            >${termPicture(name)} <b>${context.view.supply[name]}</b
            ><span class="unseen">${word(context, name)}</span></span
          >`,
      )}
    </p>
  </div>`;
}
