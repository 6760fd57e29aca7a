// The user's hand: resource cards, gold and development cards.
import { html, nothing } from "../../boards/lit.js";
import { heading, isOpen, movesOf } from "../../boards/context.js";
import { indexes, isChosen, moveButton } from "../../boards/controls.js";
import { RESOURCES } from "./geography.js";
import { termPicture } from "./pieces.js";
import { stepper } from "./stepper.js";

/** @typedef {import("../../types").EuropeBoard} BoardElement */

/**
 * @typedef {Required<import("../../types").EuropePlayer>} Own the player whose hand can be seen
 * @typedef {keyof Own["cards"]} Card
 */
/** @type {Record<Card, string>} Each development card, with the move that plays it. */
const PLAYS = {
  lancer: "play_lancer",
  safe_conduct: "play_safe_conduct",
  trade_treaty: "play_treaty_for_gold",
  bribe: "play_bribe",
};

const CARDS = /** @type {Card[]} */ (Object.keys(PLAYS));

/** What the user has; null for spectators. @param {import("../../types").EuropeContext} context */
export const ownPlayer = ({ view, you }) =>
  you !== null && view.players[you].resources ? /** @type {Own} */ (view.players[you]) : null;

/** @param {BoardElement} board */
export function hand(board) {
  const { context } = board;
  const own = ownPlayer(context);
  if (!own) return nothing;
  return html`<section class="hand" aria-label=${context.t("your_hand")}>
    <ul class="resources" data-arrows>
      ${RESOURCES.map((name) => resource(board, name, own.resources[name]))}
      <li class="resource gold">
        <span class="resource-card"
          >${termPicture("gold")}<b>${own.gold}</b><span>${heading(context, "gold")}</span></span
        >
      </li>
    </ul>
    ${discards(board, own)}
    <ul class="cards" data-arrows>
      ${CARDS.filter((card) => own.cards[card] || own.new_card === card).map((card) =>
        developmentCard(board, card, own),
      )}
    </ul>
  </section>`;
}

/** @param {BoardElement} board @param {string} name @param {number} count */
function resource(board, name, count) {
  const { context } = board;
  const moves = movesOf(context, "discard_card").filter(({ move }) => move.resource === name);
  const face = html`${termPicture(name)}<b>${count}</b><span>${heading(context, name)}</span>`;
  return html`<li class="resource ${name} ${count ? "" : "none"}">
    ${
      moves.length
        ? html`<button
            type="button"
            class="resource-card"
            data-target
            data-moves=${indexes(moves)}
            aria-pressed=${isChosen(board, moves)}
            @click=${() => board.pick(moves)}
          >
            ${face}<span class="unseen">${moves[0].label}</span>
          </button>`
        : html`<span class="resource-card">${face}</span>`
    }
  </li>`;
}

/**
 * Giving back several cards at once after a 7.
 * @param {BoardElement} board
 * @param {Own} own
 */
function discards(board, own) {
  const { context } = board;
  if (!isOpen(context, "discard_cards")) return nothing;
  const due = context.view.choice.due?.[/** @type {number} */ (context.you)] ?? 0;
  /** @type {Record<string, number>} */
  const cards = board.local.discard ?? {};
  const given = RESOURCES.reduce((sum, name) => sum + (cards[name] ?? 0), 0);
  const change = (/** @type {string} */ name, /** @type {number} */ value) =>
    board.update({ discard: { ...cards, [name]: value } });
  return html`<div class="discards" role="group" aria-label=${context.t("give_back", { due })}>
    <p><b>${context.t("give_back", { due })}</b> ${context.t("give_back_so_far", { given })}</p>
    ${RESOURCES.filter((name) => own.resources[name]).map((name) =>
      stepper(
        context,
        name,
        cards[name] ?? 0,
        Math.min(own.resources[name], (cards[name] ?? 0) + due - given),
        (value) => change(name, value),
      ),
    )}
    <button
      type="button"
      class="move main"
      ?disabled=${given !== due}
      data-open="discard_cards"
      @click=${() => context.propose({ type: "discard_cards", cards: filled(cards) })}
    >
      ${context.t("give_back_these")}
    </button>
  </div>`;
}

/** @param {Record<string, number>} counts @returns {Record<string, number>} without zeros */
export const filled = (counts) => Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));

/** @param {BoardElement} board @param {Card} card @param {Own} own */
function developmentCard(board, card, own) {
  const { context } = board;
  const count = own.cards[card];
  const plays = movesOf(context, PLAYS[card]);
  const walks = card === "trade_treaty" ? movesOf(context, "play_treaty_for_merchant") : [];
  return html`<li class="development ${card}">
    <span class="development-name">${heading(context, card)}${count > 1 ? html` <b>× ${count}</b>` : nothing}</span>
    <span class="development-text">${context.t(`card_${card}`)}</span>
    ${own.new_card === card ? html`<small>${context.t("new_card")}</small>` : nothing}
    ${moveButton(board, plays, context.t(card === "trade_treaty" ? "take_gold" : "play_card"))}
    ${
      walks.length
        ? html`<button
            type="button"
            class="move"
            data-target
            data-moves=${indexes(walks)}
            aria-pressed=${board.local.tool === "treaty"}
            @click=${() => {
              context.choose(null);
              board.update({ tool: "treaty", piece: null, asking: null });
            }}
          >
            ${context.t("move_by_treaty")}
          </button>`
        : nothing
    }
  </li>`;
}
