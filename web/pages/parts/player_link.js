// The name of a player, with a link to their page.
import { html } from "../../vendor/lit-html/lit-html.js";
import { t } from "../../lib/i18n.js";
import { nameOf } from "../../lib/texts.js";

/**
 * House bots have no page; a deleted account has one without a name.
 * @param {import("../../types").SeatHolder | null} player
 * @param {string} [name] as it is shown here
 */
export function playerLink(player, name = player ? nameOf(player) : t("player.erased")) {
  return player && player.id !== "house" ? html`<a class="player-link" href="#/player/${player.id}">${name}</a>` : name;
}
