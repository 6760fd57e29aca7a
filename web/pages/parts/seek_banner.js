// The banner on every page while a seek is open; when a match is found, it links to it.
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { t } from "../../lib/i18n.js";
import * as seeking from "../../lib/seeking.js";

/** @param {string} path the address of the page @param {import("../../types").App} app */
export function seekBanner(path, app) {
  const seek = seeking.seek();
  if (
    !seek ||
    !seeking.isActive() ||
    path === "/seek" ||
    (seek.status === "offered" && path === `/match/${seek.match}`)
  )
    return nothing;
  if (seek.status === "waiting")
    return html`<p class="banner">${t("seek.waiting")} <a class="button" href="#/seek">${t("seek.show")}</a></p>`;
  if (!seeking.isOffered())
    return html`<p class="banner" role="status">
      ${t("seek.seated")} <a class="button main" href="#/match/${seek.match}">${t("seek.show")}</a>
    </p>`;
  return html`<p class="banner" role="status">
    ${t("seek.found")} <a class="button main" href="#/seek">${t("lobby.play")}</a>
    <button type="button" @click=${() => seeking.decline().catch(() => app.go("#/seek"))}>${t("lobby.decline")}</button>
  </p>`;
}
