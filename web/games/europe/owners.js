/** The colour and the letter of a seat. */
import { letterOf } from '../../boards/seats.js';

/** @typedef {import('../../boards/context.js').Context} Context */

/**
 * @param {Context} context
 * @param {number | null} seat null for the neutral posts
 * @returns {{ colour: string, letter: string }}
 */
export const ownerOf = (context, seat) =>
  seat === null || seat === undefined
    ? { colour: 'neutral', letter: '–' }
    : { colour: context.view.players[seat].colour, letter: letterOf(seat) };
