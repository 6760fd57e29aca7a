// The page for an error: a sentence, and links to continue.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { Problem, Unreachable, me, signIn } from "../lib/api.js";
import { KeyElsewhere } from "../lib/keys.js";
import { has, lang, t } from "../lib/i18n.js";
import { Untrusted } from "../lib/trust.js";

/** @param {unknown} error @returns {string} the error as a sentence */
export function sentenceFor(error) {
  if (error instanceof Untrusted) return t(error.key);
  if (error instanceof KeyElsewhere) return t("problem.key_elsewhere");
  if (error instanceof Unreachable) return t("problem.unreachable");
  if (error instanceof Problem) {
    const key = `problem.${error.code}`;
    const general = `problem.${error.status}`;
    if (has(key)) return t(key);
    if (error.status === 404 && !isOfMatch(error)) return t("problem.gone");
    if (lang() !== "en") return translated(error, general);
    if (error.rule || !has(general)) return error.message;
    return error.status === 404 || error.status === 401 ? t(general) : `${t(general)} ${error.message}`;
  }
  return t("problem.page");
}

/** @param {Problem} error whether it is about a match, which may be private */
const isOfMatch = ({ body }) => String(body.instance).startsWith("/v1/matches/");

/**
 * The service explains refusals in English; users of other languages get the translated title of the problem.
 * @param {Problem} error
 * @param {string} general the key for its status
 */
function translated(error, general) {
  const title = `refused.${error.code}`;
  if (has(general)) return t(general);
  if (has(title)) return t(title);
  return error.rule ? t("problem.by_rules") : error.message;
}

/** Buttons for a user whose token is missing or revoked. @param {import("../types").App} app */
const accountButtons = (app) =>
  html`<button
      type="button"
      class="main"
      @click=${() => {
        signIn(null);
        app.go("#/");
      }}
    >
      ${t("problem.start_anew")}</button
    ><a class="button" href="#/account">${t("problem.other_device")}</a>`;

/** An error message above a page that stays usable. @param {unknown} error @param {import("../types").App} app */
export function alert(error, app) {
  const signedOut = error instanceof Problem && error.status === 401;
  return html`<div class="alert" role="alert">
    <p>${sentenceFor(error)}</p>
    ${signedOut ? html`<p class="row">${accountButtons(app)}</p>` : nothing}
  </div>`;
}

/** @param {unknown} error @param {import("../types").App} app @returns {import("../types").Page} */
export function problemPage(error, app) {
  const signedOut = error instanceof Problem && error.status === 401;
  return {
    title: () => t("problem.title"),
    view: () =>
      html`<article class="problem">
        <h1 tabindex="-1">${t("problem.title")}</h1>
        <p>${sentenceFor(error)}</p>
        <p class="row">
          ${
            signedOut
              ? accountButtons(app)
              : me() || !(error instanceof Problem)
                ? nothing
                : html`<a class="button" href="#/account">${t("problem.other_device")}</a>`
          }
          <button type="button" @click=${() => location.reload()}>${t("shell.reload")}</button>
          <a class="button" href="#/lobby">${t("lobby.title")}</a>
        </p>
      </article>`,
  };
}
