// The open seeks: their settings, and a link to seek the same.
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { repeat } from "../../vendor/lit-html/directives/repeat.js";
import { clockText } from "../../lib/clocks.js";
import { t } from "../../lib/i18n.js";
import { playerLink } from "./player_link.js";

/** @typedef {import("../../types").Seek} Seek */

/** @param {Seek} seek its settings in words */
export const seekText = (seek) =>
  [
    t("seek.seats", { count: seek.seats }),
    clockText(seek.clock),
    t(seek.rated ? "seek.rated" : "seek.unrated"),
    ...(seek.rated ? [] : [t(`seek.opponents.${seek.opponents}`)]),
  ].join(" · ");

/** Programs play rated matches among themselves. @param {Seek} seek */
const isOpenToPeople = ({ rated, player, opponents }) => (rated ? !player.bot : opponents !== "programs");

/** @param {Seek[]} seeks @param {Record<string, string>} titles of the games */
export const seekRows = (seeks, titles) =>
  html`<ul>
    ${repeat(
      seeks,
      (seek) => seek.id,
      (seek) => {
        const name = seek.player.name ?? t("player.erased");
        const title = titles[seek.game] ?? seek.game;
        return html`<li class="match-row">
          <div>
            <strong>${title}</strong>
            <span class="names"
              ><span
                >${playerLink(seek.player)}${
                  seek.player.bot ? html` <span class="tag">${t("match.bot")}</span>` : nothing
                }</span
              ></span
            >
            <span class="faint">${seekText(seek)}</span>
          </div>
          ${
            isOpenToPeople(seek)
              ? html`<div class="row">
                  <a class="button" href="#/seek?as=${seek.id}"
                    >${t("seek.join")}<span class="unseen"> ${name}: ${title}</span></a
                  >
                </div>`
              : nothing
          }
        </li>`;
      },
    )}
  </ul>`;
