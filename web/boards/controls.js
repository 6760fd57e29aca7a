// Buttons for legal moves, shared by all boards.
import { html, nothing } from "./lit.js";
import { choices } from "./context.js";

/** @typedef {import("../types").Offered<import("../types").BoardMove>} Choice */
/** @typedef {import("../types").AnyBoard} BoardElement */

/**
 * The numbers of moves that a control leads to, for `data-moves`.
 * @param {Choice[]} moves
 */
export const indexes = (moves) => moves.map(({ index }) => index).join(" ");

/** @param {BoardElement} board @param {Choice[]} moves */
export const isChosen = (board, moves) => moves.some(({ index }) => index === board.context.chosen);

/**
 * A button for some moves: it chooses the only one, or asks which. Nothing if there are no moves.
 * @param {BoardElement} board
 * @param {Choice[]} moves
 * @param {unknown} content
 * @param {string} [style]
 */
export const moveButton = (board, moves, content, style = "") =>
  moves.length === 0
    ? nothing
    : html`<button
        type="button"
        class="move ${style}"
        data-target
        data-moves=${indexes(moves)}
        aria-pressed=${isChosen(board, moves)}
        @click=${() => board.pick(moves)}
      >
        ${content}
      </button>`;

/** @param {BoardElement} board */
export function askWhich(board) {
  const { context, local } = board;
  const { asking } = local;
  if (!asking) return nothing;
  const moves = choices(context).filter(({ index }) => asking.includes(index));
  return html`<div class="asking" role="group" aria-label=${context.t("which")} data-arrows>
    <p>${context.t("which")}</p>
    ${moves.map(
      (entry) =>
        html`<button
          type="button"
          class="move"
          data-target
          data-moves=${entry.index}
          aria-pressed=${isChosen(board, [entry])}
          @click=${() => context.choose(entry.index)}
        >
          ${entry.label}
        </button>`,
    )}
    <button type="button" class="quiet" data-target @click=${() => close(board)}>${context.t("cancel")}</button>
  </div>`;
}

/** @param {BoardElement} board */
function close(board) {
  board.update({ asking: null });
  board.context.choose(null);
}

/**
 * Buttons for moves that have no place on the board.
 * @param {BoardElement} board
 * @param {Choice[]} moves
 * @param {string} title
 */
export const otherMoves = (board, moves, title) =>
  moves.length === 0
    ? nothing
    : html`<div class="others" role="group" aria-label=${title} data-arrows>
        ${moves.map((entry) => moveButton(board, [entry], entry.label))}
      </div>`;
