// The board of Settlers of Europe.
import { html } from "../../boards/lit.js";
import { movesOf } from "../../boards/context.js";
import { askWhich, otherMoves } from "../../boards/controls.js";
import { BoardElement } from "../../boards/element.js";
import { styles } from "../../boards/styles.js";
import { actions } from "./actions.js";
import { RESOURCES, geographyOf } from "./geography.js";
import { hand } from "./hand.js";
import { map } from "./map.js";
import { wayOf } from "./preview.js";
import { players } from "./players.js";
import { otherChoices, toolOf, usableTools } from "./tools.js";
import { offers, tradeDialog } from "./trade.js";
import { measure } from "./zoom.js";

await styles(import.meta.url, "../../boards/seats.css", "../../boards/boards.css", "map.css");

const FROM_SUPPLY = ["buy_resource", "trade_with_supply"];
const PLAYS = ["play_lancer", "play_safe_conduct", "play_treaty_for_gold", "play_treaty_for_merchant", "play_bribe"];

/** @extends {BoardElement<import("../../types").EuropeContext, import("../../types").EuropeChoice>} */
class EuropeBoard extends BoardElement {
  /** @param {import("../../types").EuropeChoice} local */
  keepChoice({ lens, kept, trade }) {
    return { lens, kept, trade };
  }

  /** @param {import("../../types").EuropeMove} move */
  choiceFor(move) {
    const tool = toolOf(move);
    if (tool) return { tool: tool.name };
    return FROM_SUPPLY.includes(move.type) ? { supply: true } : {};
  }

  /** @param {import("../../types").EuropeContext} context */
  template(context) {
    return html`<div class="drawn-board europe">
      <div class="europe-table">
        <div class="action-side">
          ${actions(this)}${otherMoves(this, otherChoices(context), context.t("other_moves"))}${offers(this)}
        </div>
        <div class="map-side">${map(this)}${askWhich(this)}</div>
        ${hand(this)}${players(this)}${tradeDialog(this)}
      </div>
    </div>`;
  }

  /** @param {import("../../types").EuropeContext} context */
  wayOf(context) {
    return wayOf(context, geographyOf(context));
  }

  connectedCallback() {
    super.connectedCallback();
    new ResizeObserver(() => measure(this, geographyOf(this.context))).observe(this);
  }

  updated() {
    measure(this, geographyOf(this.context));
    const dialog = this.local.trade ? this.querySelector("dialog") : null;
    if (dialog && !dialog.open) dialog.showModal();
  }
}

/** What a turn of building consists of. */
export const SEQUENCE = [
  ...["build_route", "form_caravan", "move_caravan", "deliver", "hire_merchant", "move_merchant"],
  ...["buy_resource", "trade_with_supply"],
];
export { STEPS } from "./steps.js";
export { picture } from "./told.js";

customElements.define("europe-board", EuropeBoard);

/** @param {import("../../types").EuropeContext} context a position to draw */
export const draw = (context) => html`<europe-board .context=${context}></europe-board>`;

/** What the user can do now, in one sentence. @param {import("../../types").EuropeContext} context */
export function prompt(context) {
  const { view, you, t } = context;
  const { phase, active } = view;
  if (phase === "discard") return t("give_back", { due: view.choice.due?.[/** @type {number} */ (you)] ?? 0 });
  if (phase === "theft") return t("now_theft");
  if (phase === "roll") return t(movesOf(context, ...PLAYS).length ? "now_play_or_roll" : "now_roll");
  if (phase !== "action")
    return usableTools(context)
      .slice(0, 1)
      .map(({ name }) => t(`hint_${name}`))
      .join("");
  if (active === you) return t("now_action");
  const answers = movesOf(context, "accept_offer", "decline_offer");
  return t(answers.length ? "now_answer" : "now_offer", { name: context.names[active ?? 0] });
}

/**
 * The possessions of a seat as numbers; the cost of a move is the difference that it makes.
 * @param {import("../../types").EuropeView} view
 * @param {number} seat
 * @param {import("../../types").BoardWords} words
 * @returns {import("../../types").Holding[]}
 */
export function holdings(view, seat, { t, word }) {
  const own = view.players[seat];
  return [
    { name: word("gold"), count: own.gold },
    ...RESOURCES.map((name) => ({ name: word(name), count: own.resources?.[name] ?? 0 })),
    { name: t("card_count"), count: own.card_count },
    { name: word("goods"), count: own.goods.delivered },
    { name: t("routes_left"), count: own.routes_left },
    { name: t("posts_left"), count: own.posts_left },
  ];
}

/**
 * How far a seat is: its goods, gold and cards.
 * @param {import("../../types").EuropeView} view
 * @param {number} seat
 * @param {import("../../types").BoardWords} words
 * @returns {import("../../types").Standing[]}
 */
export function standing(view, seat, { t, word }) {
  const {
    goods: { delivered, free, covered },
    gold,
    hand_size: hand,
    card_count: cards,
  } = view.players[seat];
  return [
    { name: word("goods"), value: `${delivered}/${delivered + free + covered}` },
    { name: word("gold"), value: gold },
    { name: t("hand_size"), value: hand },
    { name: t("card_count"), value: cards },
  ];
}
