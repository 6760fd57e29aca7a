// Translations of the page: one JSON file for each of five languages. A test checks that no string is missing.
import { fill, parse } from "./messages.js";
import { settings } from "./settings.js";

export const LANGUAGES = { en: "English", de: "Deutsch", fr: "Français", it: "Italiano", es: "Español" };

/** @type {Record<string, string>} */
let words = {};
/** @type {Intl.PluralRules} */
let plurals = new Intl.PluralRules("en");
let language = "en";

/** The language in use. */
export const lang = () => language;

/** @returns {string} the chosen language, or the browser's first language that is available */
export function wanted() {
  const offered = Object.keys(LANGUAGES);
  if (offered.includes(settings.language)) return settings.language;
  const preferred = navigator.languages.map((one) => one.slice(0, 2).toLowerCase());
  return preferred.find((one) => offered.includes(one)) ?? "en";
}

/** Load the strings of the wanted language. */
export async function load() {
  const next = wanted();
  words = await fetchWords(`../i18n/${next}.json`);
  language = next;
  plurals = new Intl.PluralRules(next);
  document.documentElement.lang = next;
}

/** @param {string} path relative to this file @returns {Promise<Record<string, string>>} */
export async function fetchWords(path) {
  const answer = await fetch(new URL(path, import.meta.url));
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}

/** @type {Map<string, import("./messages.js").Part[]>} */
const templates = new Map();

/** @param {string} text */
function template(text) {
  let parts = templates.get(text);
  if (!parts) templates.set(text, (parts = parse(text)));
  return parts;
}

/**
 * Make a translation function from a table of messages.
 * @param {() => Record<string, string>} table @returns {import("../types").Translate}
 */
export const translator =
  (table) =>
  (key, values = {}) =>
    fill(template(table()[key] ?? key), values, plurals);

export const t = translator(() => words);

/**
 * Use the refusals of a game for the page's own messages.
 * @param {Record<string, string>} table the strings of the game
 */
export function addRefusals(table) {
  words = { ...words, ...Object.fromEntries(Object.entries(table).filter(([key]) => key.startsWith("refused."))) };
}

/** @param {string} key Whether there is such a string. */
export const has = (key) => key in words;

/** The language in use with the user's region, if the browser gives one: date formats differ. */
const locale = () => navigator.languages.find((one) => one.slice(0, 2).toLowerCase() === language) ?? language;

/** @param {string} iso a moment in RFC 3339 */
export const moment = (iso) => new Date(iso).toLocaleString(locale(), { dateStyle: "medium", timeStyle: "short" });

/** @param {number} ms a duration as a clock shows it */
export function duration(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  if (hours >= 48) return t("clock.days", { count: Math.floor(hours / 24) });
  return hours ? `${hours}:${two(minutes % 60)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** @param {string[]} parts joined as a list in the language in use */
export const listed = (parts) => new Intl.ListFormat(language, { type: "conjunction" }).format(parts);
