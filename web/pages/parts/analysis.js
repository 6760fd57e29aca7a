// What each seat of a finished match could have done better, beside the slider of the replay.
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { decisionAt, filled, mistakeFrom, valueAt } from "../../lib/analysis.js";
import * as api from "../../lib/api.js";
import { account } from "../../lib/guest.js";
import { lang, t } from "../../lib/i18n.js";
import { decimal } from "./rating_graph.js";

/**
 * @typedef {import("../../types").Analysis} Found
 * @typedef {import("../replay.js").ReplayPage} ReplayPage
 */
const LEAST_LOSS = 0.25;

export class Analysis {
  /** @type {Found | null} */ found = null;
  waiting = false;
  #closed = false;

  /** @param {ReplayPage} page */
  constructor(page) {
    this.page = page;
  }

  /** Have the match analysed, and wait until it is. */
  ask = () =>
    this.page.runner.run(async () => {
      await account();
      this.waiting = true;
      this.page.app.update();
      try {
        await this.#wait();
      } finally {
        this.waiting = false;
      }
      this.page.app.update();
    });

  async #wait() {
    const path = `/v1/matches/${this.page.match.id}/analysis`;
    while (!this.#closed) {
      const answer = /** @type {Found | {retry_after_ms: number}} */ (await api.get(path, { tell: lang() }));
      if (!("retry_after_ms" in answer)) return this.#show(answer);
      await api.pause(answer.retry_after_ms);
    }
  }

  /** @param {Found} found */
  #show(found) {
    this.found = found;
    this.page.app.announce(t("analysis.done"));
  }

  close() {
    this.#closed = true;
  }
}

/** @param {ReplayPage} page */
export function analysisPart(page) {
  const { analysis, over } = page;
  if (!over) return nothing;
  if (analysis.waiting) return html`<p class="analysis" role="status">${t("analysis.waiting")}</p>`;
  if (analysis.found) return shown(page, analysis.found);
  return html`<div class="row analysis">
    <button type="button" @click=${analysis.ask}>${t("analysis.ask")}</button>
  </div>`;
}

/** @param {ReplayPage} page @param {Found} found */
function shown(page, found) {
  const { names, follower, here } = page;
  const name = names[follower];
  const value = valueAt(found, follower, here.version);
  const said = t(`analysis.value.${found.unit}`, { name, value: signed(value) });
  return html`<section class="analysis" aria-label=${t("analysis.title")}>
    <div class="row">
      ${arrow(page, found, -1, t("analysis.mistake_before", { name }))}
      <meter class="value-bar" min="0" max="100" .value=${filled(value)} aria-label=${said} title=${said}></meter>
      <span>${said}</span>
      ${arrow(page, found, 1, t("analysis.mistake_after", { name }))}
    </div>
    <p class="better">${judgement(page, found)}</p>
    <p class="faint">${t("analysis.how")}</p>
  </section>`;
}

/**
 * A button to another mistake.
 * @param {ReplayPage} page
 * @param {Found} found
 * @param {1 | -1} way
 * @param {string} name
 */
function arrow(page, found, way, name) {
  const version = mistakeFrom(found, page.follower, page.here.version, way);
  return html`<button
    type="button"
    class="icon"
    aria-label=${name}
    title=${name}
    ?disabled=${version === null}
    @click=${() => version !== null && page.jump(page.indexOf(version))}
  >
    <span aria-hidden="true">${way > 0 ? "! ▶" : "◀ !"}</span>
  </button>`;
}

/** @param {ReplayPage} page @param {Found} found */
function judgement({ names, follower, here: { version } }, found) {
  const here = decisionAt(found, version);
  if (!here) return found.mistakes[follower].length ? nothing : t("analysis.no_mistakes", { name: names[follower] });
  const name = names[here.seat];
  const loss = here.before - here.after;
  const [best] = here.line;
  if (!best || loss < LEAST_LOSS) return t("analysis.good", { name, move: here.made.label });
  const values = { name, move: here.made.label, better: best.label, loss: decimal(loss) };
  return t(`analysis.better.${found.unit}`, values);
}

/** @param {number} value */
const signed = (value) => `${value > 0 ? "+" : value < 0 ? "−" : ""}${decimal(Math.abs(value))}`;
