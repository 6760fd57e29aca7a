// Which draw belongs to which fact (docs/chance.md, docs/draws.json): every draw is used by a fact, and every field
// has the value that was drawn.
import { demand, onLine, same, shuffledBy } from "./formats.mjs";
import { DRAWS } from "./draws.mjs";

// All values of a path such as rolls[].dice[].
const elements = (fact, path) =>
  path.split(".").reduce(
    (found, step) => {
      const next = found.map((one) => one[step.replace("[]", "")]);
      return step.endsWith("[]") ? next.flat() : next;
    },
    [fact],
  );

// Whether the field of a fact has the value that was drawn.
const FORMS = {
  die: (binder, bound, fact, [values]) =>
    same(
      values,
      elements(fact, bound.field).map((die) => [6, die - 1]),
    ),
  seat: (binder, bound, fact, [values]) => same(values, [[binder.seats, fact[bound.field]]]),
  shuffle: (binder, bound, fact, drawn) => {
    const parts = bound.items.map((items) => items.filter((item) => !(fact[bound.without] ?? []).includes(item)));
    const fits = parts.every((items, n) =>
      same(
        drawn[n].map(([limit]) => limit),
        items.slice(1).map((_, i) => items.length - i),
      ),
    );
    return (
      fits &&
      same(
        fact[bound.field],
        parts.flatMap((items, n) => shuffledBy(items, (limit) => drawn[n][items.length - limit][1])),
      )
    );
  },
  hand: (binder, bound, fact, [values]) =>
    binder.nth(binder.game.hands.kinds, binder.hands[fact[bound.owner]], fact[bound.field], values),
  pile: (binder, bound, fact, [values]) =>
    binder.nth(Object.keys(binder.game.pile.kinds), binder.pile, fact[bound.field], values),
  // the colour of the hex is not in the file, but in the data set
  token: (binder, bound, fact, [values]) => values.length === 1,
};

export class Binder {
  static knows({ game, version }) {
    return Object.hasOwn(DRAWS, game) && DRAWS[game].versions?.includes(version) === true;
  }

  constructor(game, created, position) {
    this.game = DRAWS[game];
    this.loose = new Set(); // the fields that can't be compared with the values drawn
    this.seats = created.seats.length;
    this.branch = created.branch;
    this.counts = {};
    for (const { stream, branch } of Object.values(this.game.facts)) this.counts[stream] = position?.[branch] ?? 0;
    this.hands = created.seats.map(() => ({}));
    this.pile = { ...this.game.pile?.kinds };
    this.discarded = {};
    this.absent = new Set();
  }

  // Takes the draws of one command; `lines` are those of its facts.
  take(lines) {
    this.draws = [...(lines[0].draws ?? [])];
    this.quiet = 0;
    this.timedOut = null;
    for (const { version, fact } of lines) {
      const at = onLine(version + 1);
      this.takeQuiet(version, fact, at);
      this.takeBound(fact, at);
      this.fold(fact, at);
    }
    const [left] = this.draws;
    demand(
      left === undefined,
      onLine(lines[0].version + 1)(`draw ${left?.index} of ${left?.stream} belongs to no fact`),
    );
  }

  takeQuiet(version, fact, at) {
    const [next] = this.draws;
    if (next?.stream === "absent" && next.index === version - 1) {
      const absent = this.absent.size > 0 || this.timedOut !== null;
      demand(next.values.length === 1 && absent, at("a move was drawn although nobody is absent"));
      this.draws.shift();
      this.quiet++;
    }
    const move = this.game.moves[fact.type];
    if (move === undefined || !Object.entries(move).every(([field, value]) => fact[field] === value)) return;
    if (this.absent.has(fact.seat) || this.timedOut === fact.seat)
      demand(this.quiet-- > 0, at("the move of an absent player was not drawn"));
  }

  takeBound(fact, at) {
    const bound = this.game.facts[fact.type];
    if (bound === undefined || (bound.when && !fact[bound.when])) return;
    const values = (bound.items ?? [0]).map((_, part) => {
      const index = bound.index === "part" ? part : this.counts[bound.stream]++;
      const draw = this.draws.shift();
      demand(
        draw?.stream === bound.stream && draw.index === index,
        at(`${fact.type} needs draw ${index} of ${bound.stream}`),
      );
      return draw.values;
    });
    const field = `${bound.field.split("[")[0]} of ${fact.type}`;
    demand(FORMS[bound.form](this, bound, fact, values), at(`the ${field} does not follow from the draw`));
    if (bound.form === "token" || (this.branch && ["hand", "pile"].includes(bound.form))) this.loose.add(field);
  }

  nth(kinds, counts, kind, values) {
    // the position from which a branch starts can't be read without the rules
    if (values.length !== 1 || counts === undefined || this.branch) return values.length === 1 && this.branch;
    const bound = values[0][0];
    let left = values[0][1];
    const found = kinds.find((one) => (left -= counts[one] ?? 0) < 0);
    return found === kind && bound === kinds.reduce((sum, one) => sum + (counts[one] ?? 0), 0);
  }

  fold(fact, at) {
    const { pile, hands } = this.game;
    const timedOut = fact.type === "seat_timed_out";
    if (fact.type === "seat_resigned" || (timedOut && fact.consequence === "forfeit")) this.absent.add(fact.seat);
    else if (timedOut) this.timedOut = fact.seat;
    if (this.game.facts[fact.type]?.form === "pile") this.pile[fact.card]--;
    const played = pile?.played[fact.type];
    if (played) this.discarded[played] = (this.discarded[played] ?? 0) + 1;
    if (pile?.renewed === fact.type) [this.pile, this.discarded] = [this.discarded, {}];
    for (const change of (!this.branch && hands?.changes[fact.type]) || []) {
      const parts = change.each ? fact[change.each] : [fact];
      demand(
        Array.isArray(parts) && parts.every((part) => this.move(change, part)),
        at(`${fact.type} moves cards that their owner does not have`),
      );
    }
  }

  move(change, part) {
    // returns whether their owners had the cards
    const cards = change.cards
      ? part?.[change.cards]
      : change.only
        ? part
        : { [part?.[change.kind]]: change.count ? part[change.count] : 1 };
    const kinds = change.only ? [change.only] : this.game.hands.kinds;
    const sides = [
      ["from", -1],
      ["to", 1],
    ].filter(([field]) => change[field]);
    return sides.every(([field, sign]) =>
      kinds.every((kind) => {
        const hand = this.hands[part?.[change[field]]] ?? {};
        const count = cards?.[kind] ?? 0;
        hand[kind] = (hand[kind] ?? 0) + sign * count;
        return (
          Number.isSafeInteger(count) && count >= 0 && hand[kind] >= 0 && (count === 0 || this.hands.includes(hand))
        );
      }),
    );
  }
}
