// Confirm and Cancel beside the piece that was chosen; those in the panel are for keyboards and screen readers, too.
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { t } from "../../lib/i18n.js";

/** Where a move is that was chosen elsewhere: its preview, or its button. */
const PLACES = '.preview > *:not(.under), [aria-pressed="true"]';
const GAP = 10;

/** Where the board was pressed last, in its coordinates; null if something else was. @type {DOMRect | null} */
let pressed = null;

/** Remember where the user has pressed. @param {Event} event */
export function notePress(event) {
  const board = /** @type {Element} */ (event.target).closest(".board");
  const frame = board?.getBoundingClientRect();
  pressed =
    frame && event instanceof PointerEvent
      ? new DOMRect(event.clientX - frame.left - GAP, event.clientY - frame.top - GAP, 2 * GAP, 2 * GAP)
      : null;
}

/** @param {import("./choosing.js").Choosing} choosing */
export const beside = (choosing) =>
  choosing.choice?.state === "passes" && !choosing.choice.quiet
    ? html`<div
        class="beside"
        aria-hidden="true"
        hidden
        @click=${(/** @type {Event} */ event) => event.stopPropagation()}
      >
        <button type="button" class="main" tabindex="-1" title=${t("moves.confirm")} @click=${choosing.confirm}>
          ✓
        </button>
        <button type="button" tabindex="-1" title=${t("moves.cancel")} @click=${choosing.cancel}>✕</button>
      </div>`
    : nothing;

/** Put the buttons beside the chosen place, within the board. @param {ParentNode} root */
export function placeBeside(root) {
  const buttons = /** @type {HTMLElement | null} */ (root.querySelector(".beside"));
  const board = buttons?.closest(".board");
  if (!buttons || !board) return;
  const frame = board.getBoundingClientRect();
  const found = pressed ?? placeOf(board, frame);
  buttons.hidden = !found;
  if (!found) return;
  const { width, height } = buttons.getBoundingClientRect();
  const isRoom = found.right + GAP + width <= frame.width;
  const x = isRoom ? found.right + GAP : Math.max(0, found.left - GAP - width);
  const y = Math.min(Math.max(found.top + (found.height - height) / 2, 0), frame.height - height);
  Object.assign(buttons.style, { left: `${x}px`, top: `${y}px` });
}

/** @param {Element} board @param {DOMRect} frame */
function placeOf(board, frame) {
  const boxes = [...board.querySelectorAll(PLACES)].map((element) => element.getBoundingClientRect());
  const seen = boxes.find(({ width, height }) => width > 0 && height > 0);
  return seen ? new DOMRect(seen.x - frame.x, seen.y - frame.y, seen.width, seen.height) : null;
}
