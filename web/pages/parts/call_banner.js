// The banner on every page while it is the user's turn in another match, somebody invites them or wants a rematch, or
// a table of a tournament is ready.
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { sentence } from "../../lib/alerts.js";
import { calls } from "../../lib/calls.js";
import { t } from "../../lib/i18n.js";

/**
 * @param {string} path the address of the page: what it shows already needs no banner
 * @param {string | null | undefined} found a match for which there is a banner already
 */
export function callBanner(path, found) {
  const others = calls().filter(({ match }) => path !== `/match/${match}` && match !== found);
  const [first] = others;
  if (!first || path === "/lobby") return nothing;
  const more =
    others.length > 1
      ? html` <a href="#/lobby?show=turn">${t("calls.more", { count: others.length - 1 })}</a>`
      : nothing;
  const left = first.until ? first.until - Date.now() : 0;
  return html`<section class="banner call" aria-label=${t("lobby.title")}>
    <span role="status">${sentence(first)}</span>${
      left > 0
        ? html` <span
            >${t("calls.left")} <span class="clock" role="timer" data-until=${first.until} data-rest=${left}></span
          ></span>`
        : nothing
    }
    <a class="button main" href="#/match/${first.match}"
      >${t(["turn", "table"].includes(first.kind) ? "lobby.play" : "lobby.answer")}</a
    >${more}
  </section>`;
}
