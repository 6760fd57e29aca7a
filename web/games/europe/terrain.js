// The printed map: sea, land, paths, cities and their names. It is drawn once for each data set and language.
import { nothing, svg } from "../../boards/lit.js";
import { moved } from "../../boards/outline.js";
import { coin } from "./pieces.js";
import { coinOf, outlineOf } from "./geography.js";
import { around, placed } from "./labels.js";

/** @typedef {import("./geography.js").Geography} Geography */

const SPOTS = [
  [38, 0],
  [19, 33],
  [-19, 33],
  [-38, 0],
  [-19, -33],
  [19, -33],
];

/** @type {Record<string, [string, string][]>} One tree, sheep, ear, peak or heap of salt: parts with their class. */
const GLYPHS = {
  forest: [["tree", "M0 -13 L6 -3 L3 -3 L8 6 L1.5 6 L1.5 10 L-1.5 10 L-1.5 6 L-8 6 L-3 -3 L-6 -3 Z"]],
  pasture: [
    ["sheep-legs", "M-4 3 V8 M3 3 V8"],
    ["sheep", "M-8 0 a4 4 0 0 1 4 -5 a4.5 4.5 0 0 1 7 0 a4 4 0 0 1 3 6 a4 4 0 0 1 -5 3 h-5 a4 4 0 0 1 -4 -4 Z"],
    ["sheep-head", "M5 -3 a3 2.4 0 1 0 6 0 a3 2.4 0 1 0 -6 0 Z"],
  ],
  field: [
    ["straw", "M0 11 V-6 M-6 11 Q-5 2 -6 -3 M6 11 Q5 2 6 -3"],
    ["corn", "M0 -13 q3 4 0 8 q-3 -4 0 -8 M-6.5 -9 q3 4 0 7 q-3 -4 0 -7 M6.5 -9 q3 4 0 7 q-3 -4 0 -7"],
  ],
  mountain: [
    ["peak", "M-14 9 L-4 -11 L1 -3 L5 -8 L14 9 Z"],
    ["snow", "M-4 -11 L-7 -5 L-4.5 -6.5 L-2.5 -3.5 L-1 -6.2 Z"],
  ],
  salt_works: [
    ["salt-heap", "M-12 8 Q-7 -7 0 -9 Q7 -7 12 8 Z"],
    ["salt-grains", "M-3 -2 l3 -3 3 3 -3 3 Z M-7 4 l2.5 -2.5 2.5 2.5 M3 4 l2.5 -2.5 2.5 2.5"],
  ],
};
const GLYPH_SIZE = 0.82;
const WAVE = "M-15 0 q3.75 -5 7.5 0 t7.5 0 t7.5 0 t7.5 0";
const CITY = "M0 -11.5 L10 -5.75 V5.75 L0 11.5 L-10 5.75 V-5.75 Z";

/** @param {[number, number]} at @param {unknown} what @param {string} [more] */
export const put = ([x, y], what, more = "") =>
  svg`<g transform="translate(${x.toFixed(1)} ${y.toFixed(1)}) ${more}">${what}</g>`;

/**
 * The printed map without the names.
 * @param {Geography} map
 */
export const printed = (map) => svg`
  <defs>
    <radialGradient id="europe-sea" cx="0.5" cy="0.45" r="0.8"><stop offset="0" stop-color="#c9e0e6"></stop>
      <stop offset="1" stop-color="#9cc3d3"></stop></radialGradient>
  </defs>
  ${sea(map)}${land(map)}${paths(map)}${cities(map)}`;

/** @param {Geography} map */
function sea(map) {
  const [x, y, width, height] = map.frame;
  const waves = map.sea.map(([mx, my], i) => {
    const [dx, dy] = [((i * 37) % 29) - 14, ((i * 53) % 31) - 15];
    return moved(WAVE, [mx + dx - 8, my + dy]) + moved(WAVE, [mx + dx + 12, my + dy + 11]);
  });
  return svg`<rect x=${x - 400} y=${y - 400} width=${width + 800} height=${height + 800} class="sea-deep"></rect>
    <rect x=${x} y=${y} width=${width} height=${height} fill="url(#europe-sea)"></rect>
      <path class="wave" d=${waves.join("")}></path>`;
}

/** @param {Geography} map */
function land(map) {
  const hexes = Object.values(map.hexes);
  const coast = hexes.map(({ at }) => outlineOf(at)).join("");
  return svg`<path class="surf" d=${coast}></path><path class="surf near" d=${coast}></path>
    <path class="coast" d=${coast}></path>
    ${Object.keys(GLYPHS).map((terrain) =>
      country(
        terrain,
        hexes.filter((hex) => hex.terrain === terrain),
      ),
    )}`;
}

/** All hexes of a terrain. @param {string} terrain @param {import("./geography.js").Hex[]} hexes */
const country = (
  terrain,
  hexes,
) => svg`<path class="land ${terrain}" d=${hexes.map(({ at }) => outlineOf(at)).join("")}></path>
  ${GLYPHS[terrain].map(
    ([name, glyph]) =>
      svg`<path class=${name} d=${hexes
        .flatMap(({ at: [x, y] }) => SPOTS.map(([dx, dy]) => moved(glyph, [x + dx, y + dy], GLYPH_SIZE)))
        .join("")}></path>`,
  )}`;

/** @param {Geography} map */
function paths(map) {
  const all = Object.values(map.paths);
  const lines = (/** @type {boolean} */ wet) =>
    all
      .filter(({ sea: by }) => by === wet)
      .map(({ a, b }) => `M${a.join(" ")}L${b.join(" ")}`)
      .join("");
  const [byLand, bySea] = [lines(false), lines(true)];
  return svg`<path class="path by-sea under" d=${bySea}></path><path class="path by-sea" d=${bySea}></path>
    <path class="path by-land under" d=${byLand}></path><path class="path by-land" d=${byLand}></path>
    ${Object.values(map.crossroads)
      .filter(({ city }) => city === null)
      .map(({ at: [x, y] }) => svg`<circle class="crossing" cx=${x} cy=${y} r="4"></circle>`)}
    ${all
      .filter(({ double }) => double)
      .map(({ a, b, at }) =>
        put(
          at,
          svg`<path class="arrows" d="M-22 0 L-10 -7 V-2.6 H10 V-7 L22 0 L10 7 V2.6 H-10 V7 Z"></path>`,
          `rotate(${slope(a, b).toFixed(1)})`,
        ),
      )}`;
}

/** @param {[number, number]} a @param {[number, number]} b */
const slope = ([ax, ay], [bx, by]) => (Math.atan2(by - ay, bx - ax) * 180) / Math.PI;

/** @param {Geography} map */
const cities = (map) =>
  Object.values(map.cities).map(
    (city) => svg`<path class="city ${city.violet ? "violet" : ""}" d=${moved(CITY, city.at)}></path>
  ${city.gold ? coin(city.gold, coinOf(city)) : nothing}`,
  );

/** The names of the cities. @param {Geography} map @param {import("../../types").EuropeContext} context */
export function names(map, context) {
  const [x, y, width, height] = map.frame;
  const taken = [
    ...Object.values(map.hexes).map(({ at }) => around(at, 20)),
    ...Object.values(map.cities).flatMap((city) => [
      around(city.at, 17),
      ...(city.gold ? [around(coinOf(city), 10)] : []),
    ]),
    ...Object.values(map.paths)
      .filter(({ double }) => double)
      .map(({ at }) => around(at, 13)),
  ];
  const wanted = Object.values(map.cities).map((city) => ({ text: context.words[city.id] ?? city.name, at: city.at }));
  const labels = placed(wanted, taken, { left: x, top: y, right: x + width, bottom: y + height });
  return labels.map(
    (label) => svg`<text class="city-name" x=${label.x.toFixed(1)} y=${label.y.toFixed(1)}>${label.text}</text>`,
  );
}
