// The button that opens the player's aid, which is loaded then.
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { t } from "../../lib/i18n.js";

/**
 * @param {import("../../types").Drawing} drawing
 * @param {import("../../types").Game} game
 * @param {{derived: unknown} | null} data null if it can't be loaded
 * @param {number} seats
 */
export const aidButton = ({ own }, game, data, seats) =>
  own && data
    ? html`<button
        type="button"
        class="link"
        @click=${async () => (await import("./aid.js")).showAid(game, data, seats)}
      >
        ${t("aid.title")}
      </button>`
    : nothing;
