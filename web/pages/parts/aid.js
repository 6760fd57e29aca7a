// The player's aid of a game, over the board; and the pictures of its words, for the rules.
import { html, render } from "../../vendor/lit-html/lit-html.js";
import { stringsOf } from "../../lib/drawing.js";
import { lang, t, translator } from "../../lib/i18n.js";

/** @typedef {import("../../types").AidModule} AidModule */

/** @param {string} game @returns {Promise<AidModule>} */
const moduleOf = (game) => import(`../../games/${game}/aid.js`);

/**
 * Show the aid until it is closed; then the focus returns to where it was.
 * @param {import("../../types").Game} game
 * @param {{derived: unknown}} data
 * @param {number} seats
 */
export async function showAid(game, data, seats) {
  const [{ aid, style }, words] = await Promise.all([moduleOf(game.id), stringsOf(game.id)]);
  const context = { data, seats, words: game.words, language: lang(), t: translator(() => words) };
  const dialog = document.createElement("dialog");
  dialog.className = "aid";
  dialog.setAttribute("aria-labelledby", "aid-title");
  dialog.addEventListener("close", () => dialog.remove());
  const close = () => dialog.close();
  render(
    html`<header>
        <h2 id="aid-title">${t("aid.of", { game: game.title })}</h2>
        <button type="button" @click=${close}>${t("aid.close")}</button>
      </header>
      <div class="drawn-board ${style} aid-parts" tabindex="0" role="group" aria-labelledby="aid-title">
        ${aid(context)}
      </div>`,
    dialog,
  );
  document.body.append(dialog);
  dialog.showModal();
}

/**
 * Puts pictures behind the words of a game where they occur first in a text.
 * @param {import("../../types").Game} game
 * @returns {Promise<(text: string) => unknown>}
 */
export async function illustrator(game) {
  const { pictures, style } = await moduleOf(game.id);
  const keys = Object.keys(pictures).filter((key) => game.words[key]);
  const words = keys.map((key) => game.words[key].toLocaleLowerCase(lang()));
  const longest = [...words].sort((one, other) => other.length - one.length);
  // a word may have an ending of up to two letters
  const pattern = new RegExp(`(?<!\\p{L})((?:${longest.join("|")})\\p{L}{0,2})(?!\\p{L})`, "giu");
  return (text) => {
    /** @type {Set<string>} */ const seen = new Set();
    return text.split(pattern).map((part, place) => {
      const word = place % 2 ? longest.find((one) => part.toLocaleLowerCase(lang()).startsWith(one)) : null;
      if (!word || seen.has(word)) return part;
      seen.add(word);
      return html`${part}<span class="${style} word-picture">${pictures[keys[words.indexOf(word)]]()}</span>`;
    });
  };
}
