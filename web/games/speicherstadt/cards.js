/** The properties of a card, from its id and the data set: views give the cards of seats only by id. */

const SEASONS = { a: 'winter', b: 'spring', c: 'summer', d: 'autumn', e: 'end' };
const FIRES = ['spring', 'summer', 'autumn', 'end'];

/** @type {Record<string, string>} Each merchant, with the good that it buys. */
export const MERCHANTS = {
  coffee_roaster: 'coffee',
  tea_taster: 'tea',
  spice_trader: 'saffron',
  carpet_trader: 'carpet',
  vulcanizer: 'rubber',
};

export const SEASON_NAMES = ['winter', 'spring', 'summer', 'autumn', 'end'];

/**
 * The kind, season and value of a card.
 * @param {any} data the data set
 * @param {string} id
 * @returns {{ card: string, kind: string, season: string, value?: number, points?: number, goods?: string[] }}
 */
export function cardOf(data, id) {
  const document = data?.document ?? data ?? {};
  const numbered = /^(.+)_([a-e])(\d)$/.exec(id);
  if (numbered) {
    const season = SEASONS[/** @type {keyof typeof SEASONS} */ (numbered[2])];
    const alike = (document[season] ?? []).filter((/** @type {any} */ card) => card.kind === numbered[1]);
    return { card: id, kind: numbered[1], season, ...alike[Number(numbered[3]) - 1] };
  }
  const fire = /^fire_(\d)$/.exec(id);
  if (fire) {
    const season = FIRES[Number(fire[1]) - 1];
    const found = (document[season] ?? []).find((/** @type {any} */ card) => card.kind === 'fire');
    return { card: id, kind: 'fire', season, ...found };
  }
  const season = SEASON_NAMES.find((name) =>
    (document[name] ?? []).some((/** @type {any} */ card) => card.kind === id),
  );
  return { card: id, kind: id, season: season ?? 'winter' };
}
