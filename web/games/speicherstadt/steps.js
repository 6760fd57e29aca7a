// What the facts of The Speicherstadt mean for the board: how long each is shown, which parts of the view it changes,
// where it happens, and who gains or loses what.

/** @typedef {import("../../types").SpeicherstadtFact} Fact */

/** @param {string} id */
const card = (id) => `[data-piece="card ${id}"]`;
/** @param {number} seat @param {string} of @param {number} by */
const one = (seat, of, by) => [{ seat, of, by }];
/** @param {string} of @param {readonly number[]} counts by seat */
const each = (of, counts) => counts.flatMap((by, seat) => (by ? [{ seat, of, by }] : []));
/** @param {number} seat @param {readonly string[]} goods @param {number} by */
const cubes = (seat, goods, by) =>
  [...new Set(goods)].map((of) => ({ seat, of, by: by * goods.filter((good) => good === of).length }));

const SALE = ["row", "buyer", "seats.workers"];
const CUBES = ["seats.quay", "seats.market_hall", "seats.warehouse", "stock", "seats.steps"];
const COINS = ["seats.coins"];

/** @type {import("../../types").StepRules<Fact>} */
export const STEPS = {
  first_player_chosen: { weight: 1, parts: ["first_player"] },
  pile_stacked: { weight: 0, parts: ["pile", "removed"] },
  bag_filled: { weight: 0, parts: ["bag"] },
  round_begun: { weight: 1, parts: ["round", "phase", "buyer", "loading"] },
  cards_revealed: { weight: 1.5, parts: ["row", "pile", "bag", "phase"], at: ({ cards }) => cards.map(card) },
  fire_fought: {
    weight: 2.5,
    big: true,
    parts: ["seats.points", "seats.score", "pile", "discarded"],
    changes: ({ points }) => each("score", points),
  },
  worker_placed: { weight: 1, parts: ["row", "seats.workers"], at: ({ card: id }) => [card(id)] },
  card_offered: { weight: 0, parts: ["phase", "buyer"] },
  card_bought: {
    weight: 1.2,
    parts: [...SALE, ...COINS, "seats.cards", "seats.contracts", "seats.firemen", "seats.bought", "seats.quay"],
    at: ({ card: id }) => [card(id)],
    changes: ({ seat, price, cubes: goods }) => [...one(seat, "coins", -price), ...cubes(seat, goods, 1)],
  },
  card_declined: { weight: 1, parts: SALE, at: ({ card: id }) => [card(id)] },
  buyer_passed_over: { weight: 1, parts: SALE, at: ({ card: id }) => [card(id)] },
  card_discarded: { weight: 1, parts: [...SALE, "stock", "discarded"] },
  loading_begun: { weight: 0, parts: ["phase", "loading"] },
  cube_delivered: {
    weight: 1,
    parts: [...CUBES, "seats.contracts", "seats.points", "seats.score"],
    at: ({ contract }) => [card(contract)],
  },
  cube_sold: { weight: 1, parts: [...CUBES, ...COINS], changes: ({ seat }) => one(seat, "coins", 1) },
  cube_stored: { weight: 0.7, parts: CUBES },
  cube_kept: { weight: 0.7, parts: CUBES },
  cube_taken_out: { weight: 0.7, parts: CUBES },
  cubes_converted: {
    weight: 1,
    parts: CUBES,
    changes: ({ seat, given, taken }) => [...cubes(seat, given, -1), ...one(seat, taken, 1)],
  },
  two_cubes_sold: { weight: 1, parts: [...CUBES, ...COINS], changes: ({ seat }) => one(seat, "coins", 1) },
  loading_finished: { weight: 0, parts: ["loading"] },
  cubes_lost: { weight: 1.2, parts: CUBES, changes: ({ seat, cubes: goods }) => cubes(seat, goods, -1) },
  income_paid: { weight: 1.5, big: true, parts: COINS, changes: ({ coins }) => each("coins", coins) },
  metal_coin_passed: { weight: 1, parts: ["first_player"] },
  game_ended: { weight: 2, parts: ["phase", "places", "seats.points", "seats.score"] },
};
