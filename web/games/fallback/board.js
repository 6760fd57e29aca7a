// Draws any game without its own board: the view as tables. The moves are in the list of buttons that every match has.
import { html } from "../../vendor/lit-html/lit-html.js";
import { wordFor } from "../../lib/texts.js";

/** @typedef {import("../../types").BoardContext} BoardContext @typedef {import("../../types").Words} Words */

/** @param {BoardContext} context */
export function draw({ view, words, names }) {
  return html`<div class="facts-table">${table(view, words, names)}</div>`;
}

/** @param {unknown} value @param {Words} words @param {string[]} names @returns {unknown} */
function table(value, words, names) {
  /** @type {[string, unknown][]} */
  const rows = Array.isArray(value)
    ? value.map((one, place) => [placeName(value, place, names), one])
    : Object.entries(value ?? {}).map(([name, one]) => [wordFor(words, name), one]);
  return html`<table>
    ${rows.map(
      ([name, one]) =>
        html`<tr>
          <th scope="row">${name}</th>
          <td>${cell(one, words, names)}</td>
        </tr>`,
    )}
  </table>`;
}

/**
 * A list with one entry for each seat is labelled with the players' names.
 * @param {unknown[]} list
 * @param {number} place
 * @param {string[]} names
 */
const placeName = (list, place, names) =>
  list.length === names.length && typeof list[0] === "object" ? names[place] : String(place + 1);

/** @param {unknown} value @param {Words} words @param {string[]} names @returns {unknown} */
function cell(value, words, names) {
  if (value === null || value === undefined) return "–";
  if (typeof value === "boolean") return value ? "✓" : "–";
  if (typeof value === "string") return wordFor(words, value);
  if (typeof value !== "object") return String(value);
  const entries = Object.values(value);
  if (entries.length === 0) return "–";
  if (entries.every((one) => one === null || typeof one !== "object")) {
    return Array.isArray(value)
      ? value.map((one) => cell(one, words, names)).join(", ")
      : Object.entries(value)
          .map(([name, one]) => `${wordFor(words, name)} ${cell(one, words, names)}`)
          .join(" · ");
  }
  return table(value, words, names);
}
