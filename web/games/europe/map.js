// The map with its pieces, the places that can be chosen, and a preview of the chosen move.
import { html, nothing, render, svg } from "../../boards/lit.js";
import { heading, surroundings, word } from "../../boards/context.js";
import { indexes, isChosen } from "../../boards/controls.js";
import { kept } from "../../boards/kept.js";
import { apart } from "./apart.js";
import { geographyOf, outlineOf } from "./geography.js";
import { caravan, crate, merchant, numberSign, ownerOf, post, robber, route } from "./pieces.js";
import { preview } from "./preview.js";
import { names, printed, put } from "./terrain.js";
import { journeys, pointOfPlace, targets, toolInHand } from "./tools.js";
import { panned, pinched, viewBox, zoomButtons } from "./zoom.js";

/** @typedef {import("../../types").EuropeContext} Context */
/** @typedef {import("../../types").EuropeBoard} BoardElement */

/** Where the good of a post lies, from its city. @type {[number, number]} */
const CRATE = [17, 13];

/** @param {BoardElement} board */
export function map(board) {
  const { context } = board;
  const geography = geographyOf(context);
  const places = targets(board);
  const { players, posts: known } = context.view;
  const { land, labels } = printedMap(board, geography);
  return html`<div class="map-frame" data-stage="always">
    <svg class="printed-map" viewBox=${viewBox(board, geography)} aria-hidden="true">${land}</svg>
    <svg
      class="map"
      viewBox=${viewBox(board, geography)}
      role="group"
      aria-label=${context.t("map")}
      data-arrows
      @pointerdown=${panned(board, geography)}
      @touchstart=${pinched(board, geography)}
    >
      <g class="on-map">${lying(context, geography)}</g>
      <g class="targets">${places.map(({ place, moves }) => target(board, geography, place, moves))}</g>
      <g class="travellers">
        ${kept([players, known, geography, ...surroundings(context)], () => travellers(board, geography))}
      </g>
      <g class="preview">${preview(context, geography)}</g>
    </svg>
    <svg class="printed-map names" viewBox=${viewBox(board, geography)} aria-hidden="true">${labels}</svg>
    ${zoomButtons(board, geography)}
  </div>`;
}

/**
 * The printed map below the pieces, and its names above them: two nodes that are drawn once and kept, in pictures of
 * their own, so that they
 * are not painted again with every position.
 * @param {BoardElement} board
 * @param {import("./geography.js").Geography} geography
 */
function printedMap(board, geography) {
  const { language } = board.context;
  const { kept } = board.local;
  if (kept?.geography === geography && kept.language === language) return kept;
  board.local.kept = {
    geography,
    language,
    land: group(printed(geography)),
    labels: group(names(geography, board.context)),
  };
  return board.local.kept;
}

/** A node with a drawing. @param {unknown} drawing */
function group(drawing) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", "g");
  render(drawing, node);
  return node;
}

/**
 * The pieces on the map; each kind is drawn again only if it has changed.
 * @param {Context} context
 * @param {import("./geography.js").Geography} geography
 */
function lying(context, geography) {
  const { names, words, view } = context;
  return svg`${kept([view.numbers, view.tokens, view.robber, words, geography], () =>
    numbers(context, geography),
  )}${kept([view.routes, names, words, geography], () =>
    routes(context, geography),
  )}${kept([view.posts, names, words, geography], () => posts(context, geography))}`;
}

/** @param {Context} context @param {import("./geography.js").Geography} geography */
function numbers(context, geography) {
  const { numbers: known, tokens, robber: at } = context.view;
  return Object.values(geography.hexes).map(
    (hex) => svg`
    ${
      known[hex.id]
        ? svg`<g role="img" aria-label="${heading(context, hex.terrain)} ${known[hex.id]}"
          data-piece="number ${known[hex.id]} ${hex.terrain}"
          data-place=${hex.id}>${numberSign(known[hex.id], tokens.includes(hex.id), hex.at)}</g>`
        : svg`<circle class="no-number ${hex.terrain} ${hex.ringed ? "ringed" : ""}" cx=${hex.at[0]} cy=${hex.at[1]}
          r="16"></circle>`
    }
    ${
      hex.id === at
        ? put(
            [hex.at[0] + 20, hex.at[1] - 22],
            svg`<g role="img" aria-label=${heading(context, "robber")} data-piece="robber"
              data-place=${at}>${robber}</g>`,
          )
        : nothing
    }`,
  );
}

/** @param {Context} context @param {import("./geography.js").Geography} geography */
const routes = (context, geography) =>
  Object.entries(context.view.routes).map(([id, owner]) => {
    const seat = /** @type {number} */ (owner);
    return svg`<g role="img" aria-label="${heading(context, "route")}: ${context.names[seat]}"
      data-piece="route ${seat} ${id}" data-place=${id}>${route(geography.paths[id], ownerOf(context, seat))}</g>`;
  });

/** @param {Context} context @param {import("./geography.js").Geography} geography */
const posts = (context, geography) =>
  Object.entries(context.view.posts).map(([id, { owner, good }]) => {
    const city = geography.cities[id];
    const who = owner === null ? word(context, "neutral_post") : context.names[owner];
    const name = context.words[id] ?? city.name;
    return svg`${put(
      city.at,
      svg`<g role="img" aria-label="${heading(context, "post")} ${name}: ${who}" data-piece="post ${owner}"
        data-place=${id}>${post(ownerOf(context, owner))}</g>`,
    )}
      ${
        good === null
          ? nothing
          : put(
              beside(city.at, ...CRATE),
              svg`<g role="img" aria-label="${heading(context, "good")} ${name}: ${context.names[good]}"
                data-piece="good ${good}" data-place=${id}>${crate(ownerOf(context, good))}</g>`,
              "scale(.9)",
            )
      }`;
  });

/**
 * Caravans and merchants, beside posts and each other. The user's own can be selected, to choose where to move them.
 * @param {BoardElement} board
 * @param {import("./geography.js").Geography} geography
 */
function travellers(board, geography) {
  const { view } = board.context;
  const all = view.players.flatMap(({ caravans, merchants }, seat) => [
    ...onMap("caravan", seat, caravans, (id) => beside(geography.paths[id].at, 0, -4)),
    ...onMap("merchant", seat, merchants, (id) => {
      const { at, city } = geography.crossroads[id];
      return city ? beside(at, 21, -12) : beside(at, 0, -8);
    }),
  ]);
  const fixed = Object.entries(view.posts).flatMap(([id, { good }]) => {
    const { at } = geography.cities[id];
    return good === null ? [at] : [at, beside(at, ...CRATE)];
  });
  const places = apart(
    all.map(({ at }) => at),
    fixed,
  );
  return all.map(({ kind, seat, number, id }, place) => piece(board, seat, number, kind, id, places[place]));
}

/** @param {[number, number]} at @param {number} dx @param {number} dy @returns {[number, number]} */
const beside = ([x, y], dx, dy) => [x + dx, y + dy];

/**
 * The pieces of a seat that are on the map.
 * @param {"caravan" | "merchant"} kind
 * @param {number} seat
 * @param {(string | null)[]} ids
 * @param {(id: string) => [number, number]} at
 */
const onMap = (kind, seat, ids, at) =>
  ids.flatMap((id, number) => (id ? [{ kind, seat, number, id, at: at(id) }] : []));

/**
 * @param {BoardElement} board
 * @param {number} seat
 * @param {number} number
 * @param {"caravan" | "merchant"} kind
 * @param {string} place
 * @param {[number, number]} at
 */
function piece(board, seat, number, kind, place, at) {
  const { context } = board;
  const { tool, moves } = seat === context.you ? journeys(board, kind, number) : { tool: kind, moves: [] };
  const label = `${heading(context, kind)}: ${context.names[seat]}`;
  const drawn = svg`<g class="traveller" role=${moves.length ? "presentation" : "img"}
    aria-label=${moves.length ? nothing : label} data-piece="${kind} ${seat} ${number}"
    data-place=${place}>${{ caravan, merchant }[kind](ownerOf(context, seat))}</g>`;
  if (!moves.length) return put(at, drawn);
  const inHand = board.local.piece === number && toolInHand(board)?.name === tool;
  return put(
    at,
    svg`<g class="target own-piece" role="button" tabindex="-1" data-target data-moves=${indexes(moves)}
      aria-pressed=${inHand}
    aria-label=${context.t("take_piece", {
      piece: label,
      number: moves.length,
    })} @click=${() => take(board, tool, inHand ? null : number)}>
    <circle class="hit" cy="-2" r="24"></circle><circle class="glow" cy="-2" r="20"></circle>${drawn}</g>`,
  );
}

/**
 * Select a caravan or merchant, or deselect it.
 * @param {BoardElement} board
 * @param {string} tool
 * @param {number | null} number
 */
function take(board, tool, number) {
  board.context.choose(null);
  board.update({ tool: number === null ? null : tool, piece: number, asking: null, supply: false });
  const first = number === null ? null : board.querySelector(".map .target:not(.own-piece)");
  /** @type {SVGElement | null} */ (first)?.focus({ preventScroll: true });
}

/**
 * @param {BoardElement} board
 * @param {import("./geography.js").Geography} geography
 * @param {import("./tools.js").Place} place
 * @param {import("../../types").Offered<import("../../types").EuropeMove>[]} moves
 */
function target(board, geography, place, moves) {
  const label =
    moves.length === 1 ? moves[0].label : board.context.t("several", { label: moves[0].label, number: moves.length });
  return svg`<g class="target ${place.kind}" role="button" tabindex="-1" data-target data-moves=${indexes(moves)}
    aria-label=${label}
    aria-pressed=${isChosen(board, moves)} @click=${() => board.pick(moves)}>
    <title>${label}</title>${mark(geography, place)}</g>`;
}

/** @param {import("./geography.js").Geography} geography @param {import("./tools.js").Place} place */
function mark(geography, place) {
  if (place.kind === "path") {
    const { a, b } = geography.paths[place.id];
    return svg`<line class="hit" x1=${a[0]} y1=${a[1]} x2=${b[0]} y2=${b[1]}></line>
      <line class="glow" x1=${a[0]} y1=${a[1]} x2=${b[0]} y2=${b[1]}></line>`;
  }
  const [x, y] = pointOfPlace(geography, place);
  if (place.kind === "hex") return svg`<path class="glow" d=${outlineOf([x, y], 52)}></path>`;
  return svg`<circle class="hit" cx=${x} cy=${y} r="27"></circle>
    <circle class="glow" cx=${x} cy=${y} r=${place.kind === "city" ? 21 : 13}></circle>`;
}
