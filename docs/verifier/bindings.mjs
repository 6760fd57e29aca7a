// Which draw belongs to which fact (docs/chance.md, docs/draws.json): every draw is taken by a fact, and every field is the one drawn.
import { demand, same, shuffledBy } from "./formats.mjs";
import { DRAWS } from "./draws.mjs";

// All values of a path such as rolls[].dice[].
const elements = (fact, path) => path.split(".").reduce((found, step) => {
  const next = found.map((one) => one[step.replace("[]", "")]);
  return step.endsWith("[]") ? next.flat() : next;
}, [fact]);

// Whether the field of a fact is the one drawn.
const FORMS = {
  die: (binder, bound, fact, [values]) => same(values, elements(fact, bound.field).map((die) => [6, die - 1])),
  seat: (binder, bound, fact, [values]) => same(values, [[binder.seats, fact[bound.field]]]),
  shuffle: (binder, bound, fact, drawn) => {
    const parts = bound.items.map((items) => items.filter((item) => !(fact[bound.without] ?? []).includes(item)));
    const fits = parts.every((items, n) => same(drawn[n].map(([limit]) => limit), items.slice(1).map((_, i) => items.length - i)));
    return fits && same(fact[bound.field], parts.flatMap((items, n) => shuffledBy(items, (limit) => drawn[n][items.length - limit][1])));
  },
  hand: (binder, bound, fact, [values]) => binder.nth(binder.game.hands.kinds, binder.hands[fact[bound.owner]], fact[bound.field], values),
  pile: (binder, bound, fact, [values]) => binder.nth(Object.keys(binder.game.pile.kinds), binder.pile, fact[bound.field], values),
  token: (binder, bound, fact, [values]) => values.length === 1, // the colour of the hex is not in the file, but in the data set
};

export class Binder {
  // The binder for a match, or null if the game or this version of its rules is not in docs/draws.json.
  static of({ game, version }, created, position) {
    const known = Object.hasOwn(DRAWS, game) ? DRAWS[game] : undefined;
    return known?.versions?.includes(version) ? new Binder(known, created, position) : null;
  }

  constructor(game, created, position) {
    this.game = game;
    this.seats = created.seats.length;
    this.branch = created.branch;
    this.counts = {};
    for (const { stream, branch } of Object.values(game.facts)) this.counts[stream] = position?.[branch] ?? 0;
    this.hands = created.seats.map(() => ({}));
    this.pile = { ...game.pile?.kinds };
    this.discarded = {};
    this.absent = new Set();
  }

  // Takes the draws of one command; `lines` are those of its facts.
  take(lines) {
    this.draws = [...(lines[0].draws ?? [])];
    this.quiet = 0;
    this.timedOut = null;
    for (const { version, fact } of lines) {
      const at = (sentence) => `line ${version + 1}: ${sentence}`;
      this.takeQuiet(version, fact, at);
      this.takeBound(fact, at);
      this.fold(fact);
    }
    const [left] = this.draws;
    demand(left === undefined, `line ${lines[0].version + 1}: draw ${left?.index} of ${left?.stream} belongs to no fact`);
  }

  takeQuiet(version, fact, at) {
    const [next] = this.draws;
    if (next?.stream === "absent" && next.index === version - 1) {
      demand(next.values.length === 1 && (this.absent.size > 0 || this.timedOut !== null), at("a move was drawn although nobody is absent"));
      this.draws.shift();
      this.quiet++;
    }
    const move = this.game.moves[fact.type];
    if (move === undefined || !Object.entries(move).every(([field, value]) => fact[field] === value)) return;
    if (this.absent.has(fact.seat) || this.timedOut === fact.seat) demand(this.quiet-- > 0, at("the move of an absent player was not drawn"));
  }

  takeBound(fact, at) {
    const bound = this.game.facts[fact.type];
    if (bound === undefined || (bound.when && !fact[bound.when])) return;
    const values = (bound.items ?? [0]).map((_, part) => {
      const index = bound.index === "part" ? part : this.counts[bound.stream]++, draw = this.draws.shift();
      demand(draw?.stream === bound.stream && draw.index === index, at(`${fact.type} needs draw ${index} of ${bound.stream}`));
      return draw.values;
    });
    demand(FORMS[bound.form](this, bound, fact, values), at(`the ${bound.field.split("[")[0]} of ${fact.type} does not follow from the draw`));
  }

  nth(kinds, counts, kind, values) { // the position from which a branch starts can't be read without the rules
    const cards = kinds.flatMap((one) => Array(Math.max(0, counts?.[one] ?? 0)).fill(one));
    return values.length === 1 && (this.branch || (values[0][0] === cards.length && cards[values[0][1]] === kind));
  }

  fold(fact) {
    const { pile, hands } = this.game, timedOut = fact.type === "seat_timed_out";
    if (fact.type === "seat_resigned" || (timedOut && fact.consequence === "forfeit")) this.absent.add(fact.seat);
    else if (timedOut) this.timedOut = fact.seat;
    if (this.game.facts[fact.type]?.form === "pile") this.pile[fact.card]--;
    const played = pile?.played[fact.type];
    if (played) this.discarded[played] = (this.discarded[played] ?? 0) + 1;
    if (pile?.renewed === fact.type) [this.pile, this.discarded] = [this.discarded, {}];
    for (const change of hands?.changes[fact.type] ?? []) {
      for (const part of change.each ? fact[change.each] : [fact]) if (!this.branch) this.move(change, part);
    }
  }

  move(change, part) {
    const cards = change.cards ? part[change.cards] : change.only ? { [change.only]: part[change.only] }
      : { [part[change.kind]]: change.count ? part[change.count] : 1 };
    for (const [field, sign] of [["from", -1], ["to", 1]]) {
      const hand = (change[field] && this.hands[part[change[field]]]) || {};
      for (const [kind, count] of Object.entries(cards)) hand[kind] = (hand[kind] ?? 0) + sign * count;
    }
  }
}
