// Loads the drawing of a game: from its own folder in games/, or the fallback, which shows any game as tables.
import { styles } from "../boards/styles.js";
import { addRefusals, fetchWords, lang, translator } from "./i18n.js";
import { wordFor } from "./texts.js";

/** @typedef {import("../types").Drawing} Drawing */

const OWN = (document.querySelector('meta[name="kontor-drawings"]')?.getAttribute("content") ?? "").split(" ");

/** @param {string} game @returns {string | null} the address of its picture, if it has a folder of its own */
export const coverOf = (game) =>
  OWN.includes(game) ? new URL(`../games/${game}/cover.svg`, import.meta.url).pathname : null;

/** @param {string} game @returns {Promise<Record<string, string>>} the strings of its folder, if it has one */
export const stringsOf = async (game) => (OWN.includes(game) ? fetchWords(`../games/${game}/i18n/${lang()}.json`) : {});

/** @param {string} game @returns {Promise<Drawing>} */
export async function drawingOf(game) {
  if (!OWN.includes(game) || game === "fallback")
    return {
      ...(await import("../games/fallback/board.js")),
      holdings: () => [],
      standing: () => [],
      prompt: () => "",
      steps: {},
      sequence: [],
      picture: () => "",
      t: translator(() => ({})),
      own: false,
    };
  const folder = `../games/${game}`;
  const [module, words] = await Promise.all([
    import(`${folder}/board.js`),
    stringsOf(game),
    styles(import.meta.url, `${folder}/board.css`),
  ]);
  addRefusals(words);
  return {
    draw: module.draw,
    holdings: module.holdings,
    standing: module.standing,
    prompt: module.prompt,
    steps: module.STEPS,
    sequence: module.SEQUENCE,
    picture: module.picture,
    t: translator(() => words),
    own: true,
  };
}

/**
 * How far each seat is, for the list of players.
 * @param {Drawing} drawing
 * @param {import("../types").Words} words of the game
 * @param {import("../types").View | null} view null before the start
 * @returns {(seat: number) => import("../types").Standing[]}
 */
export const standings = (drawing, words, view) => (seat) =>
  view ? drawing.standing(view, seat, { t: drawing.t, word: (id) => wordFor(words, id) }) : [];
