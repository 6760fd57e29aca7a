// The report on a file that passed all checks; most sentences are those of `kontor verify`.
/** @typedef {import("./kontor-verify.mjs").Verdict} Verdict */

/** @param {number[]} places */
const seats = (places) => (places.length === 1 ? "seat " : "seats ") + listed(places);
/** @param {(string | number)[]} parts */
const listed = (parts) => (parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`);
/** @template T @param {T[]} items @param {(item: T, place: number) => boolean} condition */
const placesOf = (items, condition) => items.flatMap((item, place) => (condition(item, place) ? [place] : []));

/** @param {Verdict} verdict */
export function report(verdict) {
  const { complete, trusted } = verdict;
  const from = trusted
    ? "published by the service"
    : "taken from the file itself; use --keys to check them against the published keys";
  return [
    `form, chain and commitments: ${verdict.facts} facts are correct`,
    `signatures: made with ${verdict.keys.join(", ")}, ${from}`,
    !complete
      ? "seed and draws: can't be checked before the match is over"
      : verdict.open_seed
        ? "seed: open seed: everybody could compute the deal in advance"
        : "seed: the server's secret matches its commitment",
    ...(verdict.in_block
      ? ["contributions: in a block: nobody's contribution counted here; check the file of its tournament"]
      : []),
    ...(complete && !verdict.open_seed && verdict.contributions.length > 0 ? [contributionsIn(verdict)] : []),
    ...(complete ? [drawsIn(verdict)] : []),
    ...(verdict.branch
      ? ["position: a branch: it starts in a position of another match, which is not part of this file"]
      : []),
    ...(verdict.outages
      ? [
          `outages: clocks were given back ${(verdict.returned_ms / 1000).toFixed(1)} s, ${verdict.outages} ${
            verdict.outages === 1 ? "time" : "times"
          }: only the operator says that the service was down`,
        ]
      : []),
    playersIn(verdict),
    ...(verdict.receipts ? [`receipts: ${verdict.receipts} kept receipts agree with the file`] : []),
    "rules: not checked here; `kontor verify` checks that moves were allowed and that facts, clocks and result follow from them",
  ];
}

/** @param {import("./tournament.mjs").TournamentVerdict} verdict */
export function tournamentReport(verdict) {
  const from = verdict.trusted
    ? "published by the service"
    : "taken from the file itself; use --keys to check them against the published keys";
  return [
    `form, chain and commands: ${verdict.facts} facts are correct`,
    `signatures: made with ${verdict.keys.join(", ")}, ${from}`,
    "seed: the server's secret matches its commitment",
    `contributions: ${whoChose(verdict)}`,
    `entries: ${verdict.signed_entries} of ${verdict.entrants} signed by the entrants${
      verdict.signed_entries < verdict.entrants ? "; for the others, only the service says what they sent" : ""
    }`,
    ...(verdict.uploaded.length
      ? [
          `tables: the organiser chose those of ${
            verdict.uploaded.length === 1 ? "round" : "rounds"
          } ${listed(verdict.uploaded)}`,
        ]
      : []),
    ...(verdict.receipts ? [`receipts: ${verdict.receipts} kept receipts agree with the file`] : []),
    `matches: ${verdict.matches} were created for their tables with the announced terms and deals, ` +
      "and ended as recorded",
    `standings: edition ${verdict.edition} follows from the results of ${verdict.rounds} rounds`,
    "log: not checked here; `kontor verify --checkpoint` checks that a checkpoint you kept contains this tournament",
    "pairings: not checked here; `kontor verify` checks that they follow from the format and the seed",
    "rules: not checked here; `kontor verify` checks that moves were allowed and that facts, clocks and result follow from them",
  ];
}

/** @param {import("./tournament.mjs").TournamentVerdict} verdict */
function whoChose({ contributions, entrants, sealed, withheld }) {
  const counted = `${contributions} of ${entrants} entrants contributed to the seed`;
  if (!contributions) return "nobody contributed: the service alone could have chosen the pairings and deals";
  if (!sealed) return `${counted}, but not sealed: whoever entered last could have chosen with the service`;
  if (!withheld.length) return `${counted}, all sealed before the first was opened: nobody chose pairings or deals`;
  return `${counted}; before that, at least one outcome was rejected, because ${listed(
    withheld.map((number) => `entrant ${number}`),
  )} did not open`;
}

/** @param {Verdict} verdict */
function drawsIn({ draws, bound, loose }) {
  const words = bound ? "each belongs to its fact" : "checked without bindings: these rules are not in docs/draws.json";
  const left = loose.length ? `; only the rules can show whether ${listed(loose)} has the value drawn` : "";
  return `draws: ${draws} draws follow from the seed; ${words}${left}`;
}

/** @param {Verdict} verdict */
function contributionsIn({ contributions }) {
  const [counted, early] = ["counted", "too early"].map((kind) => placesOf(contributions, (what) => what === kind));
  const nobody = `nobody ${
    early.length ? "made a contribution that counts" : "contributed"
  }: the service alone could have chosen the deal`;
  const words = counted.length
    ? `${seats(counted)} contributed to the seed after the service was bound to its secret`
    : nobody;
  return `contributions: ${words}${
    early.length ? `; the contribution of ${seats(early)} came before that and does not count` : ""
  }`;
}

/** @param {Verdict} verdict */
function playersIn({ player_keys: keys, players, signed_commands: signed, unseen_commands: unseen }) {
  const signers = placesOf(keys, (key) => key !== null);
  const unsigned = placesOf(players, (player, place) => player !== null && keys[place] === null);
  const parts = signers.map((place) => `seat ${place} with the key ${keys[place]}`);
  const words = signers.length ? `${signed} commands signed, by ${listed(parts)}` : "no player signed";
  const later = unseen ? `; ${unseen} hidden commands can't be checked before the match is over` : "";
  const others = unsigned.length
    ? `; ${seats(unsigned)} unsigned: only the service says that these moves were theirs`
    : "";
  return `players: ${words}${later}${others}`;
}
