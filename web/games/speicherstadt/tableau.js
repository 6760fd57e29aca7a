// A player's possessions: coins, cards, contracts, and the cubes on the quay, in the market hall and in the warehouse.
import { html, nothing } from "../../boards/lit.js";
import { chosenMove, derivedOf, heading, movesOf, surroundings } from "../../boards/context.js";
import { indexes, moveButton } from "../../boards/controls.js";
import { kept } from "../../boards/kept.js";
import { colourOf, letterOf, seatMark } from "../../boards/seats.js";
import { cube, emptyPlace, sorted } from "./goods.js";
import { HEAPS, held, leadsTo, toggle, usable } from "./loading.js";
import { picture } from "./pictures.js";
import { effect } from "./row.js";
import { coin, helmet, metalCoin, trophy, worker } from "./signs.js";

/** @typedef {import("../../types").SpeicherstadtContext} Context */
/** @typedef {import("../../types").SpeicherstadtBoard} BoardElement */

/** @typedef {typeof HEAPS[number]} Heap */
/** @typedef {(board: BoardElement, seat: number) => unknown} Part a part of the tableau of a seat */

/**
 * Where cubes lie: the minimum number of places drawn, and the move that brings a cube here.
 * @type {Record<Heap, { room: number, type: string }>}
 */
const ROOMS = {
  quay: { room: 0, type: "take_out" },
  market_hall: { room: 1, type: "keep_cube" },
  warehouse: { room: 4, type: "store_cube" },
};

/** @type {Part} */
export function tableau(board, seat) {
  const { context, local } = board;
  const { seats, first_player: first, places } = context.view;
  return kept(
    [seats[seat], first === seat, places, context.match.to_act.includes(seat), local.wide, ...surroundings(context)],
    () => drawn(board, seat),
  );
}

/** @type {Part} */
function drawn(board, seat) {
  const { context } = board;
  const own = seat === context.you;
  const acts = context.match.to_act.includes(seat);
  const head = summary(context, seat);
  const heaps = HEAPS.filter((where) => context.view.seats[seat][where]).map((where) => heap(board, seat, where));
  const body = html`<div class="tableau-body">
    <div class="storage">${heaps}</div>
    ${contracts(board, seat)}${owned(board, seat)}
  </div>`;
  const style = `tableau stripe seat-${colourOf(seat)} ${own ? "own" : ""} ${acts ? "acts" : ""}`;
  return own
    ? html`<section class=${style} aria-label=${context.names[seat]} data-arrows>${head}${body}</section>`
    : html`<details class=${style} ?open=${board.local.wide}>
        <summary>${head}</summary>
        ${body}
      </details>`;
}

/**
 * The line with the name and the figures of a seat.
 * @param {Context} context
 * @param {number} seat
 */
function summary(context, seat) {
  const { seats, first_player: first, places } = context.view;
  const { coins, score, firemen, workers } = seats[seat];
  return html`<span class="tableau-head">
    ${seatMark(colourOf(seat), letterOf(seat))}
    <span class="tableau-name"
      >${context.names[seat]}${seat === context.you ? html` <small>(${context.t("you")})</small>` : nothing}</span
    >
    ${
      first === seat
        ? html`<span class="figure" title=${context.t("first_player")}
            >${metalCoin}<span class="unseen">${context.t("first_player")}</span></span
          >`
        : nothing
    }
    ${places?.length ? html`<span class="figure place">${context.t("place", { place: places[seat] })}</span>` : nothing}
    <span class="figure" title=${context.t("coins")}
      >${coin}<b>${coins}</b><span class="unseen">${context.t("coins")}</span></span
    >
    <span class="figure" title=${context.t("firemen")}
      >${helmet}<b>${firemen}</b><span class="unseen">${context.t("firemen")}</span></span
    >
    <span class="figure" title=${context.t("score")}
      >${trophy}<b>${score}</b><span class="unseen">${context.t("score")}</span></span
    >
    <span class="figure workers-home" title=${context.t("workers_home", { count: workers })}>
      <span aria-hidden="true"
        >${Array.from({ length: workers }, (_, i) => worker(context, seat, `home ${seat} ${i}`))}</span
      >
      <span class="unseen">${context.t("workers_home", { count: workers })}</span></span
    >
  </span>`;
}

/**
 * A place where cubes lie. If the selected cube fits, the whole place can be chosen.
 * @param {BoardElement} board
 * @param {number} seat
 * @param {Heap} where
 */
function heap(board, seat, where) {
  const { context } = board;
  const { room, type } = ROOMS[where];
  const goods = context.view.seats[seat][where] ?? [];
  const own = seat === context.you;
  const free = Array.from({ length: Math.max(0, room - goods.length) }, () => emptyPlace(context, null));
  return html`<div class="heap ${where}">
    <span class="heap-name">${heading(context, where)}</span>
    <span class="cubes">
      ${sorted(goods).map((good, i) =>
        cubeOf(board, own, { good, origin: where, key: `${where} ${i}` }, `${where} ${seat} ${i}`),
      )}${free}
    </span>
    ${target(board, seat, (move) => move.type === type, context.t(`put_${where}`))}
  </div>`;
}

/**
 * A cube; a button if it is the user's own and can be used.
 * @param {BoardElement} board
 * @param {boolean} own
 * @param {import("./loading.js").Cube} taken
 * @param {string} place
 */
function cubeOf(board, own, taken, place) {
  const { context } = board;
  const picture = cube(context, taken.good, place);
  const moves = own ? leadsTo(board, taken) : [];
  const inHand = own && held(board).some(({ key }) => key === taken.key);
  if (!moves.length && !inHand) return html`<span class="cube-place">${picture}</span>`;
  const name = `${heading(context, taken.good)}, ${heading(context, taken.origin)}`;
  return html`<button
    type="button"
    class="cube-place"
    data-target
    data-moves=${indexes(moves)}
    aria-pressed=${inHand}
    aria-label=${context.t("take_cube", { cube: name })}
    @click=${() => toggle(board, taken)}
  >
    ${picture}
  </button>`;
}

/**
 * A place for the selected cube, as a button, if the user can put it there.
 * @param {BoardElement} board
 * @param {number} seat
 * @param {(move: import("../../types").SpeicherstadtMove) => boolean} fits
 * @param {unknown} content
 */
function target(board, seat, fits, content) {
  const moves = seat === board.context.you ? usable(board).filter(({ move }) => fits(move)) : [];
  return moveButton(board, moves, html`${content}<span class="unseen">: ${moves[0]?.label}</span>`, "here");
}

/** The contracts, with the goods that are on them and those that are still wanted. @type {Part} */
function contracts(board, seat) {
  const { context } = board;
  const list = context.view.seats[seat].contracts;
  if (!list.length) return nothing;
  return html`<ul class="contracts">
    ${list.map((contract) => contractCard(board, seat, contract))}
  </ul>`;
}

/**
 * @param {BoardElement} board
 * @param {number} seat
 * @param {import("../../types").SpeicherstadtView["seats"][number]["contracts"][number]} contract
 */
function contractCard(board, seat, contract) {
  const { context } = board;
  const open = [...contract.open];
  const places = contract.goods.map((good, i) => {
    const at = open.indexOf(good);
    if (at >= 0) open.splice(at, 1);
    return at >= 0 ? emptyPlace(context, good) : cube(context, good, `${contract.card} ${i}`);
  });
  const done = contract.open.length === 0;
  const chosen = chosenMove(context)?.contract === contract.card && seat === context.you;
  return html`<li
    class="contract season-${contract.season} ${done ? "done" : ""} ${chosen ? "chosen" : ""}"
    data-piece="card ${contract.card}"
    data-place="seat ${seat}"
  >
    <span class="contract-name">${heading(context, "contract")}</span>
    <span class="cubes">${places}</span>
    <span class="contract-points" title=${context.t(done ? "complete" : "incomplete")}
      >${done ? "✓ " : ""}${contract.points}<span class="unseen"
        >${context.t(done ? "complete" : "incomplete")}</span
      ></span
    >
    ${target(
      board,
      seat,
      (move) => move.type === "put_on_contract" && move.contract === contract.card,
      context.t("put_contract"),
    )}
  </li>`;
}

/** @typedef {import("../../types").Card & {card: string}} OwnedCard */
/** All other cards, with equal ones grouped. @type {Part} */
function owned(board, seat) {
  const { context } = board;
  /** @type {Map<string, OwnedCard[]>} */
  const kinds = new Map();
  for (const id of context.view.seats[seat].cards) {
    const card = { card: id, ...derivedOf(context).cards[id] };
    if (card.kind !== "contract") kinds.set(card.kind, [...(kinds.get(card.kind) ?? []), card]);
  }
  if (!kinds.size) return nothing;
  return html`<ul class="owned">
    ${[...kinds].map(([kind, cards]) => ownedCard(board, seat, kind, cards))}
  </ul>`;
}

/** @param {BoardElement} board @param {number} seat @param {string} kind @param {OwnedCard[]} cards */
function ownedCard(board, seat, kind, cards) {
  const { context } = board;
  const values = kind === "fireman" ? cards.map(({ value }) => value).join(" + ") : "";
  const shown =
    kind === "ship" ? { ...cards[0], cubes: [] } : { ...cards[0], value: cards.length > 1 ? "" : cards[0].value };
  return html`<li
    class="owned-card season-${cards[0].season}"
    title=${effect(context, cards[0])}
    data-piece="card ${cards[cards.length - 1].card}"
    data-place="seat ${seat}"
  >
    ${picture(shown)}
    <span class="owned-name"
      >${heading(context, kind)}${
        values ? html` <b>${values}</b>` : cards.length > 1 ? html` <b>× ${cards.length}</b>` : nothing
      }</span
    >
    ${target(
      board,
      seat,
      (move) => move.type === "sell_to_merchant" && cards[0].buys === move.good,
      html`${context.t("sell_here")} <span class="amount">${coin}1</span>`,
    )}
  </li>`;
}

/**
 * The moves with several selected cubes, and the end of loading.
 * @param {BoardElement} board
 */
export function market(board) {
  const { context } = board;
  const finish = movesOf(context, "finish_loading");
  if (context.view.phase !== "loading" || !finish.length) return nothing;
  const moves = usable(board);
  const lost = context.view.seats[/** @type {number} */ (context.you)].quay.length;
  const exchanges = moves.filter(({ move }) => move.type === "convert");
  return html`<div class="market" role="group" aria-label=${heading(context, "market_hall")} data-arrows>
    <p class="hint">${context.t(`hint_${Math.min(held(board).length, 3)}`)}</p>
    <div class="market-moves">
      ${moves
        .filter(({ move }) => move.type === "sell_two")
        .map((entry) =>
          moveButton(board, [entry], html`${context.t("sell_two")} <span class="amount">${coin}1</span>`),
        )}
      ${exchanges.length ? html`<span class="exchange-for">${context.t("exchange_for")}</span>` : nothing}
      ${exchanges.map((entry) =>
        moveButton(
          board,
          [entry],
          html`${cube(context, entry.move.take ?? "")} ${heading(context, entry.move.take ?? "")}`,
        ),
      )}
      ${moveButton(
        board,
        finish,
        html`${context.t("finish")}${lost ? html` <small>${context.t("lost", { count: lost })}</small>` : nothing}`,
        lost ? "" : "main",
      )}
    </div>
  </div>`;
}
