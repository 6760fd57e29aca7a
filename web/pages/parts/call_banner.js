// The banner on every page while it is the user's turn in another match, or somebody invites them.
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { calls } from "../../lib/calls.js";
import { t } from "../../lib/i18n.js";

/** @param {string} path the address of the page: what it shows already needs no banner @param {string | null | undefined} found a match for which there is a banner already */
export function callBanner(path, found) {
  const others = calls().filter(({ match }) => path !== `/match/${match}` && match !== found), [first] = others;
  if (!first || path === "/lobby") return nothing;
  const more = others.length > 1 ? html` <a href="#/lobby?show=turn">${t("calls.more", { count: others.length - 1 })}</a>` : nothing;
  return html`<p class="banner call" role="status">${t(`calls.${first.kind}`, { game: first.game })} <a class="button main" href="#/match/${first.match}">${t(first.kind === "turn" ? "lobby.play" : "lobby.answer")}</a>${more}</p>`;
}
