// Trade between players: the offers on the table, and the dialog in which an offer is made.
import { html, nothing } from "../../boards/lit.js";
import { isOpen, movesOf, word } from "../../boards/context.js";
import { moveButton } from "../../boards/controls.js";
import { seatMark } from "../../boards/seats.js";
import { TERMS } from "./geography.js";
import { filled, ownPlayer } from "./hand.js";
import { ownerOf, termPicture } from "./pieces.js";
import { stepper } from "./stepper.js";

/** @typedef {import("../../types").EuropeBoard} BoardElement */
/** @typedef {import("../../types").EuropeContext} Context */
/** @typedef {typeof TERMS[number]} Term @typedef {Partial<Record<Term, number>>} Terms */
/** @typedef {{ give: Terms, want: Terms, to: number[], counter: number | null }} Draft */

const MOST = 19;

/** @param {Context} context @param {Terms} terms */
export const termsList = (context, terms) =>
  html`<span class="terms"
    >${TERMS.filter((name) => terms[name]).map(
      (name) => html`<span class="term-count"><b>${terms[name]}</b> ${termPicture(name)} ${word(context, name)}</span>`,
    )}</span
  >`;

/** @param {Context} context @param {number} seat */
const who = (context, seat) => {
  const { colour, letter } = ownerOf(context, seat);
  return html`<span class="party"
    >${seatMark(colour, letter)} ${seat === context.you ? context.t("you_capital") : context.names[seat]}</span
  >`;
};

/** Players as alternatives: “Ada, Ben or Carla”. @param {Context} context @param {number[]} seats */
const oneOf = (context, seats) =>
  new Intl.ListFormat(context.language, { type: "disjunction" }).format(seats.map((seat) => context.names[seat]));

/** @param {BoardElement} board */
export function offers(board) {
  const { context } = board;
  const list = context.view.offers ?? [];
  if (!list.length) return nothing;
  return html`<section class="offers" aria-label=${context.t("offers")}>
    <h2>${context.t("offers")}</h2>
    <ul>
      ${list.map((offer) => offerCard(board, offer))}
    </ul>
  </section>`;
}

/** @param {BoardElement} board @param {import("../../types").EuropeView["offers"][number]} offer */
function offerCard(board, offer) {
  const { context } = board;
  const mine = offer.maker === context.you;
  const forMe = context.you !== null && offer.to.includes(context.you);
  const of = (/** @type {string} */ type) => movesOf(context, type).filter(({ move }) => move.offer === offer.offer);
  const left = oneOf(context, offer.to);
  return html`<li class="offer ${forMe ? "for-me" : ""}">
    <div class="sides">
      <p class="side">
        ${who(context, offer.maker)}
        <span class="gives">${context.t(mine ? "you_give" : "gives")}</span> ${termsList(context, offer.give)}
      </p>
      <p class="swap" aria-hidden="true">⇄</p>
      <p class="side">
        ${forMe ? who(context, /** @type {number} */ (context.you)) : html`<span class="party">${left}</span>`}
        <span class="gives">${context.t(forMe ? "you_give" : "gives")}</span> ${termsList(context, offer.want)}
      </p>
    </div>
    <div class="answers" data-arrows>
      ${moveButton(board, of("accept_offer"), context.t("accept"), "main")}
      ${moveButton(board, of("decline_offer"), context.t("decline"))}
      ${
        forMe && isOpen(context, "counter_offer")
          ? html`<button
              type="button"
              class="move"
              data-target
              data-open="counter_offer"
              @click=${() => board.update({ trade: draft(offer.want, offer.give, [offer.maker], offer.offer) })}
            >
              ${context.t("counter")}
            </button>`
          : nothing
      }
      ${moveButton(board, of("withdraw_offer"), context.t("withdraw"))}
    </div>
    ${
      forMe && !of("accept_offer").length && context.interactive
        ? html`<p class="hint">${context.t("cannot_pay")}</p>`
        : nothing
    }
    ${mine ? html`<p class="hint">${context.t("waiting_for", { names: left })}</p>` : nothing}
  </li>`;
}

/**
 * @param {Terms} give
 * @param {Terms} want
 * @param {number[]} to
 * @param {number | null} counter the offer that this one answers
 * @returns {Draft}
 */
export const draft = (give = {}, want = {}, to = [], counter = null) => ({
  give: { ...give },
  want: { ...want },
  to,
  counter,
});

/** @param {Context} context @returns {number[]} with whom the user can trade */
function partners(context) {
  const { active, players } = context.view;
  if (active !== null && context.you !== active) return [active];
  return players.map((_, seat) => seat).filter((seat) => seat !== context.you);
}

/** @param {Terms} terms */
const size = (terms) => Object.values(terms).reduce((sum, count) => sum + count, 0);

/** The dialog in which an offer is made. @param {BoardElement} board */
export function tradeDialog(board) {
  const { context } = board;
  /** @type {Draft | null} */
  const trade = board.local.trade ?? null;
  const own = ownPlayer(context);
  if (!trade || !own) return nothing;
  const held = (/** @type {Term} */ name) => (name === "gold" ? own.gold : own.resources[name]);
  const ready =
    size(trade.give) > 0 && size(trade.want) > 0 && TERMS.every((name) => (trade.give[name] ?? 0) <= held(name));
  return html`<dialog
    class="trade"
    aria-label=${context.t(trade.counter ? "counter" : "offer_trade")}
    @close=${() => board.update({ trade: null })}
  >
    <h2>${context.t(trade.counter ? "counter" : "offer_trade")}</h2>
    <div class="trade-sides">${give(board, trade, held)}${want(board, trade)}</div>
    ${trade.counter ? nothing : addressees(board, trade)} ${summary(board, trade)}
    <p class="trade-buttons">
      <button
        type="button"
        class="move main"
        data-open=${trade.counter ? "counter_offer" : "offer_trade"}
        ?disabled=${!ready}
        @click=${() => send(board, trade)}
      >
        ${context.t("review_offer")}
      </button>
      <button type="button" class="quiet" @click=${() => board.update({ trade: null })}>${context.t("cancel")}</button>
    </p>
  </dialog>`;
}

/**
 * How much of something one side gives: the other side does not give the same.
 * @param {BoardElement} board
 * @param {Draft} trade
 * @param {"give" | "want"} side
 * @param {Term} term
 * @param {number} most
 * @param {unknown} [note]
 */
const amount = (board, trade, side, term, most, note = nothing) =>
  stepper(
    board.context,
    term,
    trade[side][term] ?? 0,
    most,
    (value) => {
      const other = side === "give" ? "want" : "give";
      const terms = { [side]: { ...trade[side], [term]: value }, [other]: { ...trade[other], [term]: 0 } };
      board.update({ trade: { ...trade, ...terms } });
    },
    note,
  );

/** @param {BoardElement} board @param {Draft} trade @param {(term: Term) => number} held */
const give = (board, trade, held) =>
  html`<fieldset class="trade-side">
    <legend>${board.context.t("i_give")}</legend>
    ${TERMS.map((term) => {
      const note = html`<small>${board.context.t("you_have", { number: held(term) })}</small>`;
      return amount(board, trade, "give", term, held(term), note);
    })}
  </fieldset>`;

/** @param {BoardElement} board @param {Draft} trade */
const want = (board, trade) =>
  html`<fieldset class="trade-side">
    <legend>${board.context.t("i_get")}</legend>
    ${TERMS.map((term) => amount(board, trade, "want", term, MOST))}
  </fieldset>`;

/** What each side gives and gets, before the offer is made. @param {BoardElement} board @param {Draft} trade */
function summary({ context }, trade) {
  if (!size(trade.give) || !size(trade.want)) return html`<p class="hint">${context.t("trade_hint")}</p>`;
  const names = oneOf(context, trade.to.length ? trade.to : partners(context));
  return html`<div class="sides summary" aria-live="polite">
    <p class="side">
      ${who(context, /** @type {number} */ (context.you))}
      <span class="gives">${context.t("you_give")}</span> ${termsList(context, trade.give)}
    </p>
    <p class="swap" aria-hidden="true">⇄</p>
    <p class="side">
      <span class="party">${names}</span>
      <span class="gives">${context.t("gives")}</span> ${termsList(context, trade.want)}
    </p>
  </div>`;
}

/** To whom the offer goes. @param {BoardElement} board @param {Draft} trade */
function addressees(board, trade) {
  const { context } = board;
  const all = partners(context);
  if (all.length === 1) return html`<p>${context.t("offer_to")} ${who(context, all[0])}</p>`;
  const chosen = trade.to.length ? trade.to : all;
  const toggle = (/** @type {number} */ seat) => {
    const to = chosen.includes(seat) ? chosen.filter((other) => other !== seat) : [...chosen, seat];
    board.update({ trade: { ...trade, to: to.length === all.length ? [] : to.length ? to : chosen } });
  };
  return html`<fieldset class="addressees">
    <legend>${context.t("offer_to")}</legend>
    ${all.map(
      (seat) =>
        html`<label
          ><input type="checkbox" .checked=${chosen.includes(seat)} @change=${() => toggle(seat)} />
          ${who(context, seat)}</label
        >`,
    )}
  </fieldset>`;
}

/** @param {BoardElement} board @param {Draft} trade */
function send(board, trade) {
  const terms = { give: filled(trade.give), want: filled(trade.want) };
  board.update({ trade: null });
  board.context.propose(
    trade.counter
      ? { type: "counter_offer", offer: trade.counter, ...terms }
      : { type: "offer_trade", ...terms, to: trade.to },
  );
}
