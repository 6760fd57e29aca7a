// The players: their goods, gold, cards and pieces.
import { html, nothing } from "../../boards/lit.js";
import { heading, seatsFromYou, surroundings } from "../../boards/context.js";
import { kept } from "../../boards/kept.js";
import { seatMark } from "../../boards/seats.js";
import { caravan, crate, merchant, ownerOf, pictureOf, post, termPicture } from "./pieces.js";

/** @typedef {import("../../types").EuropeBoard} BoardElement */
/** @typedef {import("../../types").EuropeContext} Context */

/** @param {BoardElement} board */
export function players(board) {
  const { context } = board;
  const { players: all, active } = context.view;
  return html`<ul class="traders" aria-label=${context.t("players")} data-arrows>
    ${seatsFromYou(context, all.length).map((seat) =>
      kept(
        [all[seat], seat === active, context.match.to_act.includes(seat), isOver(context), ...surroundings(context)],
        () => player(board, seat),
      ),
    )}
  </ul>`;
}

/** Whether nobody is to move any more. @param {Context} context */
const isOver = (context) => context.match.to_act.length === 0;

/** @param {BoardElement} board @param {number} seat */
function player(board, seat) {
  const { context } = board;
  const { gold, hand_size: hand, card_count: cards } = context.view.players[seat];
  const { colour, letter } = ownerOf(context, seat);
  const acts = context.match.to_act.includes(seat);
  const active = seat === context.view.active && !isOver(context);
  return html`<li class="trader stripe seat-${colour} ${acts ? "acts" : ""} ${active ? "active" : ""}">
    <p class="player-head">
      ${seatMark(colour, letter)}<b class="player-name">${context.names[seat]}</b>
      ${seat === context.you ? html`<small>(${context.t("you")})</small>` : nothing}
      ${active ? html`<span class="on-turn">${context.t("on_turn")}</span>` : nothing}
    </p>
    ${goods(context, seat)}
    <p class="figures">
      ${figure(termPicture("gold"), gold, heading(context, "gold"))}
      ${figure(handPicture, hand, context.t("hand_size"))} ${figure(cardPicture, cards, context.t("card_count"))}
      ${pieces(context, seat)}
    </p>
  </li>`;
}

const handPicture = html`<svg class="term" viewBox="-12 -12 24 24" aria-hidden="true">
  <rect class="hand-back" x="-9" y="-8" width="11" height="16" rx="2" transform="rotate(-12)"></rect>
  <rect class="hand-front" x="-2" y="-9" width="11" height="16" rx="2" transform="rotate(8)"></rect>
</svg>`;
const cardPicture = html`<svg class="term" viewBox="-12 -12 24 24" aria-hidden="true">
  <rect class="card-back" x="-7" y="-10" width="14" height="20" rx="2"></rect>
  <path
    class="card-star"
    d="M0 -6 L1.8 -2 L6 -1.6 L2.8 1.2 L3.8 5.6 L0 3.2 L-3.8 5.6 L-2.8 1.2 L-6 -1.6 L-1.8 -2 Z"
  ></path>
</svg>`;

/** @param {unknown} picture @param {unknown} value @param {string} name */
const figure = (picture, value, name) =>
  html`<span class="figure" title=${name}>${picture}<b>${value}</b><span class="unseen">${name}</span></span>`;

/**
 * The goods as crates: delivered, free to deliver, still under a post.
 * @param {Context} context
 * @param {number} seat
 */
function goods(context, seat) {
  const { delivered, free, covered } = context.view.players[seat].goods;
  const words = context.t("goods", { delivered, free, covered, all: delivered + free + covered });
  const owner = ownerOf(context, seat);
  const row = [...Array(delivered).fill("delivered"), ...Array(free).fill("free"), ...Array(covered).fill("covered")];
  return html`<p class="goods" title=${words}>
    <span aria-hidden="true" class="crates">
      ${row.map(
        (state, i) =>
          html`<svg
            class="crate-picture ${state}"
            viewBox="-11 -11 22 22"
            data-piece=${state === "free" ? `good ${seat}` : nothing}
            data-place="goods ${seat} ${i}"
          >
            ${crate({ ...owner, letter: state === "delivered" ? "✓" : state === "free" ? owner.letter : "" })}
          </svg>`,
      )}</span
    >
    <span class="unseen">${words}</span><b class="goods-count" aria-hidden="true">${delivered}/${row.length}</b>
  </p>`;
}

/** @param {Context} context @param {number} seat */
function pieces(context, seat) {
  const { posts_left: posts, routes_left: routes, merchants, caravans } = context.view.players[seat];
  const owner = ownerOf(context, seat);
  const out = (/** @type {(string | null)[]} */ list) => list.filter((at) => at === null).length;
  return html`${figure(pictureOf(post({ ...owner, letter: "" })), posts, context.t("posts_left"))}
  ${figure(pictureOf(merchant({ ...owner, letter: "" })), out(merchants), context.t("merchants_left"))}
  ${figure(pictureOf(caravan({ ...owner, letter: "" })), out(caravans), context.t("caravans_left"))}
  ${figure(routePicture, routes, context.t("routes_left"))}`;
}

const routePicture = html`<svg class="term" viewBox="-12 -12 24 24" aria-hidden="true">
  <path class="route-line edge" d="M-8 6 L8 -6"></path>
  <path class="route-line" d="M-8 6 L8 -6"></path>
</svg>`;
