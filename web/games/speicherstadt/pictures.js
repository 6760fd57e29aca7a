// The pictures on the cards, 120 by 76 units.
import { svg } from "../../boards/lit.js";
import { cubeShape } from "./goods.js";

const WAVES = svg`<path class="water" d="M0 62 q7.5 -5 15 0 t15 0 t15 0 t15 0 t15 0 t15 0 t15 0 t15 0 V76 H0 Z"></path>
  <path class="ripple" d="M8 70 q4 -3 8 0 t8 0 M58 71 q4 -3 8 0 t8 0 M92 69 q4 -3 8 0 t8 0"></path>`;

const QUAY = svg`<rect class="stone" y="64" width="120" height="12"></rect>
  <path class="joint" d="M0 70 H120 M16 64 V70 M40 64 V70 M66 64 V70 M92 64 V70 M6 70 V76 M30 70 V76 M54 70 V76 M80
    70 V76 M106 70 V76"></path>`;

/** @type {Record<string, (card: import("../../types").Card) => unknown>} */
const PICTURES = {
  ship: (card) => svg`${WAVES}
    <path class="wood" d="M14 46 H106 Q103 60 92 66 H30 Q19 60 14 46 Z"></path>
    <path class="wood-light" d="M14 46 H106 L105 50 H15.5 Z"></path>
    <path class="mast" d="M36 46 V8 M72 46 V4 M98 46 L112 34"></path>
    <path class="sail" d="M38 10 Q52 18 51 33 L38 33 Z M74 6 Q94 16 93 33 L74 33 Z M34 14 Q24 22 22 36 L34 36 Z M70
      12 Q58 20 56 34 L70 34 Z"></path>
    <path class="flag" d="M72 4 l10 3 -10 3 Z"></path>
    ${(card.cubes ?? []).map((good, i) => svg`<g transform="translate(${34 + i * 26} 46)">${cubeShape(good)}</g>`)}`,
  contract: (card) => {
    const goods = card.goods ?? [];
    const step = 24;
    return svg`<path class="paper" d="M12 10 Q12 4 18 4 H100 Q108 4 108 12 V62 Q108 72 98 72 H22 Q12 72 12 62 Z"></path>
      <path class="paper-fold" d="M12 14 Q12 4 20 4 Q26 4 26 12 V16 H12 Z"></path>
      <path class="writing" d="M34 13 H92 M34 19 H80 M26 62 H66"></path>
      ${goods.map(
        (good, i) =>
          svg`<g
            transform="translate(${60 + (i - (goods.length - 1) / 2) * step} 41) scale(.92)">${cubeShape(good)}</g>`,
      )}
      <path class="seal" d="M92 56 l3 2 3.6 -1 1 3.6 3 2 -2 3 .4 3.6 -3.8 .6 -2.6 2.6 -2.8 -2.4 -3.8 0 -.2 -3.8 -2.4
        -2.8 2.4 -2.8 .4 -3.6 Z"></path>`;
  },
  fireman: (card) => svg`${QUAY}
    <path class="axe" d="M26 60 L86 18 M34 18 L94 60"></path>
    <path class="steel" d="M84 10 q10 2 12 14 l-10 -1 -6 -6 Z M36 10 q-10 2 -12 14 l10 -1 6 -6 Z"></path>
    <path class="helmet" d="M28 52 Q28 14 60 14 Q92 14 92 52 Z"></path>
    <path class="helmet-crest" d="M54 14 Q60 4 66 14 V36 H54 Z"></path>
    <path class="helmet-rim" d="M18 56 Q24 48 34 50 H86 Q96 48 102 56 Q98 60 92 58 H28 Q22 60 18 56 Z"></path>
    <circle class="badge" cx="60" cy="40" r="13"></circle>
    <text class="badge-text" x="60" y="46.5" text-anchor="middle">${card.value ?? ""}</text>`,
  counting_office: () => svg`<rect class="desk" y="58" width="120" height="18"></rect>
    <path class="paper" d="M60 20 Q40 10 18 18 V58 Q40 50 60 60 Q80 50 102 58 V18 Q80 10 60 20 Z"></path>
    <path class="writing" d="M26 26 Q40 22 53 27 M26 33 Q40 29 53 34 M26 40 Q40 36 53 41 M26 47 Q40 43 53 48 M68 27
      Q80 22 94 26 M68 34 Q80 29 94 33 M68 41 Q80 36 88 38"></path>
    <path class="joint" d="M60 20 V60"></path>
    <path class="quill" d="M78 56 Q86 26 112 6 Q110 34 82 52 Z"></path>
      <path class="line" d="M76 60 Q90 34 110 10"></path>`,
  coffee_roaster: () => svg`${QUAY}
    <path class="steam" d="M40 20 q-6 -6 0 -11 t0 -8 M56 18 q-6 -6 0 -11 t0 -8 M72 20 q-6 -6 0 -11 t0 -8"></path>
    <path class="cup" d="M26 26 H86 Q86 60 66 64 H46 Q26 60 26 26 Z"></path>
    <path class="cup-line" d="M86 32 Q104 30 102 44 Q98 56 80 54"></path>
    <ellipse class="brew" cx="56" cy="27" rx="30" ry="5"></ellipse>
    <g class="bean" transform="translate(56 46)"><ellipse rx="11" ry="8" transform="rotate(-35)"></ellipse>
      <path class="bean-line" d="M-8 6 Q-1 3 0 -1 Q1 -4 8 -6"></path></g>`,
  tea_taster: () => svg`${QUAY}
    <path class="steam" d="M46 12 q-6 -5 0 -10 M62 12 q-6 -5 0 -10"></path>
    <path class="pot" d="M26 40 Q26 20 54 20 Q82 20 82 40 Q82 60 66 64 H42 Q26 60 26 40 Z"></path>
    <path class="pot-line" d="M26 32 Q8 26 12 42 Q16 52 28 50 M81 46 Q94 46 98 28 L106 26"></path>
    <path class="pot-lid" d="M40 22 Q54 12 68 22 Z"></path><circle class="pot-lid" cx="54" cy="14" r="3.5"></circle>
    <g class="leaf" transform="translate(54 42) scale(1.9)"><path d="M-5 4 Q-5 -4.5 5 -5 Q5 4.5 -5 4 Z"></path></g>`,
  spice_trader: () => svg`${QUAY}
    <path class="heap" d="M26 40 Q44 12 60 12 Q76 12 94 40 Z"></path>
    <path class="heap-dots" d="M50 28 h.1 M60 22 h.1 M68 32 h.1 M56 36 h.1 M44 36 h.1 M76 36 h.1 M63 29 h.1"></path>
    <path class="bowl" d="M18 38 H102 Q100 60 78 64 H42 Q20 60 18 38 Z"></path>
    <path class="bowl-line" d="M26 48 Q60 56 94 48"></path>`,
  carpet_trader: () => svg`${QUAY}
    <path class="carpet" d="M16 16 H84 V56 H16 Z"></path>
    <path class="carpet-pattern" d="M22 22 H78 V50 H22 Z M50 24 L66 36 L50 48 L34 36 Z M50 30 L58 36 L50 42 L42 36
      Z"></path>
    <path class="carpet-roll" d="M84 12 H92 Q100 12 100 20 V56 Q100 62 92 62 H84 Z"></path>
    <path class="carpet-spiral" d="M92 18 Q96 20 92 24 M90 30 H96 M90 38 H96 M90 46 H96"></path>
    <path class="fringe" d="M16 18 h-5 M16 24 h-5 M16 30 h-5 M16 36 h-5 M16 42 h-5 M16 48 h-5 M16 54 h-5"></path>`,
  vulcanizer: () => svg`${QUAY}
    <circle class="tyre" cx="48" cy="38" r="27"></circle><circle class="rim" cx="48" cy="38" r="15"></circle>
    <path class="spokes" d="M48 23 V53 M33 38 H63 M37.5 27.5 L58.5 48.5 M58.5 27.5 L37.5 48.5"></path>
    <circle class="hub" cx="48" cy="38" r="4"></circle>
    <path class="drop" d="M94 24 Q106 40 106 48 A12 11 0 0 1 82 48 Q82 40 94 24 Z"></path>`,
  warehouse: () => svg`${WAVES}
    <path class="brick" d="M22 64 V28 H30 V22 H38 V16 H46 V10 H74 V16 H82 V22 H90 V28 H98 V64 Z"></path>
    <path class="brick-line" d="M22 36 H98 M22 44 H98 M22 52 H98 M22 60 H98"></path>
    <path class="copper" d="M44 10 L60 0 L76 10 Z"></path>
    <path class="door" d="M53 64 V18 Q60 13 67 18 V64 Z"></path>
      <path class="joint" d="M53 28 H67 M53 40 H67 M53 52 H67"></path>
    <path class="window" d="M29 32 h7 v7 h-7 Z M41 32 h7 v7 h-7 Z M72 32 h7 v7 h-7 Z M84 32 h7 v7 h-7 Z M29 47 h7 v7
      h-7 Z M41 47 h7 v7 h-7 Z M72 47 h7 v7 h-7 Z M84 47 h7 v7 h-7 Z"></path>
    <path class="rope" d="M60 8 V26"></path><g transform="translate(62 32) scale(.6)">${cubeShape("coffee")}</g>`,
  bank: () => svg`${QUAY}
    <path class="marble" d="M16 28 L60 6 L104 28 Z M22 58 H98 V64 H22 Z M20 28 H100 V33 H20 Z"></path>
    <path class="column" d="M27 33 h9 v25 h-9 Z M47 33 h9 v25 h-9 Z M65 33 h9 v25 h-9 Z M84 33 h9 v25 h-9 Z"></path>
    <circle class="gold" cx="60" cy="20" r="6.5"></circle>
      <path class="gold-line" d="M60 16 V24 M57.5 18 H62 M57.5 22 H62"></path>`,
  fire: (card) => svg`<path class="brick dark" d="M14 76 V44 H24 V36 H34 V28 H86 V36 H96 V44 H106 V76 Z"></path>
    <path class="window lit" d="M26 50 h10 v12 h-10 Z M84 50 h10 v12 h-10 Z"></path>
    <path class="flame" d="M60 2 Q66 16 78 22 Q92 30 88 48 Q84 68 60 70 Q36 68 32 50 Q30 36 40 28 Q42 36 48 38 Q46 16
      60 2 Z"></path>
    <path class="flame-inner" d="M60 30 Q64 40 72 44 Q78 50 74 58 Q70 66 60 67 Q48 66 46 56 Q46 48 52 44 Q54 48 57 48
      Q55 38 60 30 Z"></path>
    <text class="flame-text" x="60" y="63" text-anchor="middle">${card.points ?? ""}</text>`,
  chamber_of_commerce: () => svg`${QUAY}
    <path class="marble" d="M14 40 H106 V64 H14 Z"></path>
      <path class="copper" d="M14 40 L22 32 H98 L106 40 Z M46 22 L60 4 L74 22 Z"></path>
    <path class="marble" d="M46 22 H74 V40 H46 Z"></path>
    <path class="window" d="M20 45 h7 v12 h-7 Z M32 45 h7 v12 h-7 Z M81 45 h7 v12 h-7 Z M93 45 h7 v12 h-7 Z"></path>
    <path class="door" d="M53 64 V50 Q60 42 67 50 V64 Z"></path>
    <circle class="clock" cx="60" cy="29" r="6.5"></circle><path class="line" d="M60 25 V29 L63 31"></path>`,
  boatsmen_church: () => svg`${WAVES}
    <path class="wood" d="M10 54 H110 Q104 66 94 68 H26 Q16 66 10 54 Z"></path>
    <path class="wood-light" d="M10 54 H110 L108.5 58 H11.5 Z"></path>
    <path class="marble" d="M34 54 V34 H86 V54 Z"></path><path class="copper" d="M30 34 L40 24 H90 L94 34 Z"></path>
    <path class="brick" d="M40 34 V18 H54 V34 Z"></path><path class="copper" d="M38 18 L47 2 L56 18 Z"></path>
    <path class="line" d="M47 2 V-4 M44 -1.5 H50"></path>
    <path class="window" d="M60 40 q3 -5 6 0 v9 h-6 Z M72 40 q3 -5 6 0 v9 h-6 Z"></path>
      <path class="door" d="M43 54 V44 Q47 39 51 44 V54 Z"></path>`,
  st_michaelis: () => svg`${QUAY}
    <path class="brick" d="M10 64 V42 H110 V64 Z"></path><path class="copper" d="M8 42 L20 32 H100 L112 42 Z"></path>
    <path class="brick" d="M46 64 V22 H74 V64 Z"></path>
      <path class="marble" d="M44 20 H76 V24 H44 Z M49 12 H71 V20 H49 Z"></path>
    <path class="column" d="M51 12 h3 v8 h-3 Z M58.5 12 h3 v8 h-3 Z M66 12 h3 v8 h-3 Z"></path>
    <path class="copper" d="M47 12 Q60 -4 73 12 Z M58 3 L60 -8 L62 3 Z"></path>
    <circle class="clock" cx="60" cy="34" r="7.5"></circle><path class="line" d="M60 29 V34 L64 36"></path>
    <path class="window" d="M18 48 q4 -6 8 0 v10 h-8 Z M32 48 q4 -6 8 0 v10 h-8 Z M80 48 q4 -6 8 0 v10 h-8 Z M94 48
      q4 -6 8 0 v10 h-8 Z"></path>
    <path class="door" d="M54 64 V52 Q60 45 66 52 V64 Z"></path>`,
  port: () => svg`${WAVES}
    <path class="stone" d="M0 54 H52 V76 H0 Z"></path>
      <path class="joint" d="M0 62 H52 M18 54 V62 M36 54 V62 M8 62 V70 M28 62 V70"></path>
    <path class="steel-line" d="M14 54 L24 16 L34 54 M17 42 H31 M20 30 H28"></path>
    <path class="steel-line" d="M10 22 L24 14 L98 8 M24 16 L24 6 L70 10"></path>
    <path class="rope" d="M92 9 V34"></path><g transform="translate(92 42) scale(.8)">${cubeShape("tea")}</g>
    <path class="wood" d="M66 58 H118 Q114 68 108 70 H76 Q69 66 66 58 Z"></path>`,
};

const SKY = svg`<path class="skyline" d="M0 64 V44 H8 V38 H14 V44 H22 V34 L26 24 L30 34 V46 H40 V40 H52 V46 H64 V36
  H70 V42 H84 V30 L87 18 L90 30 V44 H102 V38 H110 V44 H120 V64 Z"></path>`;

/**
 * The picture of a card, on a sky of its season.
 * @param {import("../../types").Card} card
 */
export const picture = (card) => svg`<svg class="picture season-${card.season}" viewBox="0 0 120 76"
  aria-hidden="true" preserveAspectRatio="xMidYMid slice">
    <rect class="sky" width="120" height="76"></rect>${SKY}${PICTURES[card.kind]?.(card) ?? ""}</svg>`;
