// A match that has not begun: seats, joining, leaving, inviting, starting.
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { clockText, span } from "../../lib/clocks.js";
import { selectAll } from "../../lib/events.js";
import { t } from "../../lib/i18n.js";
import { botName, valueText, wordFor } from "../../lib/texts.js";
import { colourOf } from "../../boards/seats.js";
import { byStrength } from "./levels.js";
import { playerLink } from "./player_link.js";
import { badge } from "./players.js";

/** @typedef {import("../../types").Match} Match */
/**
 * @typedef {object} Actions
 * @property {(seat: number) => void} join
 * @property {(name: "leave" | "start" | "abort") => void} command
 * @property {() => void} decline
 * @property {(seat: number, bot: string) => void} seatBot
 * @property {() => void} copy
 * @property {() => void} renewLink
 * @property {string[]} declines what those have said who have declined
 * @property {boolean} copied
 * @property {boolean} busy
 * @property {string | undefined} me the user
 * @property {string} link the address of the match
 */

/**
 * What somebody who takes a seat agrees to: the clock in numbers, how seats and moves are bound, and options that are
 * not the usual ones.
 * @param {Match} match
 * @param {import("../../types").Game} game
 */
function conditions(match, game) {
  const usual = game.options.properties ?? {};
  const tags = /** @type {const} */ (["rated", "private", "practice", "signed"]).filter((name) => match[name]);
  const chosen = Object.entries(match.options).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(usual[name]?.default ?? null),
  );
  return html`<ul class="conditions">
    <li>
      ${clockText(match.clock)}${
        match.clock.kind === "none" ? nothing : ` (${t(`create.on_timeout.${match.on_timeout}`)})`
      }
    </li>
    ${
      match.spectator_delay
        ? html`<li>${t("match.spectators_behind", { time: span(match.spectator_delay * 1000) })}</li>`
        : nothing
    }
    ${tags.map((name) => html`<li>${t(`create.${name}`)}</li>`)}
    ${chosen.map(
      ([name, value]) =>
        html`<li>${t("text.labelled", { name: wordFor(game.words, name), value: valueText(game.words, value) })}</li>`,
    )}
  </ul>`;
}

/** @param {Match} match @param {import("../../types").Game} game @param {string[]} names @param {Actions} actions */
export function setup(match, game, names, actions) {
  const full = match.seats.every((seat) => seat.player);
  return html`<section class="setup">
    ${isInvited(match, actions) ? invitation(match, game, names) : nothing}
    <h2>${t("setup.title")}</h2>
    <ol class="players">
      ${match.seats.map((seat, place) => seatRow(match, game, seat, names[place], actions))}
    </ol>
    ${actions.declines.map((sentence) => html`<p class="note" role="status">${sentence}</p>`)}
    <h2>${t("setup.conditions")}</h2>
    ${conditions(match, game)}
    <p>${match.chance.due ? t("setup.opening") : full ? t("setup.full") : t("setup.waiting")}</p>
    ${
      full
        ? nothing
        : html`<label class="field"
            ><span>${t(match.private ? "setup.private_link" : "setup.link")}</span
            ><input type="text" readonly .value=${actions.link} @focus=${selectAll}
          /></label>`
    }
    ${buttons(match, full, actions)}
  </section>`;
}

/** Whether a seat is reserved for the user, who has none yet. @param {Match} match @param {Actions} actions */
const isReserved = ({ seats, you }, { me }) =>
  you === null && seats.some(({ player, invited }) => !player && invited && invited.id === me);

/**
 * Whether the user is invited: by name, or by the link to a private match.
 * @param {Match} match
 * @param {Actions} actions
 */
const isInvited = (match, actions) =>
  isReserved(match, actions) ||
  (match.private &&
    match.you === null &&
    match.creator !== actions.me &&
    match.seats.some(({ player, invited }) => !player && !invited));

/** @param {Match} match @param {import("../../types").Game} game @param {string[]} names */
function invitation({ seats, creator }, { title }, names) {
  const host = seats.findIndex(({ player }) => player?.id === creator);
  return html`<p class="note">
    <strong
      >${
        host < 0 ? t("setup.invited", { game: title }) : t("setup.invited_by", { name: names[host], game: title })
      }</strong
    >
  </p>`;
}

/**
 * @param {Match} match
 * @param {import("../../types").Game} game
 * @param {import("../../types").Seat} place
 * @param {string} name
 * @param {Actions} actions
 */
function seatRow(match, game, { seat, player, invited }, name, actions) {
  const { you } = match;
  const { me, busy, join } = actions;
  const isOthers = invited !== null && invited.id !== me;
  return html`<li class="player seat-${colourOf(seat)}">
    ${badge(seat, null)}
    <span class="name"
      >${player || invited ? playerLink(player ?? invited, name) : t("seat.free")}${
        seat === you ? html` <span class="tag">${t("match.you")}</span>` : nothing
      }${player?.bot ? html` <span class="tag">${t("match.bot")}</span>` : nothing}</span
    >
    ${!player && isOthers ? html`<span class="faint">${t("seat.invited")}</span>` : nothing}
    ${
      player || isOthers || you !== null
        ? nothing
        : html`<button type="button" class="main" ?disabled=${busy} @click=${() => join(seat)}>
            ${t(isInvited(match, actions) ? "setup.accept" : "setup.sit")}<span class="unseen">
              ${t("seat.number", { number: seat + 1 })}</span
            >
          </button>`
    }
    ${player || match.rated || match.creator !== me ? nothing : botsFor(game, seat, actions)}
  </li>`;
}

/**
 * The house bots to which the creator can give a free seat.
 * @param {import("../../types").Game} game
 * @param {number} seat
 * @param {Actions} actions
 */
const botsFor = ({ bots }, seat, { busy, seatBot }) =>
  html`<details class="more">
    <summary>${t("setup.give_to_bot")}<span class="unseen"> ${t("seat.number", { number: seat + 1 })}</span></summary>
    <p class="row">
      ${byStrength(bots).map(
        (bot) =>
          html`<button type="button" ?disabled=${busy} @click=${() => seatBot(seat, bot)}>${botName(bot)}</button>`,
      )}
    </p>
  </details>`;

/** @param {Match} match @param {boolean} full @param {Actions} actions */
function buttons(match, full, actions) {
  const isCreator = match.creator === actions.me;
  return html`<p class="row">
    <button type="button" class=${full ? "" : "main"} @click=${actions.copy}>
      ${actions.copied ? t("setup.copied") : t("setup.copy")}
    </button>
    ${
      isReserved(match, actions)
        ? html`<button type="button" ?disabled=${actions.busy} @click=${actions.decline}>${t("lobby.decline")}</button>`
        : nothing
    }
    ${
      isCreator && full && !match.autostart
        ? html`<button type="button" class="main" @click=${() => actions.command("start")}>${t("setup.start")}</button>`
        : nothing
    }
    ${
      match.you !== null && !match.chance.due
        ? html`<button type="button" @click=${() => actions.command("leave")}>${t("setup.leave")}</button>`
        : nothing
    }
    ${
      isCreator && match.link_key
        ? html`<button type="button" @click=${actions.renewLink}>${t("setup.renew_link")}</button>`
        : nothing
    }
    ${
      isCreator
        ? html`<button type="button" @click=${() => actions.command("abort")}>${t("setup.abort")}</button>`
        : nothing
    }
  </p>`;
}
