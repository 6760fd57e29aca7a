/** The possessions of a seat as numbers; the cost of a move is the difference that it makes. */
import { GOODS } from './goods.js';

/** @typedef {import('../../types').Holding} Holding */

/**
 * @param {any} view
 * @param {number} seat
 * @param {import('../../types').BoardWords} words
 * @returns {Holding[]}
 */
export function holdings(view, seat, { t, word }) {
  const { coins, workers, score, quay, market_hall: hall, warehouse } = view.seats[seat];
  const cubes = [...quay, ...hall, ...(warehouse ?? [])];
  return [
    { name: t('coins'), count: coins },
    { name: t('holding_workers'), count: workers },
    { name: t('score'), count: score },
    ...GOODS.map((good) => ({ name: word(good), count: cubes.filter((other) => other === good).length })),
  ];
}
