// A match that has not begun: seats, joining, leaving, inviting, starting.
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { clockText } from "../../lib/clocks.js";
import { t } from "../../lib/i18n.js";
import { valueText, wordFor } from "../../lib/texts.js";
import { colourOf } from "../../boards/seats.js";
import { playerLink } from "./player_link.js";
import { badge } from "./players.js";

/** @typedef {import("../../types").Match} Match */
/**
 * @typedef {{join(seat: number): void, leave(): void, start(): void, abort(): void, decline(): void, copy(): void,
 *   copied: boolean, busy: boolean, me: string | undefined, renewLink(): void, link: string}} Actions
 */

/**
 * What somebody who takes a seat agrees to: the clock in numbers, how seats and moves are bound, and options that are
 * not the usual ones.
 * @param {Match} match
 * @param {import("../../types").Game} game
 */
function conditions(match, game) {
  const usual = game.options.properties ?? {};
  const tags = ["rated", "private", "practice", "signed"].filter((name) => match[name]);
  const chosen = Object.entries(match.options).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(usual[name]?.default ?? null),
  );
  return html`<ul class="conditions">
    <li>
      ${clockText(match.clock)}${
        match.clock.kind === "none" ? nothing : ` (${t(`create.on_timeout.${match.on_timeout}`)})`
      }
    </li>
    ${tags.map((name) => html`<li>${t(`create.${name}`)}</li>`)}
    ${chosen.map(
      ([name, value]) =>
        html`<li>${t("text.labelled", { name: wordFor(game.words, name), value: valueText(game.words, value) })}</li>`,
    )}
  </ul>`;
}

/** @param {Match} match @param {import("../../types").Game} game @param {string[]} names @param {Actions} actions */
export function setup(match, game, names, actions) {
  const seated = match.you !== null;
  const creator = match.creator === actions.me;
  const full = match.seats.every((seat) => seat.player);
  const invited = match.seats.some((seat) => !seat.player && seat.invited && seat.invited.id === actions.me);
  const mayJoin = (/** @type {import("../../types").Seat} */ seat) =>
    !seat.player && !seated && (!seat.invited || seat.invited.id === actions.me);
  const host = match.seats.findIndex((seat) => seat.player?.id === match.creator);
  return html`<section class="setup">
    ${
      invited && !seated
        ? html`<p class="note">
            <strong
              >${
                host < 0
                  ? t("setup.invited", { game: game.title })
                  : t("setup.invited_by", { name: names[host], game: game.title })
              }</strong
            >
          </p>`
        : nothing
    }
    <h2>${t("setup.title")}</h2>
    <ol class="players">
      ${match.seats.map(
        (seat, place) =>
          html`<li class="player seat-${colourOf(place)}">
            ${badge(place, null)}
            <span class="name"
              >${seat.player || seat.invited ? playerLink(seat.player ?? seat.invited, names[place]) : t("seat.free")}${
                place === match.you ? html` <span class="tag">${t("match.you")}</span>` : nothing
              }${seat.player?.bot ? html` <span class="tag">${t("match.bot")}</span>` : nothing}</span
            >
            ${
              seat.player
                ? nothing
                : seat.invited && seat.invited.id !== actions.me
                  ? html`<span class="faint">${t("seat.invited")}</span>`
                  : nothing
            }
            ${
              mayJoin(seat)
                ? html`<button type="button" class="main" ?disabled=${actions.busy} @click=${() => actions.join(place)}>
                    ${t(seat.invited ? "setup.accept" : "setup.sit")}<span class="unseen">
                      ${t("seat.number", { number: place + 1 })}</span
                    >
                  </button>`
                : nothing
            }
          </li>`,
      )}
    </ol>
    <h2>${t("setup.conditions")}</h2>
    ${conditions(match, game)}
    <p>${match.chance.due ? t("setup.opening") : full ? t("setup.full") : t("setup.waiting")}</p>
    ${
      full
        ? nothing
        : html`<label class="field"
            ><span>${t(match.private ? "setup.private_link" : "setup.link")}</span
            ><input
              type="text"
              readonly
              .value=${actions.link}
              @focus=${(/** @type {any} */ event) => event.target.select()}
          /></label>`
    }
    <p class="row">
      <button type="button" class=${full ? "" : "main"} @click=${actions.copy}>
        ${actions.copied ? t("setup.copied") : t("setup.copy")}
      </button>
      ${
        invited && !seated
          ? html`<button type="button" ?disabled=${actions.busy} @click=${actions.decline}>
              ${t("lobby.decline")}
            </button>`
          : nothing
      }
      ${
        creator && full && !match.autostart
          ? html`<button type="button" class="main" @click=${actions.start}>${t("setup.start")}</button>`
          : nothing
      }
      ${
        seated && !match.chance.due
          ? html`<button type="button" @click=${actions.leave}>${t("setup.leave")}</button>`
          : nothing
      }
      ${
        creator && match.link_key
          ? html`<button type="button" @click=${actions.renewLink}>${t("setup.renew_link")}</button>`
          : nothing
      }
      ${creator ? html`<button type="button" @click=${actions.abort}>${t("setup.abort")}</button>` : nothing}
    </p>
  </section>`;
}
