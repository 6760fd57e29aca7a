// The log of the match in sentences, newest last; it follows new sentences unless the user has scrolled up.
import { html } from "../../vendor/lit-html/lit-html.js";
import { repeat } from "../../vendor/lit-html/directives/repeat.js";
import { kept } from "../../boards/kept.js";
import { t } from "../../lib/i18n.js";
import { eventText } from "../../lib/texts.js";

/** @typedef {import("../../types").Event} Event */

/**
 * With links, each call shows another part of the match: lines are updated in place, which is cheaper than creating
 * new ones.
 * @param {import("../../types").Game} game
 * @param {Event[]} events
 * @param {string[]} names
 * @param {((version: number) => string) | null} [link]
 */
export const log = (game, events, names, link = null) =>
  html`<section class="log" aria-labelledby="log-title">
    <h2 id="log-title">${t("log.title")}</h2>
    <ol id="log-lines" tabindex="0" aria-labelledby="log-title" @scroll=${onScroll}>
      ${kept([events, names.join()], () => lines(game, events, names, link))}
    </ol>
  </section>`;

/**
 * @param {import("../../types").Game} game
 * @param {Event[]} events
 * @param {string[]} names
 * @param {((version: number) => string) | null} link
 */
function lines(game, events, names, link) {
  const sentences = events.map((event) => ({ event, text: eventText(game, event, names) })).filter(({ text }) => text);
  return link
    ? sentences.map(({ event, text }) => html`<li><a href=${link(event.version)}>${text}</a></li>`)
    : repeat(
        sentences,
        ({ event }) => event.version,
        ({ text }) => html`<li>${text}</li>`,
      );
}

/** The last position of each list. @type {WeakMap<Element, number>} */
const positions = new WeakMap();

/**
 * Remember whether the user has scrolled up. The event comes some time after the scrolling, and the list may have
 * grown since: so being away
 * from the end does not mean that the user went there, only a lower position than before does.
 * @param {{currentTarget: EventTarget | null}} event
 */
function onScroll(event) {
  const list = /** @type {HTMLElement} */ (event.currentTarget);
  if (list.scrollHeight - list.scrollTop - list.clientHeight <= 40) list.dataset.up = "";
  else if (list.scrollTop < (positions.get(list) ?? 0)) list.dataset.up = "yes";
  positions.set(list, list.scrollTop);
}

/** Scroll to the newest sentence, unless the user has scrolled up. */
export function scrollLog() {
  const list = document.getElementById("log-lines");
  if (!list || list.dataset.up) return;
  list.scrollTop = list.scrollHeight;
  positions.set(list, list.scrollTop);
}
