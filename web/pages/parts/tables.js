// The tables of a round: seats, reasons, results, and links to watch.
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { withText } from "../../lib/events.js";
import { lang, t } from "../../lib/i18n.js";

/**
 * @typedef {import("../../types").Round} Round
 * @typedef {import("../../types").RoundTable} RoundTable
 * @typedef {import("../../types").TableMatch} TableMatch
 */

/** @param {RoundTable} table the reasons for the pairing in words */
const reason = ({ points_before, repeated_meetings }) =>
  [
    t("tables.points", {
      points: points_before.map((one) => one.toLocaleString(lang(), { maximumFractionDigits: 2 })).join(" : "),
    }),
    ...(repeated_meetings ? [t("tables.repeated", { count: repeated_meetings })] : []),
  ].join(" · ");

/**
 * @param {TableMatch} match
 * @param {(entrant: number) => string} nameOf
 * @param {(match: TableMatch) => unknown} decisions
 * @param {number | null} you
 */
function matchLine(match, nameOf, decisions, you) {
  const mine = you !== null && match.entrants.includes(you) && !match.places;
  const tag = (/** @type {number} */ entrant, /** @type {number} */ seat) => {
    if (match.absent.includes(entrant)) return html` <span class="tag">${t("tables.absent")}</span>`;
    if (match.reason === "walkover") return html` <span class="tag">${t("tables.walkover")}</span>`;
    return match.places ? html` <span class="tag">${t("match.place", { place: match.places[seat] })}</span>` : nothing;
  };
  const seats = match.entrants.map(
    (entrant, seat) => html`<span class="seat-name s${seat}">${nameOf(entrant)}${tag(entrant, seat)}</span>`,
  );
  const label = match.entrants.map(nameOf).join(", ");
  return html`<li>
    <span class="names">${seats}</span>
    <span class="row"
      >${decisions(match)}${
        match.match
          ? html`<a class="button ${mine ? "main" : ""}" href="#/match/${match.match}"
              >${t(mine ? "lobby.play" : match.places ? "lobby.look" : "lobby.watch")}<span class="unseen">
                ${label}</span
              ></a
            >`
          : html`<span class="faint">${t("tables.soon")}</span>`
      }</span
    >
  </li>`;
}

/**
 * @param {Map<number, Round>} rounds
 * @param {number} chosen
 * @param {(entrant: number) => string} nameOf
 * @param {(round: number) => void} choose
 * @param {(match: TableMatch) => unknown} decisions what an arbiter can do
 * @param {number | null} you the user as an entrant
 */
export function tables(rounds, chosen, nameOf, choose, decisions, you) {
  const round = rounds.get(chosen);
  if (!round) return nothing;
  const numbers = [...rounds.keys()].sort((a, b) => a - b);
  const table = (/** @type {RoundTable} */ one) =>
    html`<li class="tournament-table">
      <h3>${t("tables.table", { number: one.table + 1 })} <span class="faint">${reason(one)}</span></h3>
      <ul>
        ${one.matches.map((match) => matchLine(match, nameOf, decisions, you))}
      </ul>
    </li>`;
  return html`<section class="tables">
    <h2>${t("tables.title")}</h2>
    <p>
      <label class="inline"
        >${t("tables.round")}
        <select @change=${withText((round) => choose(Number(round)))}>
          ${numbers.map((number) => html`<option value=${number} ?selected=${number === chosen}>${number}</option>`)}
        </select></label
      >
    </p>
    <ul class="table-cards">
      ${round.tables.map(table)}
    </ul>
    ${round.byes.length ? html`<p>${t("tables.byes", { names: round.byes.map(nameOf).join(", ") })}</p>` : nothing}
  </section>`;
}
