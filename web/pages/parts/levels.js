// How strong the house bots are: their order, and a sentence about each.
import { html, nothing } from "../../vendor/lit-html/lit-html.js";

const WEAKEST_FIRST = ["random", "greedy", "search:1", "search:2", "search:3", "search:4", "search:5"];

/** @param {string[]} bots of a game, the weakest first; those that are not known here come last */
export const byStrength = (bots) => [
  ...WEAKEST_FIRST.filter((bot) => bots.includes(bot)),
  ...bots.filter((bot) => !WEAKEST_FIRST.includes(bot)),
];

/** @param {Record<string, string>} strings of the game @param {string} bot @param {string} id of the element */
export const levelText = (strings, bot, id) =>
  strings[`bot.${bot}`] ? html`<small class="faint" id=${id}>${strings[`bot.${bot}`]}</small>` : nothing;
