// How often each entrant finished ahead of each other: one row and one column for each entrant.
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { lang, t } from "../../lib/i18n.js";

/** @typedef {import("../../types").Round} Round */
const MOST = 40;

/**
 * @param {Iterable<Round>} rounds
 * @returns {Map<string, number>} for `a b`, how often a finished before b; an equal place counts half
 */
export function ahead(rounds) {
  /** @type {Map<string, number>} */ const found = new Map();
  for (const round of rounds)
    for (const table of round.tables)
      for (const { entrants, places } of table.matches) {
        if (!places) continue;
        entrants.forEach((one, seat) =>
          entrants.forEach((other, place) => {
            if (one === other) return;
            const won = places[seat] < places[place] ? 1 : places[seat] === places[place] ? 0.5 : 0;
            found.set(`${one} ${other}`, (found.get(`${one} ${other}`) ?? 0) + won);
          }),
        );
      }
  return found;
}

/** @param {import("../../types").Standings} standings @param {Map<number, Round>} rounds */
export function crosstable({ lines }, rounds) {
  const counts = ahead(rounds.values());
  const shown = lines.slice(0, MOST);
  if (counts.size === 0) return nothing;
  const amount = (/** @type {number} */ value) => value.toLocaleString(lang(), { maximumFractionDigits: 1 });
  const cell = (/** @type {number} */ one, /** @type {number} */ other) => {
    if (one === other) return html`<td class="self" aria-label="–">■</td>`;
    const won = counts.get(`${one} ${other}`);
    return won === undefined
      ? html`<td></td>`
      : html`<td>${amount(won)} : ${amount(counts.get(`${other} ${one}`) ?? 0)}</td>`;
  };
  return html`<details class="crosstable">
    <summary>${t("crosstable.title")}</summary>
    <p class="faint">
      ${t("crosstable.text")}${lines.length > MOST ? ` ${t("crosstable.first", { count: MOST })}` : ""}
    </p>
    <div class="wide" tabindex="0" role="group" aria-label=${t("crosstable.title")}>
      <table>
        <thead>
          <tr>
            <td></td>
            <th scope="col">${t("result.player")}</th>
            ${shown.map(
              (line) =>
                html`<th scope="col"><abbr title=${line.player.name ?? t("player.erased")}>${line.place}</abbr></th>`,
            )}
          </tr>
        </thead>
        <tbody>
          ${shown.map(
            (line) =>
              html`<tr>
                <td class="number">${line.place}</td>
                <th scope="row">${line.player.name ?? t("player.erased")}</th>
                ${shown.map((other) => cell(line.entrant, other.entrant))}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </details>`;
}
