// How a rated match has changed the rating of a player.
import * as api from "./api.js";

const PAUSE = 1500;
const ATTEMPTS = 20;
/** By how many deviations the rating is below the mean (docs/ratings.md). */
const BELOW = 3;

/** @param {import("../types").RatingPoint} point */
const ratingAt = ({ mean, deviation }) => mean - BELOW * deviation;

/**
 * Wait until the service has counted a match, a moment after its end.
 * @param {import("../types").Match} match
 * @param {string} player
 * @param {() => boolean} goesOn whether somebody still wants to know
 * @returns {Promise<{before: number | null, after: number} | null>} null if it was not counted in time
 */
export async function ratingChange(match, player, goesOn) {
  for (let attempt = 0; attempt < ATTEMPTS && goesOn(); attempt++) {
    const { ratings } = await api.get(`/v1/players/${encodeURIComponent(player)}`);
    for (const { game, history } of ratings) {
      const place = game === match.game ? history.findIndex((one) => one.match === match.id) : -1;
      if (place >= 0) return { before: place ? ratingAt(history[place - 1]) : null, after: ratingAt(history[place]) };
    }
    await api.pause(PAUSE);
  }
  return null;
}
