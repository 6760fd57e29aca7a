// docs/draws.json, so that browsers need not fetch it; a test compares both.
export const DRAWS = {
 "format": "kontor.draws.1",
 "europe": {
  "versions": [1, 2, 3],
  "facts": {
   "start_rolled": {"stream": "first_player", "index": "count", "branch": "start_rolls", "form": "die", "field": "rolls[].dice[]"},
   "dice_rolled": {"stream": "dice", "index": "count", "branch": "rolls", "form": "die", "field": "dice[]"},
   "card_stolen": {"stream": "theft", "index": "count", "branch": "theft_draws", "form": "hand", "field": "resource", "owner": "victim"},
   "card_bought": {"stream": "deck", "index": "count", "branch": "deck_draws", "form": "pile", "field": "card"},
   "token_placed": {"stream": "tokens", "index": "count", "branch": "token_draws", "form": "token", "field": "number", "place": "hex"}
  },
  "hands": {
   "kinds": ["lumber", "wool", "grain", "ore", "salt"],
   "changes": {
    "colour_placed": [{"to": "seat", "cards": "cards"}],
    "start_cards_taken": [{"to": "seat", "cards": "cards"}],
    "resources_produced": [{"each": "gains", "to": "seat", "cards": "cards"}],
    "cards_discarded": [{"from": "seat", "cards": "cards"}],
    "card_stolen": [{"from": "victim", "to": "thief", "kind": "resource"}],
    "resource_bought": [{"to": "seat", "kind": "resource"}],
    "supply_traded": [{"from": "seat", "kind": "give", "count": "count"}, {"to": "seat", "kind": "take"}],
    "card_bought": [{"from": "seat", "cards": "paid"}],
    "merchant_hired": [{"from": "seat", "cards": "paid"}],
    "merchant_moved": [{"from": "seat", "only": "grain"}],
    "caravan_formed": [{"from": "seat", "cards": "paid"}],
    "caravan_moved": [{"from": "seat", "only": "salt"}],
    "route_built": [{"from": "seat", "cards": "paid"}],
    "trade_made": [{"from": "maker", "to": "taker", "cards": "give"}, {"from": "taker", "to": "maker", "cards": "want"}]
   }
  },
  "pile": {
   "kinds": {"lancer": 10, "safe_conduct": 5, "trade_treaty": 5, "bribe": 5},
   "played": {"lancer_played": "lancer", "safe_conduct_played": "safe_conduct", "treaty_played": "trade_treaty", "bribe_played": "bribe"},
   "renewed": "pile_renewed"
  },
  "tokens": {"forest": [9, 11], "pasture": [4, 11], "field": [3, 9], "mountain": [3, 10], "salt_works": [10, 11]},
  "moves": {
   "start_post_placed": {}, "neutral_post_placed": {}, "start_route_placed": {}, "dice_rolled": {}, "cards_discarded": {}, "robber_moved": {},
   "theft_forgone": {}, "hex_left_empty": {}, "turn_ended": {}
  }
 },
 "speicherstadt": {
  "versions": [1],
  "facts": {
   "first_player_chosen": {"stream": "first_player", "index": "part", "when": "by_lot", "form": "seat", "field": "seat"},
   "pile_stacked": {
    "stream": "deck", "index": "part", "form": "shuffle", "field": "pile", "without": "removed",
    "items": [
     ["contract_a1", "contract_a2", "contract_a3", "fireman_a1", "fireman_a2", "counting_office_a1", "coffee_roaster", "tea_taster", "spice_trader", "vulcanizer", "carpet_trader", "warehouse"],
     ["contract_b1", "contract_b2", "contract_b3", "fireman_b1", "fireman_b2", "fireman_b3", "counting_office_b1", "ship_b1", "ship_b2", "ship_b3", "ship_b4", "ship_b5", "fire_1"],
     ["contract_c1", "contract_c2", "contract_c3", "contract_c4", "fireman_c1", "fireman_c2", "ship_c1", "ship_c2", "ship_c3", "ship_c4", "ship_c5", "bank", "fire_2"],
     ["fireman_d1", "fireman_d2", "fireman_d3", "counting_office_d1", "counting_office_d2", "ship_d1", "ship_d2", "ship_d3", "ship_d4", "ship_d5", "fire_3", "chamber_of_commerce", "boatsmen_church", "st_michaelis", "port"],
     ["fire_4"]
    ]
   },
   "bag_filled": {"stream": "bag", "index": "part", "form": "shuffle", "field": "cubes", "items": [
     ["coffee", "coffee", "coffee", "coffee", "coffee", "coffee", "coffee", "coffee", "coffee",
      "tea", "tea", "tea", "tea", "tea", "tea", "tea", "tea", "tea",
      "saffron", "saffron", "saffron", "saffron", "saffron", "saffron", "saffron", "saffron", "saffron",
      "rubber", "rubber", "rubber", "rubber", "rubber", "rubber", "rubber", "rubber", "rubber",
      "carpet", "carpet", "carpet", "carpet", "carpet", "carpet", "carpet", "carpet", "carpet"]
   ]}
  },
  "moves": {"worker_placed": {}, "card_declined": {}, "loading_finished": {"reason": "done"}}
 }
};
