// The board of The Speicherstadt.
import { html } from "../../boards/lit.js";
import { choices, heading, seatsFromYou } from "../../boards/context.js";
import { askWhich, otherMoves } from "../../boards/controls.js";
import { BoardElement } from "../../boards/element.js";
import { kept } from "../../boards/kept.js";
import { styles } from "../../boards/styles.js";
import { GOODS } from "./goods.js";
import { count, cubesOf, held } from "./loading.js";
import { row } from "./row.js";
import { status, supplies } from "./status.js";
import { market, tableau } from "./tableau.js";

await styles(import.meta.url, "../../boards/seats.css", "../../boards/boards.css", "pictures.css");

/** The moves that have a place on the board. */
const PLACED = new Set([
  ...["place_worker", "buy", "decline", "put_on_contract", "sell_to_merchant", "store_cube", "keep_cube"],
  ...["take_out", "convert", "sell_two", "finish_loading"],
]);
const PHONE = "(max-width: 600px)";

/** @extends {BoardElement<import("../../types").SpeicherstadtContext, import("../../types").SpeicherstadtChoice>} */
class SpeicherstadtBoard extends BoardElement {
  constructor() {
    super();
    this.local.wide = !matchMedia(PHONE).matches;
  }

  /** @param {import("../../types").SpeicherstadtChoice} local */
  keepChoice({ wide }) {
    return { wide };
  }

  /** @param {import("../../types").SpeicherstadtMove} move */
  choiceFor(move) {
    const used = cubesOf(this, move);
    const same = used.length === held(this).length && used.every(({ good }, i) => held(this)[i].good === good);
    return same ? {} : { held: used };
  }

  /** @param {import("../../types").SpeicherstadtContext} context */
  template(context) {
    const { view, words } = context;
    const others = choices(context).filter(({ move }) => !PLACED.has(move.type));
    return html`<div class="drawn-board speicherstadt">
      ${kept([view.phase, view.round, view.pile, words], () =>
        status(context),
      )}${row(this)}${market(this)}${askWhich(this)}${otherMoves(this, others, context.t("other_moves"))}
      <div class="tableaus">${seatsFromYou(context, view.seats.length).map((seat) => tableau(this, seat))}</div>
      ${kept([view.stock, view.bag, words], () => supplies(context))}
    </div>`;
  }
}

/** What loading consists of. */
export const SEQUENCE = [
  ...["put_on_contract", "sell_to_merchant", "store_cube", "keep_cube", "take_out", "convert", "sell_two"],
];
export { STEPS } from "./steps.js";
export { toldPicture as picture } from "./told.js";

customElements.define("speicherstadt-board", SpeicherstadtBoard);

/** @param {import("../../types").SpeicherstadtContext} context a position to draw */
export const draw = (context) => html`<speicherstadt-board .context=${context}></speicherstadt-board>`;

/** What the user can do now, in one sentence. @param {import("../../types").SpeicherstadtContext} context */
export function prompt(context) {
  const { phase, row } = context.view;
  const [card] = row;
  return context.t(
    `now_${phase}`,
    phase === "purchase" && card ? { card: heading(context, card.kind), price: card.price } : {},
  );
}

/**
 * The possessions of a seat as numbers; the cost of a move is the difference that it makes.
 * @param {import("../../types").SpeicherstadtView} view
 * @param {number} seat
 * @param {import("../../types").BoardWords} words
 * @returns {import("../../types").Holding[]}
 */
export function holdings(view, seat, { t, word }) {
  const { coins, workers, score, quay, market_hall: hall, warehouse } = view.seats[seat];
  const cubes = [...quay, ...hall, ...(warehouse ?? [])];
  return [
    { name: t("coins"), count: coins },
    { name: t("holding_workers"), count: workers },
    { name: t("score"), count: score },
    ...GOODS.map((good) => ({ name: word(good), count: count(cubes, good) })),
  ];
}

/**
 * How far a seat is: its points and coins.
 * @param {import("../../types").SpeicherstadtView} view
 * @param {number} seat
 * @param {import("../../types").BoardWords} words
 * @returns {import("../../types").Standing[]}
 */
export function standing(view, seat, { t }) {
  const { coins, score } = view.seats[seat];
  return [
    { name: t("score"), value: score },
    { name: t("coins"), value: coins },
  ];
}
