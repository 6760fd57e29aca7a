// The announced terms of a tournament, signed before the first entry.
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { clockText, span } from "../../lib/clocks.js";
import { listed, t } from "../../lib/i18n.js";
import { playerLink } from "./player_link.js";

/** @typedef {import("../../types").Terms} Terms */
/** @typedef {Map<string, import("../../types").SeatHolder>} Named */
const SHORT = 8;

/** The names of some players, and how many more there are. @param {string[]} ids @param {Named} named */
function players(ids, named) {
  const known = ids.filter((id) => named.has(id));
  const shown = known.length ? known : ids.slice(0, 1);
  const more = ids.length - shown.length;
  const links = shown.map(
    (id, place) =>
      html`${place ? ", " : nothing}${playerLink(named.get(id) ?? { id, name: id.slice(0, SHORT), bot: false })}`,
  );
  return html`${links}${more ? ` ${t("terms.more", { count: more })}` : nothing}`;
}

/** Who is named in the announcement: one line for each group. @param {Terms} announced @param {Named} named */
function people({ arbiters, invited, forbidden }, named) {
  /** @type {[string, string[][]][]} */
  const rows = [
    ["arbiters", [arbiters]],
    ["invited", [invited]],
    ["forbidden", forbidden],
  ];
  return rows
    .filter(([, groups]) => groups.some((group) => group.length))
    .map(
      ([name, groups]) =>
        html`<div class="whole">
          <dt>${t(`terms.${name}`)}</dt>
          ${groups.map((group) => html`<dd>${players(group, named)}</dd>`)}
        </div>`,
    );
}

/**
 * @param {import("../../types").Tournament} tournament
 * @param {import("../../types").GameSummary | undefined} game
 * @param {Named} named
 */
export function terms({ terms: announced, chance }, game, named) {
  const yes = (/** @type {boolean | undefined} */ value) => t(value ? "terms.yes" : "terms.no");
  /** @type {[string, string][]} */
  const rows = [
    ["game", game?.title ?? announced.game],
    ["format", t(`tournament.format.${announced.format}`)],
    [
      "seats",
      announced.least_seats === announced.seats
        ? String(announced.seats)
        : `${announced.least_seats}–${announced.seats}`,
    ],
    ...(announced.format === "arena"
      ? [/** @type {[string, string]} */ (["duration", span(announced.duration_ms)])]
      : [/** @type {[string, string]} */ (["rounds", String(announced.rounds)])]),
    ["points", announced.points.join(" – ")],
    [
      "tie_breaks",
      announced.tie_breaks.length ? listed(announced.tie_breaks.map((one) => t(`standings.${one}`))) : "–",
    ],
    ["clock", clockText(announced.clock)],
    [
      "no_show",
      t("text.labelled", { name: span(announced.no_show_ms), value: t(`terms.no_show.${announced.no_show}`) }),
    ],
    ["rotated", yes(announced.rotated)],
    ["admits", t(`terms.admits.${announced.admits}`)],
    ["open_entry", yes(announced.open_entry)],
    ["late_entry", yes(announced.late_entry)],
    ["least_entrants", String(announced.least_entrants)],
    ["most_entrants", String(announced.most_entrants)],
    ["correction", span(announced.correction_ms)],
    ...((announced.max_returned_ms ?? null) === null
      ? []
      : [/** @type {[string, string]} */ (["returned", span(Number(announced.max_returned_ms))])]),
    ["rated", yes(announced.rated)],
    ["signed", yes(announced.signed)],
  ];
  return html`<section class="terms">
    <h2>${t("terms.title")}</h2>
    <p class="faint">${t("terms.text")}</p>
    <dl>
      ${rows.map(
        ([name, value]) =>
          html`<div>
            <dt>${t(`terms.${name}`)}</dt>
            <dd>${value}</dd>
          </div>`,
      )}${people(announced, named)}
      <div class="whole">
        <dt>${t("terms.commitment")}</dt>
        <dd><code>${chance.commitment}</code></dd>
      </div>
    </dl>
    <p><a href="#/rules/${announced.game}">${t("rules.of", { game: game?.title ?? announced.game })}</a></p>
  </section>`;
}
