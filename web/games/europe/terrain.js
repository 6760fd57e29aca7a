/** The printed map: sea, land, paths, cities and their names. It is drawn once for each data set and language. */
import { nothing, svg } from '../../boards/lit.js';
import { word } from '../../boards/context.js';
import { coin } from './pieces.js';
import { middleOf, outlineOf } from './grid.js';
import { around, placed } from './labels.js';

/** @typedef {import('./geography.js').Geography} Geography */

const SPOTS = [[38, 0], [19, 33], [-19, 33], [-38, 0], [-19, -33], [19, -33]];

/**
 * One tree, sheep, ear, peak or heap of salt. They are used by reference, where no style sheet reaches: colours are attributes.
 * @type {Record<string, unknown>}
 */
export const GLYPHS = {
  forest: svg`<path fill="#557d47" stroke="#3f6138" stroke-linejoin="round" d="M0 -13 L6 -3 L3 -3 L8 6 L1.5 6 L1.5 10 L-1.5 10 L-1.5 6 L-8 6 L-3 -3 L-6 -3 Z"></path>`,
  pasture: svg`<path stroke="#4e4438" stroke-width="1.6" stroke-linecap="round" d="M-4 3 V8 M3 3 V8"></path><path fill="#fbf9ef" stroke="#8f9b6c" d="M-8 0 a4 4 0 0 1 4 -5 a4.5 4.5 0 0 1 7 0 a4 4 0 0 1 3 6 a4 4 0 0 1 -5 3 h-5 a4 4 0 0 1 -4 -4 Z"></path><ellipse fill="#4e4438" cx="8" cy="-3" rx="3" ry="2.4"></ellipse>`,
  field: svg`<path fill="none" stroke="#a97f21" stroke-width="1.3" d="M0 11 V-6 M-6 11 Q-5 2 -6 -3 M6 11 Q5 2 6 -3"></path><path fill="#c4962c" d="M0 -13 q3 4 0 8 q-3 -4 0 -8 M-6.5 -9 q3 4 0 7 q-3 -4 0 -7 M6.5 -9 q3 4 0 7 q-3 -4 0 -7"></path>`,
  mountain: svg`<path fill="#93877c" stroke="#6d6158" stroke-linejoin="round" d="M-14 9 L-4 -11 L1 -3 L5 -8 L14 9 Z"></path><path fill="#fbf9f4" d="M-4 -11 L-7 -5 L-4.5 -6.5 L-2.5 -3.5 L-1 -6.2 Z"></path>`,
  salt_works: svg`<path fill="#fdfdfb" stroke="#8d93a1" stroke-width="1.1" d="M-12 8 Q-7 -7 0 -9 Q7 -7 12 8 Z"></path><path fill="none" stroke="#a9afbb" d="M-3 -2 l3 -3 3 3 -3 3 Z M-7 4 l2.5 -2.5 2.5 2.5 M3 4 l2.5 -2.5 2.5 2.5"></path>`,
};

/** @param {[number, number]} at @param {unknown} what @param {string} [more] */
export const put = ([x, y], what, more = '') => svg`<g transform="translate(${x.toFixed(1)} ${y.toFixed(1)}) ${more}">${what}</g>`;

/**
 * The printed map.
 * @param {Geography} map
 * @param {import('../../boards/context.js').Context} context
 */
export const printed = (map, context) => svg`
  <defs>
    <radialGradient id="europe-sea" cx="0.5" cy="0.45" r="0.8"><stop offset="0" stop-color="#c9e0e6"></stop><stop offset="1" stop-color="#9cc3d3"></stop></radialGradient>
    <path id="europe-wave" fill="none" stroke="#8fb7c9" stroke-width="1.4" stroke-linecap="round" d="M-15 0 q3.75 -5 7.5 0 t7.5 0 t7.5 0 t7.5 0"></path>
    ${Object.entries(GLYPHS).map(([terrain, glyph]) => svg`<g id="europe-${terrain}">${SPOTS.map(([x, y]) => put([x, y], glyph, 'scale(.82)'))}</g>`)}
  </defs>
  ${sea(map)}${land(map)}${paths(map)}${cities(map)}${names(map, context)}`;

/** @param {Geography} map */
function sea(map) {
  const [x, y, width, height] = map.frame;
  return svg`<rect x=${x - 400} y=${y - 400} width=${width + 800} height=${height + 800} class="sea-deep"></rect>
    <rect x=${x} y=${y} width=${width} height=${height} fill="url(#europe-sea)"></rect>
    ${map.sea.map((hex, i) => {
      const [mx, my] = middleOf(hex);
      const [dx, dy] = [((i * 37) % 29) - 14, ((i * 53) % 31) - 15];
      return svg`<use href="#europe-wave" x=${mx + dx - 8} y=${my + dy}></use><use href="#europe-wave" x=${mx + dx + 12} y=${my + dy + 11}></use>`;
    })}`;
}

/** @param {Geography} map */
function land(map) {
  const hexes = [...map.hexes.values()];
  const coast = hexes.map(({ id }) => outlineOf(id)).join('');
  return svg`<path class="surf" d=${coast}></path><path class="surf near" d=${coast}></path><path class="coast" d=${coast}></path>
    ${hexes.map(({ id, terrain, at: [x, y] }) => svg`<path class="land ${terrain}" d=${outlineOf(id)}></path><use href="#europe-${terrain}" x=${x} y=${y}></use>`)}`;
}

/** @param {Geography} map */
const paths = (map) => svg`
  ${[...map.paths.values()].map(({ a, b, sea: wet }) => svg`<line class="path ${wet ? 'by-sea' : 'by-land'} under" x1=${a[0]} y1=${a[1]} x2=${b[0]} y2=${b[1]}></line><line class="path ${wet ? 'by-sea' : 'by-land'}" x1=${a[0]} y1=${a[1]} x2=${b[0]} y2=${b[1]}></line>`)}
  ${[...map.next.keys()].filter((corner) => !map.cityAt.has(corner)).map((corner) => crossing(map, corner))}
  ${[...map.paths.values()].filter(({ double }) => double).map(({ a, b, at }) => put(at, svg`<path class="arrows" d="M-22 0 L-10 -7 V-2.6 H10 V-7 L22 0 L10 7 V2.6 H-10 V7 Z"></path>`, `rotate(${slope(a, b).toFixed(1)})`))}`;

/** @param {Geography} map @param {string} corner */
function crossing(map, corner) {
  const path = [...map.paths.values()].find(({ ends }) => ends.includes(corner));
  const [x, y] = path?.ends[0] === corner ? path.a : (path?.b ?? [0, 0]);
  return svg`<circle class="crossing" cx=${x} cy=${y} r="4"></circle>`;
}

/** @param {[number, number]} a @param {[number, number]} b */
export const slope = ([ax, ay], [bx, by]) => (Math.atan2(by - ay, bx - ax) * 180) / Math.PI;

/** @param {Geography} map */
const cities = (map) => [...map.cities.values()].map((city) => svg`
  ${put(city.at, svg`<path class="city ${city.violet ? 'violet' : ''}" d="M0 -11.5 L10 -5.75 V5.75 L0 11.5 L-10 5.75 V-5.75 Z"></path>`)}
  ${city.gold ? put(map.coinOf(city), coin(city.gold)) : nothing}`);

/** @param {Geography} map @param {import('../../boards/context.js').Context} context */
function names(map, context) {
  const [x, y, width, height] = map.frame;
  const taken = [
    ...[...map.hexes.values()].map(({ at }) => around(at, 20)),
    ...[...map.cities.values()].flatMap((city) => [around(city.at, 17), ...(city.gold ? [around(map.coinOf(city), 10)] : [])]),
    ...[...map.paths.values()].filter(({ double }) => double).map(({ at }) => around(at, 13)),
  ];
  const wanted = [...map.cities.values()].map((city) => ({ text: context.words?.[city.id] ? word(context, city.id) : city.name, at: city.at }));
  const labels = placed(wanted, taken, { left: x, top: y, right: x + width, bottom: y + height });
  return labels.map((label) => svg`<text class="city-name" x=${label.x.toFixed(1)} y=${label.y.toFixed(1)}>${label.text}</text>`);
}
