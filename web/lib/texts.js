// Texts for views, moves and facts: the sentences of the service where it gives them, otherwise texts made here.
import { has, lang, t } from "./i18n.js";

/**
 * @typedef {import("../types").Game} Game
 * @typedef {import("../types").Move} Move
 * @typedef {import("../types").Event} Event
 * @typedef {import("../types").Seat} Seat
 * @typedef {import("../types").SeatHolder} SeatHolder
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

/** @param {string} bot the id of a house bot @returns {string} its name for people */
export const botName = (bot) => (has(`bot.${bot}`) ? t(`bot.${bot}`) : bot);

/** @param {SeatHolder} holder @returns {string} the name that a player or house bot has on the page */
export const nameOf = ({ id, name }) => (name === null ? t("player.erased") : id === "house" ? botName(name) : name);

/**
 * The names at a table, numbered where several are the same, as the service does.
 * @param {Seat[]} seats
 * @param {(holder: SeatHolder) => string} named
 * @returns {string[]}
 */
export function namesOf(seats, named = nameOf) {
  const names = seats.map(({ player, invited }) => {
    const holder = player ?? invited;
    return holder ? named(holder) : t("seat.free");
  });
  const isTwice = (/** @type {string} */ name) => names.indexOf(name) !== names.lastIndexOf(name);
  return names.map((name, seat) =>
    seats[seat].player && isTwice(name)
      ? `${name} ${names.slice(0, seat + 1).filter((one) => one === name).length}`
      : name,
  );
}

/** A name is a word of its own, or one with the s of a genitive. */
const BEFORE = "(?<![\\p{L}\\p{N}])";
const AFTER = "(?=s?(?![\\p{L}\\p{N}]))";

/**
 * The service writes the ids of house bots in its texts: returns a function that puts their names in an answer.
 * @param {Seat[]} seats
 */
export function withBotNames(seats) {
  const ids = seats.flatMap(({ player }) => (player?.id === "house" && player.name ? [player.name] : []));
  const shown = namesOf(seats);
  const names = new Map(ids.map((bot) => [bot, botName(bot)]));
  namesOf(seats, ({ name }) => name ?? t("player.erased")).forEach((name, seat) => names.set(name, shown[seat]));
  const longestFirst = [...names.keys()].sort((one, other) => other.length - one.length);
  const escaped = longestFirst.map((name) => name.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  const pattern = new RegExp(`${BEFORE}(?:${escaped.join("|")})${AFTER}`, "gu");
  /** @template {string | null} S @param {S} text */
  const said = (text) => /** @type {S} */ (text && text.replace(pattern, (name) => names.get(name) ?? name));
  /**
   * @template {{label?: string | null, labels?: string[], text?: string | null, texts?: (string | null)[]}} T
   * @param {T} answer
   * @returns {T}
   */
  const named = (answer) => ({
    ...answer,
    ...(answer.label ? { label: said(answer.label) } : {}),
    ...(answer.labels ? { labels: answer.labels.map(said) } : {}),
    ...(answer.text ? { text: said(answer.text) } : {}),
    ...(answer.texts ? { texts: answer.texts.map(said) } : {}),
  });
  return ids.length ? named : /** @type {typeof named} */ ((answer) => answer);
}
