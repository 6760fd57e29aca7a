/** The possessions of a seat as numbers; the cost of a move is the difference that it makes. */
import { RESOURCES } from './geography.js';

/** @typedef {import('../../types').Holding} Holding */

/**
 * @param {any} view
 * @param {number} seat
 * @param {import('../../types').BoardWords} words
 * @returns {Holding[]}
 */
export function holdings(view, seat, { t, word }) {
  const own = view.players[seat];
  return [
    { name: word('gold'), count: own.gold },
    ...RESOURCES.map((name) => ({ name: word(name), count: own.resources?.[name] ?? 0 })),
    { name: t('card_count'), count: own.card_count },
    { name: word('goods'), count: own.goods.delivered },
    { name: t('routes_left'), count: own.routes_left },
    { name: t('posts_left'), count: own.posts_left },
  ];
}
