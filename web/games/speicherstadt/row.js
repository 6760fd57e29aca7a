// The row of cards on the quay, each with its line of workers and its price.
import { html, nothing, repeat } from "../../boards/lit.js";
import { chosenMove, heading, movesOf, surroundings, word } from "../../boards/context.js";
import { indexes, isChosen, moveButton } from "../../boards/controls.js";
import { kept } from "../../boards/kept.js";
import { picture } from "./pictures.js";
import { coin, seasonSign, worker } from "./signs.js";

/** @typedef {import("../../types").SpeicherstadtContext} Context */
/** @typedef {import("../../types").SpeicherstadtBoard} BoardElement */
/** @typedef {import("../../types").SpeicherstadtView["row"][number]} Offer a card of the row */

/** How many more cards than players a full row has (S-10). */
const MORE_CARDS = 1;

/**
 * The cards that are still for sale; the places of sold ones stay empty, so that the others do not move.
 * @param {BoardElement} board
 */
export function row(board) {
  const { context } = board;
  const { row: cards, phase } = context.view;
  if (cards.length === 0) return nothing;
  const sold = phase === "purchase" ? Math.max(0, context.view.seats.length + MORE_CARDS - cards.length) : 0;
  return html`<section class="row-section" aria-label=${context.t("row")}>
    <ol class="row ${phase}" data-arrows>
      ${Array.from({ length: sold }, () => html`<li class="lot sold" aria-hidden="true"></li>`)}
      ${repeat(
        cards,
        ({ card }) => card,
        (card, place) => {
          const offered = phase === "purchase" && place === 0;
          return kept([card, offered ? context.view : null, ...surroundings(context)], () => lot(board, card, offered));
        },
      )}
    </ol>
  </section>`;
}

/** @param {BoardElement} board @param {Offer} card @param {boolean} offered whether it is being sold now */
function lot(board, card, offered) {
  const { context } = board;
  const moves = movesOf(context, "place_worker").filter(({ move }) => move.card === card.card);
  return html`<li class="lot ${offered ? "offered" : ""}" data-stage data-piece="card ${card.card}" data-place="row">
    ${
      moves.length
        ? html`<button
            type="button"
            class="card season-${card.season}"
            data-target
            data-moves=${indexes(moves)}
            data-card=${card.card}
            aria-pressed=${isChosen(board, moves)}
            title=${moves[0].label}
            @click=${() => board.pick(moves)}
          >
            ${face(context, card)}<span class="unseen">${goodsOf(context, card)} ${moves[0].label}</span>
          </button>`
        : html`<div
            class="card season-${card.season}"
            role="img"
            aria-label="${heading(context, card.kind)}. ${effect(context, card)}. ${goodsOf(context, card)}"
          >
            ${face(context, card)}
          </div>`
    }
    ${line(context, card, isChosen(board, moves))} ${offered ? sale(board, card) : nothing}
  </li>`;
}

/**
 * The goods on a card in words.
 * @param {Context} context
 * @param {Offer} card
 */
function goodsOf(context, card) {
  const goods = (card.cubes?.length ? card.cubes : card.goods) ?? [];
  return goods.map((good) => word(context, good)).join(", ");
}

/**
 * What a card does, in a few words.
 * @param {Pick<Context, "t">} context
 * @param {Pick<import("../../types").Card, "kind"> & {points?: number | string, value?: number | string}} card
 */
export const effect = (context, card) =>
  context.t(`effect_${card.kind}`, { points: card.points ?? "", value: card.value ?? "" });

/** @param {Context} context @param {Offer} card */
const face = (context, card) =>
  html`<span class="card-head"
      ><span class="season" title=${heading(context, card.season)}>${seasonSign(card.season)}</span>
      <span class="card-title">${heading(context, card.kind)}</span></span
    >
    ${picture(card)}
    <span class="card-effect">${effect(context, card)}</span>`;

/**
 * The workers in line for a card, the first one nearest to it, and what the card costs that one.
 * @param {Context} context
 * @param {Offer} card
 * @param {boolean} joining whether the user is about to send a worker here
 */
function line(context, card, joining) {
  const names = card.line.map((seat) => context.names[seat]).join(", ");
  const price = card.line.length + (joining ? 1 : 0);
  return html`<div class="queue">
    <p class="price ${price ? "" : "none"}" title=${context.t("price")}>
      ${coin}<b>${price}</b>
      <span class="unseen">${context.t("price")}. ${names ? context.t("line", { names }) : context.t("nobody")}</span>
    </p>
    <div class="workers" aria-hidden="true">
      ${card.line.map((seat, i) => worker(context, seat, `line ${card.card} ${i}`))}
      ${
        joining && context.you !== null
          ? html`<span class="ghost">${worker(context, context.you, "ghost")}</span>`
          : nothing
      }
      ${card.line.length === 0 && !joining ? html`<span class="nobody">${context.t("nobody")}</span>` : nothing}
    </div>
  </div>`;
}

/**
 * Buying and declining, below the card that is offered.
 * @param {BoardElement} board
 * @param {Offer} card
 */
function sale(board, card) {
  const { context } = board;
  const { buyer, seats } = context.view;
  const buy = movesOf(context, "buy");
  const left = buyer === null ? 0 : seats[buyer].coins - card.price;
  return html`<div class="sale">
    ${moveButton(
      board,
      buy,
      html`${context.t("buy")} <span class="amount">${coin}${card.price}</span
        ><span class="unseen"> ${context.t("coins")}</span>`,
      "main",
    )}
    ${moveButton(board, movesOf(context, "decline"), context.t("decline"))}
    ${
      buyer === null
        ? nothing
        : html`<p class="hint">
            ${
              buyer === context.you
                ? context.t(chosenMove(context)?.type === "decline" ? "after_decline" : "after_buy", { coins: left })
                : context.t("is_asked", { name: context.names[buyer] })
            }
          </p>`
    }
  </div>`;
}
