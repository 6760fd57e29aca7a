// Check it yourself: the export of a match or a tournament, or any file, verified in this browser.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import * as api from "../lib/api.js";
import { receiptsOf } from "../lib/evidence.js";
import { t } from "../lib/i18n.js";
import * as trust from "../lib/trust.js";
import { check } from "../lib/verify.js";
import { Runner } from "./parts/runner.js";

/** @typedef {import("../lib/verify.js").Outcome} Outcome */
const SIGNS = { proved: "✓", open: "○", wrong: "✗" };

/**
 * The origin of an export, and the page that it belongs to.
 * @type {Record<string, (id: string) => {path: string, name: string, back: string, label: string}>}
 */
const SOURCES = {
  match: (id) => ({
    path: `/v1/matches/${id}/export`,
    name: `kontor-${id}.ndjson`,
    back: `#/match/${id}/replay`,
    label: t("replay.title"),
  }),
  tournament: (id) => ({
    path: `/v1/tournaments/${id}/export`,
    name: `kontor-tournament-${id}.ndjson`,
    back: `#/tournament/${id}`,
    label: t("tournament.back"),
  }),
};

/**
 * @param {string[]} params none for a file that the user brings
 * @param {URLSearchParams} _query
 * @param {import("../types").App} app
 * @returns {import("../types").Page}
 */
export function open([kind, id], _query, app) {
  const source = kind ? SOURCES[kind](id) : null;
  /** @type {Outcome | null} */ let outcome = null;
  const runner = new Runner(app);
  let over = false;
  let address = "";

  const examine = (/** @type {() => Promise<Uint8Array>} */ get) =>
    runner.run(async () => {
      outcome = null;
      const content = await get();
      await new Promise((resolve) => setTimeout(resolve, 30)); // let the page show that it is busy
      outcome = await check(content);
      URL.revokeObjectURL(address);
      address = URL.createObjectURL(new Blob([/** @type {any} */ (content)], { type: "application/x-ndjson" }));
      app.announce(t(verdict(outcome)));
    });

  const exported = () =>
    examine(async () => {
      await trust.updateKeys();
      return api.get(source?.path ?? "", {}, { text: true });
    });
  const fromFile = (/** @type {File | undefined} */ file) =>
    file && examine(async () => new Uint8Array(await file.arrayBuffer()));

  function drop(/** @type {DragEvent} */ event) {
    event.preventDefault();
    over = false;
    void fromFile(event.dataTransfer?.files[0]);
  }

  /** The user's receipts with their commands, as `kontor verify --receipts` reads them. */
  function saveReceipts() {
    const lines = receiptsOf("match", id).map((one) => `${JSON.stringify(one)}\n`);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob(lines, { type: "application/x-ndjson" }));
    link.download = `kontor-receipts-${id}.ndjson`;
    link.click();
  }

  const verdict = (/** @type {Outcome} */ { problem, findings }) => {
    if (problem !== null) return "check.refused";
    return findings.some((one) => one.kind === "wrong") ? "check.wrong" : "check.good";
  };
  const group = (/** @type {"proved" | "open" | "wrong"} */ kind) => {
    const found = outcome?.findings.filter((one) => one.kind === kind) ?? [];
    return found.length === 0
      ? nothing
      : html`<section class="findings ${kind}">
          <h2>${t(kind === "wrong" ? "check.wrong_title" : kind === "open" ? "check.open" : "check.proved")}</h2>
          <ul>
            ${found.map((one) => html`<li><span aria-hidden="true">${SIGNS[kind]}</span> ${one.text}</li>`)}
          </ul>
        </section>`;
  };

  if (source) queueMicrotask(() => void exported());
  return {
    title: () => t("check.title"),
    close() {
      URL.revokeObjectURL(address);
    },
    view: () =>
      html`<article class="check">
        <h1 tabindex="-1">${t("check.title")}</h1>
        <p>${source ? t("check.match_text") : t("check.file_text")}</p>
        ${
          source
            ? html`<p class="row">
                <button type="button" class="main" ?disabled=${runner.busy} @click=${exported}>
                  ${t("check.again")}</button
                ><a class="button" href=${source.back}>${source.label}</a>
              </p>`
            : nothing
        }
        ${runner.alert} ${runner.busy ? html`<p class="loading">${t("check.busy")}</p>` : nothing}
        ${
          outcome
            ? html`<div class="verdict ${verdict(outcome) === "check.good" ? "good" : "alert"}">
                  <strong>${t(verdict(outcome))}</strong>${
                    outcome.problem
                      ? html`<p>
                          ${
                            outcome.foreign
                              ? outcome.problem
                              : html`${t("check.first_fault")} <span lang="en">${outcome.problem}</span>`
                          }
                        </p>`
                      : nothing
                  }
                </div>
                ${group("wrong")} ${group("proved")} ${group("open")}
                ${
                  source
                    ? html`<p class="row">
                        <a class="button" href=${address} download=${source.name}>${t("check.save")}</a>
                        ${
                          kind === "match" && receiptsOf("match", id).length
                            ? html`<button type="button" @click=${saveReceipts}>${t("check.save_receipts")}</button>`
                            : nothing
                        }
                      </p>`
                    : nothing
                }`
            : nothing
        }
        ${
          source
            ? nothing
            : html`<label
                class="drop ${over ? "over" : ""}"
                @dragover=${(/** @type {DragEvent} */ event) => {
                  event.preventDefault();
                  if (!over) {
                    over = true;
                    app.update();
                  }
                }}
                @dragleave=${() => {
                  over = false;
                  app.update();
                }}
                @drop=${drop}
              >
                <span>${t("check.drop")}</span
                ><input
                  type="file"
                  accept=".ndjson,.json,.txt"
                  @change=${(/** @type {any} */ event) => fromFile(event.target.files[0])}
              /></label>`
        }
      </article>`,
  };
}
