// Check it yourself: the export of a match or a tournament, or any file, verified in this browser.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import * as api from "../lib/api.js";
import { withFile } from "../lib/events.js";
import { receiptsOf } from "../lib/evidence.js";
import { t } from "../lib/i18n.js";
import * as trust from "../lib/trust.js";
import { check } from "../lib/verify.js";
import { Runner } from "./parts/runner.js";

/** @typedef {import("../types").App} App @typedef {import("../lib/verify.js").Outcome} Outcome */
/** @typedef {ReturnType<typeof SOURCES[keyof typeof SOURCES]>} Source */
const SIGNS = { proved: "✓", open: "○", wrong: "✗" };
const TITLES = { proved: "check.proved", open: "check.open", wrong: "check.wrong_title" };
/** So that the page shows that it is busy before it is. */
const PAUSE = 30;

/** The origin of an export, and the page that it belongs to. */
const SOURCES = {
  match: (/** @type {string} */ id) => ({
    path: `/v1/matches/${id}/export`,
    name: `kontor-${id}.ndjson`,
    back: `#/match/${id}/replay`,
    label: t("replay.title"),
    match: /** @type {string | null} */ (id),
  }),
  tournament: (/** @type {string} */ id) => ({
    path: `/v1/tournaments/${id}/export`,
    name: `kontor-tournament-${id}.ndjson`,
    back: `#/tournament/${id}`,
    label: t("tournament.back"),
    match: null,
  }),
};

/** @param {string[]} params none for a file that the user brings @param {URLSearchParams} _query @param {App} app */
export function open([kind, id], _query, app) {
  const page = new CheckPage(kind ? SOURCES[/** @type {keyof typeof SOURCES} */ (kind)](id) : null, app);
  if (page.source) queueMicrotask(page.exported);
  return page;
}

/** @param {Outcome} outcome the key of the sentence about it */
function verdictOn({ problem, findings }) {
  if (problem !== null) return "check.refused";
  return findings.some((one) => one.kind === "wrong") ? "check.wrong" : "check.good";
}

class CheckPage {
  /** @type {Outcome | null} */ outcome = null;
  /** Whether the user holds a file over the page. */
  over = false;
  /** Where the browser keeps the file that was checked. */
  address = "";

  /** @param {Source | null} source @param {App} app */
  constructor(source, app) {
    this.source = source;
    this.app = app;
    this.runner = new Runner(app);
  }

  /** @param {() => Promise<Uint8Array<ArrayBuffer>>} get */
  examine = (get) =>
    this.runner.run(async () => {
      this.outcome = null;
      const content = await get();
      await api.pause(PAUSE);
      this.outcome = await check(content);
      URL.revokeObjectURL(this.address);
      this.address = URL.createObjectURL(new Blob([content], { type: "application/x-ndjson" }));
      this.app.announce(t(verdictOn(this.outcome)));
    });

  exported = () =>
    this.examine(async () => {
      await trust.updateKeys();
      return api.bytes(this.source?.path ?? "");
    });

  /** @param {File} file */
  fromFile = (file) => this.examine(async () => new Uint8Array(await file.arrayBuffer()));

  /** @param {DragEvent} event */
  drop = (event) => {
    event.preventDefault();
    this.over = false;
    const [file] = event.dataTransfer?.files ?? [];
    if (file) void this.fromFile(file);
  };

  /** @param {boolean} over */
  hover(over) {
    if (this.over === over) return;
    this.over = over;
    this.app.update();
  }

  /** The user's receipts with their commands, as `kontor verify --receipts` reads them. @param {string} match */
  saveReceipts(match) {
    const lines = receiptsOf("match", match).map((one) => `${JSON.stringify(one)}\n`);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob(lines, { type: "application/x-ndjson" }));
    link.download = `kontor-receipts-${match}.ndjson`;
    link.click();
  }

  close() {
    URL.revokeObjectURL(this.address);
  }

  title = () => t("check.title");

  view() {
    const { source, outcome, runner, exported } = this;
    return html`<article class="check">
      <h1 tabindex="-1">${t("check.title")}</h1>
      <p>${source ? t("check.match_text") : t("check.file_text")}</p>
      ${
        source
          ? html`<p class="row">
              <button type="button" class="main" ?disabled=${runner.busy} @click=${exported}>${t("check.again")}</button
              ><a class="button" href=${source.back}>${source.label}</a>
            </p>`
          : nothing
      }
      ${runner.alert} ${runner.busy ? html`<p class="loading">${t("check.busy")}</p>` : nothing}
      ${
        outcome
          ? html`${verdict(outcome)} ${group(outcome, "wrong")} ${group(outcome, "proved")} ${group(outcome, "open")}
            ${source ? saving(this, source) : nothing}`
          : nothing
      }
      ${source ? nothing : fileField(this)}
    </article>`;
  }
}

/** @param {Outcome} outcome */
function verdict(outcome) {
  const { problem, foreign } = outcome;
  const key = verdictOn(outcome);
  return html`<div class="verdict ${key === "check.good" ? "good" : "alert"}">
    <strong>${t(key)}</strong>${
      problem
        ? html`<p>${foreign ? problem : html`${t("check.first_fault")} <span lang="en">${problem}</span>`}</p>`
        : nothing
    }
  </div>`;
}

/** @param {Outcome} outcome @param {keyof typeof SIGNS} kind */
function group({ findings }, kind) {
  const found = findings.filter((one) => one.kind === kind);
  if (found.length === 0) return nothing;
  return html`<section class="findings ${kind}">
    <h2>${t(TITLES[kind])}</h2>
    <ul>
      ${found.map((one) => html`<li><span aria-hidden="true">${SIGNS[kind]}</span> ${one.text}</li>`)}
    </ul>
  </section>`;
}

/** @param {CheckPage} page @param {Source} source */
const saving = (page, { name, match }) =>
  html`<p class="row">
    <a class="button" href=${page.address} download=${name}>${t("check.save")}</a>
    ${
      match && receiptsOf("match", match).length
        ? html`<button type="button" @click=${() => page.saveReceipts(match)}>${t("check.save_receipts")}</button>`
        : nothing
    }
  </p>`;

/** @param {CheckPage} page */
const fileField = (page) =>
  html`<label
    class="drop ${page.over ? "over" : ""}"
    @dragover=${(/** @type {DragEvent} */ event) => {
      event.preventDefault();
      page.hover(true);
    }}
    @dragleave=${() => page.hover(false)}
    @drop=${page.drop}
  >
    <span>${t("check.drop")}</span><input type="file" accept=".ndjson,.json,.txt" @change=${withFile(page.fromFile)} />
  </label>`;
