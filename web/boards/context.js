// Queries on the context that the page gives to a board.

/**
 * @typedef {import("../types").AnyContext} Context
 * @typedef {import("../types").BoardMove} Move
 */
/** @template {Move} M @typedef {import("../types").BoardContext<object, M, unknown>} Moving */

/**
 * What the service derives from the data set of the match.
 * @template D
 * @param {{data: {derived: D} | null}} context
 */
export function derivedOf({ data }) {
  if (!data) throw new Error("the data set of this match can't be loaded");
  return data.derived;
}

/** @typedef {Pick<Context, "words" | "language">} Speaking */

/**
 * The word for a key of the game; the key itself if there is none.
 * @param {Pick<Context, "words">} context
 * @param {string} key
 */
export const word = (context, key) => context.words[key] ?? key.replaceAll("_", " ");

/**
 * The word with a capital, as a heading.
 * @param {Speaking} context
 * @param {string} key
 */
export const heading = (context, key) => {
  const text = word(context, key);
  return text.charAt(0).toLocaleUpperCase(context.language) + text.slice(1);
};

/**
 * The moves that can be chosen now: none while the user only watches.
 * @template {Move} M
 * @param {Moving<M>} context
 */
export const choices = (context) => (context.interactive ? context.moves : []);

/** @template {Move} M @param {Moving<M>} context @param {...string} types */
export const movesOf = (context, ...types) =>
  choices(context).filter(({ move }) => types.includes(move.type) && !move.schema);

/**
 * Whether the seat may make a move of a type with too many variants to list.
 * @param {Context} context
 * @param {string} type
 */
export const isOpen = (context, type) => choices(context).some(({ move }) => move.type === type && move.schema);

/**
 * The move that is chosen and waits for confirmation.
 * @template {Move} M
 * @param {Moving<M>} context
 */
export const chosenMove = (context) => context.moves.find(({ index }) => index === context.chosen)?.move ?? null;

/**
 * The seats, the user's own first and then clockwise.
 * @param {Context} context
 * @param {number} count
 */
export const seatsFromYou = (context, count) =>
  Array.from({ length: count }, (_, place) => ((context.you ?? 0) + place) % count);

/**
 * The inputs of every part of a board besides its own part of the view, for `kept`: while moves can be chosen,
 * everything is drawn again.
 * @param {Context} context
 * @returns {unknown[]}
 */
export const surroundings = (context) => [context.you, context.names, context.words, context.interactive ? {} : null];
