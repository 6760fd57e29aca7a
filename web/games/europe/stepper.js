// A number that is set by two buttons.
import { html } from "../../boards/lit.js";
import { heading } from "../../boards/context.js";
import { termPicture } from "./pieces.js";

/**
 * @param {import("../../types").EuropeContext} context
 * @param {string} name the key of the thing that is counted
 * @param {number} value
 * @param {number} most
 * @param {(value: number) => void} change
 * @param {unknown} [note]
 */
export const stepper = (context, name, value, most, change, note = "") =>
  html`<div class="stepper" role="group" aria-label=${heading(context, name)}>
    <span class="stepper-name">${termPicture(name)} ${heading(context, name)} ${note}</span>
    <button
      type="button"
      class="step"
      aria-label=${context.t("less", { name: heading(context, name) })}
      ?disabled=${value <= 0}
      @click=${() => change(value - 1)}
    >
      −
    </button>
    <output>${value}</output>
    <button
      type="button"
      class="step"
      aria-label=${context.t("more", { name: heading(context, name) })}
      ?disabled=${value >= most}
      @click=${() => change(value + 1)}
    >
      +
    </button>
  </div>`;
