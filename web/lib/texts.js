// Texts for views, moves and facts: the sentences of the service where it gives them, otherwise texts made here.
import { lang, t } from "./i18n.js";

/**
 * @typedef {import("../types").Game} Game
 * @typedef {import("../types").Move} Move
 * @typedef {import("../types").Event} Event
 */

/** The query parameters that make the service send texts in the language of the page. */
export const tellQuery = () => ({ tell: lang() });

/** @param {string} id an id or key as words: `place_worker` → `Place worker` */
export const spaced = (id) => id.charAt(0).toUpperCase() + id.slice(1).replaceAll("_", " ");

/** @param {import("../types").Words} words @param {string} id the name of something, or its id as words */
export function wordFor(words, id) {
  const found = words[id];
  return typeof found === "string" ? found : spaced(id);
}

/**
 * @param {import("../types").Words} words
 * @param {unknown} value a value of a move or a fact as a short text
 * @returns {string}
 */
export function valueText(words, value) {
  if (typeof value === "string") return wordFor(words, value);
  if (Array.isArray(value)) return value.map((one) => valueText(words, one)).join(", ") || "–";
  if (value === null || value === undefined) return "–";
  if (typeof value !== "object") return String(value);
  return (
    Object.entries(value)
      .filter(([, one]) => one !== 0)
      .map(([name, one]) => `${wordFor(words, name)} ${valueText(words, one)}`)
      .join(", ") || "–"
  );
}

/** @param {import("../types").Words} words @param {Move} move */
export function moveText(words, move) {
  const { type, schema, ...fields } = move;
  const parts = Object.values(fields).map((value) => valueText(words, value));
  return schema ? `${wordFor(words, type)} …` : [wordFor(words, type), ...parts].join(" · ");
}

/**
 * @param {Game} game
 * @param {Pick<import("../types").Match, "legal_moves" | "labels">} position
 * @returns {import("../types").Offered[]}
 */
export const offered = (game, position) =>
  position.legal_moves.map((move, index) => ({
    index,
    move,
    label: position.labels?.[index] ?? moveText(game.words, move),
  }));

/**
 * @param {Game} game
 * @param {Event} event
 * @param {string[]} names
 * @returns {string | null} what happened, or null if there is nothing to show
 */
export function eventText(game, event, names) {
  if (event.text !== undefined) return event.text;
  const { type, seat, ...fields } = event.fact;
  const who = typeof seat === "number" ? `${names[seat] ?? seat + 1}: ` : "";
  const shown = Object.entries(fields)
    .filter(([, value]) => typeof value !== "object" || Array.isArray(value))
    .slice(0, 4);
  const more = shown.map(([name, value]) => `${name.replaceAll("_", " ")} ${valueText(game.words, value)}`).join(", ");
  return `${who}${spaced(type)}${more ? ` (${more})` : ""}`;
}

/**
 * The names at a table, numbered where several are the same, as the service does.
 * @param {import("../types").Seat[]} seats
 * @returns {string[]}
 */
export function namesOf(seats) {
  const names = seats.map(({ player, invited }) =>
    (player ?? invited) ? ((player ?? invited)?.name ?? t("player.erased")) : t("seat.free"),
  );
  const isTwice = (/** @type {string} */ name) => names.indexOf(name) !== names.lastIndexOf(name);
  return names.map((name, seat) =>
    seats[seat].player && isTwice(name)
      ? `${name} ${names.slice(0, seat + 1).filter((one) => one === name).length}`
      : name,
  );
}
