// The standings of a tournament (docs/tournaments.md): points in sixtieths, tie-breaks and places, all exact.
const UNIT = 60;
/**
 * @typedef {{entrants: number[], places: number[], scores: number[]}} Finish a match that is over
 * @typedef {{bye_points: number, points: number[], tie_breaks: string[]}} Scoring
 * @typedef {"wins" | "score" | "score_share"} Counted
 */
/** @param {number[]} numbers */
const sum = (numbers) => numbers.reduce((total, one) => total + one, 0);
/** @param {number} one @param {number} other */
const up = (one, other) => one - other;

/**
 * The points of each seat; seats that share a place share the points of all its places.
 * @param {number[]} points
 * @param {number[]} places
 */
export function pointsOf(points, places) {
  return places.map((place) => {
    const equals = places.filter((other) => other === place).length;
    return Math.floor((UNIT * sum(points.slice(place - 1, place - 1 + equals))) / equals);
  });
}

const emptyLine = () => ({
  ...{ points: 0, played: 0, wins: 0, score: 0, score_share: 0 },
  opponents: /** @type {number[]} */ ([]),
  matches: /** @type {[number[], number][]} */ ([]),
});

class Results {
  /** @type {Map<number, ReturnType<typeof emptyLine>>} */ of = new Map();

  /**
   * @param {Scoring} terms
   * @param {Finish[]} finishes
   * @param {Map<number, number>} byes
   * @param {Map<number, number>} lots
   */
  constructor(terms, finishes, byes, lots) {
    this.lots = lots;
    for (const [entrant, count] of byes) this.line(entrant).points += UNIT * terms.bye_points * count;
    for (const finish of finishes) this.add(finish, pointsOf(terms.points, finish.places));
  }
  /** @param {number} entrant */
  line(entrant) {
    const line = this.of.get(entrant) ?? emptyLine();
    this.of.set(entrant, line);
    return line;
  }
  /** @param {Finish} finish @param {number[]} awarded */
  add({ entrants, places, scores }, awarded) {
    const whole = sum(scores.map((score) => Math.max(0, score)));
    const first = places.filter((place) => place === 1).length;
    entrants.forEach((entrant, seat) => {
      const line = this.line(entrant);
      line.points += awarded[seat];
      line.played += 1;
      line.wins += places[seat] === 1 ? Math.floor(UNIT / first) : 0;
      line.score += scores[seat];
      line.score_share += whole ? Math.floor((Math.max(0, scores[seat]) * 1_000_000) / whole) : 0;
      line.opponents.push(...entrants.filter((other) => other !== entrant));
      line.matches.push([entrants, awarded[seat]]);
    });
  }
  /** @param {string} kind @param {number} entrant @param {number[]} equals */
  tieBreak(kind, entrant, equals) {
    const line = this.line(entrant);
    const opponents = () => line.opponents.map((other) => this.line(other).points);
    if (kind === "opponents") return sum(opponents());
    if (kind === "median_opponents") return sum(opponents().sort(up).slice(1, -1));
    if (kind === "direct")
      return sum(
        line.matches
          .filter(([met]) => met.filter((one) => equals.includes(one)).length > 1)
          .map(([, points]) => points),
      );
    return kind === "lot" ? (this.lots.get(entrant) ?? 0) : line[/** @type {Counted} */ (kind)];
  }
}

/** Equals together, the highest worth first. @param {number[]} entrants @param {(entrant: number) => number} worth */
function grouped(entrants, worth) {
  /** @type {Map<number, number[]>} */ const groups = new Map();
  for (const entrant of entrants) groups.set(worth(entrant), [...(groups.get(worth(entrant)) ?? []), entrant]);
  return [...groups.keys()]
    .sort(up)
    .reverse()
    .map((value) => groups.get(value) ?? []);
}

/**
 * Entrants who are equal in points and all tie-breaks share a place.
 * @param {Scoring} terms
 * @param {number[]} entrants
 * @param {Finish[]} finishes
 * @param {Map<number, number>} byes by entrant
 * @param {Map<number, number>} lots by entrant
 */
export function standings(terms, entrants, finishes, byes, lots) {
  const results = new Results(terms, finishes, byes, lots);
  const values = new Map(entrants.map((entrant) => [entrant, /** @type {number[]} */ ([])]));
  let groups = grouped(entrants, (entrant) => results.line(entrant).points);
  let place = 1;
  for (const kind of terms.tie_breaks) {
    groups = groups.flatMap((group) => {
      const worth = new Map(group.map((entrant) => [entrant, results.tieBreak(kind, entrant, group)]));
      for (const [entrant, value] of worth) values.get(entrant)?.push(value);
      return grouped(group, (entrant) => worth.get(entrant) ?? 0);
    });
  }
  return groups.flatMap((group) => {
    const at = place;
    place += group.length;
    return group.sort(up).map((entrant) => {
      const { points, played, wins } = results.line(entrant);
      return {
        byes: byes.get(entrant) ?? 0,
        entrant,
        place: at,
        played,
        points,
        tie_breaks: values.get(entrant),
        wins,
      };
    });
  });
}

/**
 * Who advances from the tables of a knockout round: the best by place, ties by score, then by seat.
 * @param {{entrants: number[], finishes: Finish[]}[]} tables with their finished matches
 * @param {number} best
 */
export function advancing(tables, best) {
  return tables
    .flatMap(({ entrants, finishes }, table) => {
      const total = (/** @type {"places" | "scores"} */ what, /** @type {number} */ one) =>
        sum(finishes.map((finish) => finish[what][finish.entrants.indexOf(one)] ?? 0));
      const lines = entrants.map((entrant, seat) => ({
        entrant,
        table,
        seat,
        place: total("places", entrant),
        score: total("scores", entrant),
      }));
      return lines
        .sort((a, b) => a.place - b.place || b.score - a.score || a.seat - b.seat)
        .slice(0, best)
        .map((line, rank) => ({ ...line, rank }));
    })
    .sort((a, b) => a.rank - b.rank || b.score - a.score || a.table - b.table || a.entrant - b.entrant)
    .map(({ entrant }) => entrant);
}
