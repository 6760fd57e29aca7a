// The rules of a game in the language of the page; each numbered rule can be linked to.
import { html } from "../vendor/lit-html/lit-html.js";
import * as api from "../lib/api.js";
import { coverOf } from "../lib/drawing.js";
import { lang, t } from "../lib/i18n.js";
import { markdown } from "../lib/markdown.js";
import { illustrator } from "./parts/aid.js";

/**
 * @param {string[]} params
 * @param {URLSearchParams} _query
 * @param {import("../types").App} _app
 * @returns {Promise<import("../types").Page>}
 */
export async function open([id, rule], _query, _app) {
  const game = await api.game(id, lang());
  const text = markdown(game.rules_text, coverOf(id) ? await illustrator(game) : undefined);
  if (rule) setTimeout(() => show(rule), 0);
  return {
    title: () => t("rules.of", { game: game.title }),
    view: () => html`<article class="rules" lang=${game.language}>${text}</article>`,
  };
}

/** @param {string} rule */
function show(rule) {
  const target = document.getElementById(`rule-${rule}`);
  if (!target) return;
  target.closest("li, p, td")?.classList.add("target");
  target.focus({ preventScroll: true });
  target.scrollIntoView({ block: "center" });
}
