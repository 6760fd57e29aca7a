// What the facts of Settlers of Europe mean for the board: how long each is shown, which parts of the view it changes,
// where it happens, and who gains or loses what.

/** @typedef {import("../../types").EuropeFact} Fact */
/** @typedef {Partial<Record<string, number>>} Counts */

/** @param {string} piece @param {string} place */
const at = (piece, place) => `[data-piece^="${piece}"][data-place="${place}"]`;
const hex = (/** @type {string} */ id) => at("number", id);
const city = (/** @type {string} */ id) => at("post", id);
const road = (/** @type {string} */ id) => at("route", id);
/** @param {"caravan" | "merchant"} kind @param {number} seat @param {number} number */
const traveller = (kind, seat, number) => `[data-piece="${kind} ${seat} ${number}"]`;

/** @param {number} seat @param {string} of @param {number} by */
const one = (seat, of, by) => (by ? [{ seat, of, by }] : []);
/** @param {number} seat @param {object} counts @param {number} [by] */
const all = (seat, counts, by = 1) =>
  Object.entries(/** @type {Counts} */ (counts)).flatMap(([of, count]) => one(seat, of, by * (count ?? 0)));

const CARDS = ["players.resources", "players.hand_size", "supply"];
const GOLD = "players.gold";
const ROUTES = ["routes", "players.routes_left", ...CARDS];
const PLAYED = ["players.cards", "players.card_count", "played_cards", "card_played"];
const OFFERS = ["offers", "players.offers_made"];
const TOKENS = ["numbers", "tokens", "sea"];

/** @type {import("../../types").StepRules<Fact>} */
export const STEPS = {
  start_rolled: { weight: 1.2, parts: [], chance: true },
  first_player_found: { weight: 1, parts: ["first", "active"] },
  colour_placed: {
    weight: 1.2,
    parts: ["posts", "players.posts_left", "players.goods", "players.caravans", ...ROUTES],
    at: ({ posts, route }) => [...posts.map(city), road(route)],
  },
  neutral_posts_placed: { weight: 1, parts: ["posts", "neutral"], at: ({ cities }) => cities.map(city) },
  placement_opened: { weight: 0, parts: ["set_up", "active"] },
  start_post_placed: {
    weight: 1,
    parts: ["posts", "players.posts_left", "players.goods"],
    at: ({ city: id }) => [city(id)],
  },
  start_cards_taken: { weight: 1, parts: CARDS, changes: ({ seat, cards }) => all(seat, cards) },
  neutral_post_placed: { weight: 1, parts: ["posts", "neutral"], at: ({ city: id }) => [city(id)] },
  start_route_placed: { weight: 1, parts: [...ROUTES, "players.caravans"], at: ({ path }) => [road(path)] },
  turn_began: { weight: 0.6, parts: ["turn", "round", "active", "phase", "dice", "rolled"] },
  turn_ended: { weight: 0, parts: ["players.new_card"] },
  dice_rolled: {
    weight: 1.8,
    big: true,
    chance: true,
    parts: ["dice", "rolled"],
    at: ({ dice: [one, other] }) => [`[data-piece^="number ${one + other} "]`],
  },
  resources_produced: {
    weight: 1.5,
    chance: true,
    parts: [...CARDS, GOLD],
    changes: ({ gains, gold }) => [
      ...gains.flatMap(({ seat, cards }) => all(seat, cards)),
      ...gold.flatMap((seat) => one(seat, "gold", 1)),
    ],
  },
  robber_woken: { weight: 1.2, parts: ["phase"] },
  cards_discarded: { weight: 1, parts: CARDS, changes: ({ seat, cards }) => all(seat, cards, -1) },
  robber_moved: { weight: 1.2, parts: ["robber"], at: ({ hex: id }) => [at("robber", id), hex(id)] },
  card_stolen: {
    weight: 1.5,
    big: true,
    parts: CARDS,
    changes: ({ thief, victim, resource }) => {
      const of = resource ?? "hand_size";
      return [...one(thief, of, 1), ...one(victim, of, -1)];
    },
  },
  theft_forgone: { weight: 1, parts: [] },
  resource_bought: {
    weight: 1,
    parts: [...CARDS, GOLD, "gold_buys"],
    changes: ({ seat, resource, gold }) => [...one(seat, "gold", -gold), ...one(seat, resource, 1)],
  },
  supply_traded: {
    weight: 1,
    parts: [...CARDS, GOLD],
    changes: ({ seat, give, count, take }) => [...one(seat, give, -count), ...one(seat, take, 1)],
  },
  pile_renewed: { weight: 1, parts: ["pile", "played_cards"] },
  card_bought: {
    weight: 1,
    parts: [...CARDS, "players.cards", "players.card_count", "players.new_card", "pile", "card_bought"],
    changes: ({ seat, paid }) => [...all(seat, paid, -1), ...one(seat, "card_count", 1)],
  },
  merchant_hired: {
    weight: 1,
    parts: ["players.merchants", ...CARDS],
    at: ({ seat, merchant }) => [traveller("merchant", seat, merchant)],
    changes: ({ seat, paid }) => all(seat, paid, -1),
  },
  merchant_moved: {
    weight: 1.5,
    parts: ["players.merchants", ...CARDS],
    at: ({ seat, merchant }) => [traveller("merchant", seat, merchant)],
    changes: ({ seat, grain }) => one(seat, "grain", -grain),
  },
  post_founded: {
    weight: 1.5,
    parts: ["posts", "players.posts_left", "players.goods", "players.merchants", GOLD, ...TOKENS],
    at: ({ city: id }) => [city(id)],
    changes: ({ seat, gold }) => one(seat, "gold", gold),
  },
  caravan_formed: {
    weight: 1,
    parts: ["players.caravans", ...CARDS],
    at: ({ seat, caravan }) => [traveller("caravan", seat, caravan)],
    changes: ({ seat, paid }) => all(seat, paid, -1),
  },
  caravan_moved: {
    weight: 1.5,
    parts: ["players.caravans", GOLD, ...CARDS],
    at: ({ seat, caravan }) => [traveller("caravan", seat, caravan)],
    changes: ({ seat, salt, tolls }) => [
      ...one(seat, "salt", -salt),
      ...one(seat, "gold", -tolls.length),
      ...tolls.flatMap((owner) => one(owner, "gold", 1)),
    ],
  },
  steps_lapsed: { weight: 0, parts: [] },
  good_delivered: {
    weight: 2,
    big: true,
    parts: ["posts", "players.goods"],
    at: ({ city: id }) => [at("good", id), city(id)],
    changes: ({ seat }) => one(seat, "goods", 1),
  },
  route_built: {
    weight: 1,
    parts: ROUTES,
    at: ({ path }) => [road(path)],
    changes: ({ seat, paid }) => all(seat, paid, -1),
  },
  chains_tied: { weight: 0, parts: [] },
  connection_paid: {
    weight: 1.5,
    parts: [GOLD],
    at: ({ cities, chain }) => [...cities.map(city), ...chain.map(road)],
    changes: ({ gold }) => gold.flatMap((count, seat) => one(seat, "gold", count)),
  },
  route_forgone: { weight: 1, parts: [] },
  token_placed: { weight: 1, parts: TOKENS, at: ({ hex: id }) => [hex(id)] },
  token_shifted: { weight: 1, parts: TOKENS, at: ({ hex: id }) => [hex(id)] },
  hex_left_empty: { weight: 1, parts: [] },
  safe_conduct_played: { weight: 1.2, parts: PLAYED },
  treaty_played: { weight: 1.2, parts: [...PLAYED, GOLD], changes: ({ seat, gold }) => one(seat, "gold", gold) },
  lancer_played: { weight: 1.2, parts: [...PLAYED, GOLD], changes: ({ seat, gold }) => one(seat, "gold", gold) },
  bribe_played: { weight: 1.2, parts: PLAYED },
  offer_made: { weight: 1.2, parts: OFFERS },
  offer_declined: { weight: 0.8, parts: OFFERS },
  offer_withdrawn: { weight: 0.8, parts: OFFERS },
  offers_lapsed: { weight: 0.5, parts: OFFERS },
  trade_made: {
    weight: 1.5,
    parts: [...OFFERS, ...CARDS, GOLD],
    changes: ({ maker, taker, give, want }) => [
      ...all(maker, give, -1),
      ...all(maker, want),
      ...all(taker, want, -1),
      ...all(taker, give),
    ],
  },
  game_ended: { weight: 2, parts: ["ended", "phase"] },
};
