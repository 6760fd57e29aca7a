// The app: header, footer, and between them the page for the address. Addresses come after `#`, so every link works
// on reload.
import { html, nothing, render } from "./vendor/lit-html/lit-html.js";
import { keepOneTabStop } from "./boards/roving.js";
import * as api from "./lib/api.js";
import * as calling from "./lib/calls.js";
import { withText } from "./lib/events.js";
import { LANGUAGES, lang, load, t, wanted } from "./lib/i18n.js";
import { applyTheme, change, settings } from "./lib/settings.js";
import { contradicted, onContradicted, watchAll } from "./lib/entries.js";
import { pageFor, parseAddress } from "./lib/router.js";
import * as seeking from "./lib/seeking.js";
import * as store from "./lib/store.js";
import { callBanner } from "./pages/parts/call_banner.js";
import { seekBanner } from "./pages/parts/seek_banner.js";
import { problemPage } from "./pages/problem.js";
import { knowsEd25519 } from "./verifier/crypto.mjs";

/** @typedef {import("./types").Page} Page @typedef {import("./types").App} App */

const BUILD = document.querySelector('meta[name="kontor-build"]')?.getAttribute("content") ?? "";
/** After how many milliseconds a loading message replaces the previous page. */
const LOADING_DELAY = 200;
const root = /** @type {HTMLElement} */ (document.getElementById("app"));
const liveRegion = /** @type {HTMLElement} */ (document.getElementById("said"));

/** @type {Page | null} */
let page = null;
let path = "";
let upgraded = false;
/** The next drawing, if one is due. @type {Promise<void> | null} */
let drawing = null;
/** Whether the translated strings are loaded; nothing is drawn before that. */
let started = false;
/** Whether signatures can be checked here. */
let checksSignatures = true;
let opening = 0;

/** @type {App} */
export const app = {
  update() {
    void app.drawn();
  },
  drawn() {
    drawing ??= Promise.resolve().then(() => {
      drawing = null;
      draw();
    });
    return drawing;
  },
  announce(sentence) {
    liveRegion.textContent = liveRegion.textContent === sentence ? `${sentence}\u00a0` : sentence;
  },
  go(address) {
    if (location.hash === address) void visit();
    else location.hash = address;
  },
};

/** The service gives this page for every wrong address that a browser asks for; it may lack the `#` only. */
function restoreHash() {
  const { pathname, search, hash } = location;
  if (pathname !== "/") history.replaceState(null, "", hash.startsWith("#/") ? `/${hash}` : `/#${pathname}${search}`);
}

async function visit() {
  const { address, query } = parseAddress(location.hash);
  const key = query.get("key");
  const match = /^\/match\/([^/]+)/.exec(address)?.[1];
  if (key && match) api.keepKey(match, key);
  if (page && address === path && page.revisit?.(query)) return app.update();
  const number = ++opening;
  page?.close?.();
  page = null;
  path = address;
  liveRegion.textContent = ""; // what another page said is no longer true, or in another language
  showBusy();
  const slow = setTimeout(draw, root.hasChildNodes() ? LOADING_DELAY : 0);
  try {
    const next = await openPage(address, query);
    if (number !== opening) return next.close?.();
    page = next;
  } catch (error) {
    if (number !== opening) return;
    page = problemPage(error, app);
    void checkForUpgrade();
  } finally {
    clearTimeout(slow);
  }
  draw();
  focusHeading();
}

/** @param {string} address @param {URLSearchParams} query @returns {Promise<Page>} */
async function openPage(address, query) {
  const found = pageFor(address);
  if (found) return (await found.load()).open(found.params, query, app);
  return problemPage(new api.Problem(404, { code: "no_page" }), app);
}

/** Move the focus to the heading of a new page, so that screen readers announce it. */
function focusHeading() {
  window.scrollTo(0, 0);
  const heading = /** @type {HTMLElement | null} */ (root.querySelector("main h1"));
  if (heading && document.activeElement?.closest("main") === null) heading.focus({ preventScroll: true });
}

/** Remove everything that was drawn, and lit-html's state: after an error, only part of a page may have been drawn. */
function resetRoot() {
  root.replaceChildren();
  Object.assign(root, { _$litPart$: undefined });
}

/** Replace the page by one that explains the error. @param {unknown} error */
function fail(error) {
  console.warn(error);
  page?.close?.();
  return (page = problemPage(error, app));
}

/** Show that the next page is loading. */
const showBusy = () => root.querySelector("main")?.setAttribute("aria-busy", String(page === null));

function draw() {
  if (!started) return;
  try {
    render(shell(page?.view() ?? nothing), root);
  } catch (error) {
    const broken = fail(error);
    resetRoot();
    render(shell(broken.view()), root);
  }
  showBusy();
  const waiting = calling.calls().length;
  document.title = page ? `${waiting ? `(${waiting}) ` : ""}${page.title()} · Kontor` : "Kontor";
  keepOneTabStop(root);
}

/** @param {unknown} content */
const shell = (content) =>
  html` <a class="skip" href="#main" @click=${skip}>${t("shell.skip")}</a>
    <header class="site">
      <a class="brand" href="#/"
        ><img src="${new URL("./styles/icon.svg", import.meta.url).pathname}" alt="" width="28" height="28" />Kontor</a
      >
      <nav aria-label=${t("shell.nav")}>
        ${link("#/lobby", t("lobby.title"), calling.calls().length)} ${link("#/tournaments", t("tournaments.title"))}
        ${link("#/players", t("players.title"))} ${link("#/check", t("check.short"))}
      </nav>
      <div class="who">
        ${link("#/account", api.me()?.name ?? t("account.none"))}
        <label class="unseen" for="language">${t("shell.language")}</label>
        <select id="language" @change=${withText(chooseLanguage)}>
          ${Object.entries(LANGUAGES).map(
            ([code, name]) => html`<option value=${code} lang=${code} ?selected=${code === lang()}>${name}</option>`,
          )}
        </select>
        <button
          class="icon"
          type="button"
          @click=${chooseTheme}
          aria-label=${t("shell.theme", { theme: t(`theme.${settings.theme}`) })}
          title=${t(`theme.${settings.theme}`)}
        >
          ${{ auto: "◐", light: "☀", dark: "☾" }[settings.theme]}
        </button>
      </div>
    </header>
    ${
      upgraded
        ? html`<p class="banner" role="status">
            ${t("shell.upgraded")} <button type="button" @click=${() => location.reload()}>${t("shell.reload")}</button>
          </p>`
        : nothing
    }
    ${store.blocked ? html`<p class="banner">${t("shell.blocked")}</p>` : nothing}
    ${contradicted().map(
      ({ tournament }) =>
        html`<p class="banner" role="alert">
          ${t("tournament.contradicted")} <a href="#/tournament/${tournament}/check">${t("tournament.check")}</a>
        </p>`,
    )}
    ${checksSignatures ? nothing : html`<p class="banner">${t("shell.no_ed25519")}</p>`} ${seekBanner(path, app)}
    ${callBanner(path, seeking.isActive() ? seeking.seek()?.match : null)}
    <main id="main" tabindex="-1">
      ${content === nothing ? html`<h1 class="loading" tabindex="-1">${t("shell.loading")}</h1>` : content}
    </main>
    <footer class="site">
      <p>${t("shell.footer")}</p>
      <nav aria-label=${t("shell.more")}>
        <a href="/docs?language=${lang()}">${t("shell.docs")}</a>
        <a href="/v1/fairness?language=${lang()}">${t("shell.fairness")}</a> <a href="/openapi.yaml">OpenAPI</a>
      </nav>
    </footer>`;

/** @param {string} address @param {string} text @param {number} count of what waits there */
const link = (address, text, count = 0) =>
  html`<a href=${address} aria-current=${address === `#${path}` ? "page" : nothing}
    >${text}${count ? html` <strong class="count">${count}</strong>` : nothing}</a
  >`;

/** @param {MouseEvent} event */
function skip(event) {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

/** @param {string} language */
async function chooseLanguage(language) {
  change({ language });
  await load();
  await visit();
}

function chooseTheme() {
  const order = ["auto", "light", "dark"];
  change({ theme: order[(order.indexOf(settings.theme) + 1) % order.length] });
  app.update();
}

/** Check whether the service has another build of the page, which means that this one is outdated. */
async function checkForUpgrade() {
  try {
    const answer = await fetch("/", { headers: { Accept: "application/json" }, cache: "no-cache" });
    if (answer.ok && (await answer.json()).page_build !== BUILD && !upgraded) {
      upgraded = true;
      app.update();
    }
  } catch {
    // The service can't be reached; pages that need it say so.
  }
}

const UPGRADE_CHECK_MS = 15 * 60 * 1000;
setInterval(() => void checkForUpgrade(), UPGRADE_CHECK_MS);
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && void checkForUpgrade());
addEventListener("hashchange", () => void visit());
addEventListener("unhandledrejection", (event) => {
  event.preventDefault();
  fail(event.reason);
  draw();
});
api.onAccount(() => app.update());
seeking.onChange(() => app.update());
onContradicted(() => app.update());
void seeking.resume();
void knowsEd25519().then((known) => {
  checksSignatures = known;
  app.update();
});
watchAll();
api.onAccount(watchAll);
applyTheme();
restoreHash();
load().then(
  () => {
    root.replaceChildren();
    started = true;
    calling.start(() => app.update());
    return visit();
  },
  (error) => {
    console.warn(error);
    const language = wanted();
    const texts = document.querySelector('meta[name="kontor-unreachable"]')?.getAttribute("content") ?? "{}";
    const [text, label] = JSON.parse(texts)[language];
    document.documentElement.lang = language;
    root.replaceChildren();
    render(
      html`<main class="starting">
        <h1>Kontor</h1>
        <p>${text}</p>
        <button @click=${() => location.reload()}>${label}</button>
      </main>`,
      root,
    );
  },
);
