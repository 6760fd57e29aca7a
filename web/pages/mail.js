// Where the links in e-mails lead: confirm an address, or get no more mail. Nothing happens before a click, since
// programs follow links, too.
import { html } from "../vendor/lit-html/lit-html.js";
import * as api from "../lib/api.js";
import { t } from "../lib/i18n.js";
import { Runner } from "./parts/runner.js";

/** @param {string[]} _params @param {URLSearchParams} query @param {import("../types").App} app */
export const open = (_params, query, app) => new MailPage(query.get("confirm"), query.get("stop") ?? "", app);

class MailPage {
  isDone = false;

  /** @param {string | null} confirm @param {string} stop codes of links @param {import("../types").App} app */
  constructor(confirm, stop, app) {
    this.confirm = confirm;
    this.stop = stop;
    this.runner = new Runner(app);
  }

  act = () =>
    this.runner.run(async () => {
      if (this.confirm !== null) await api.post("/v1/mail-confirmations", { code: this.confirm }, { anonymous: true });
      else await api.post(`/v1/mail-stops/${encodeURIComponent(this.stop)}`, undefined, { anonymous: true });
      this.isDone = true;
      this.runner.app.announce(this.said);
    });

  get said() {
    return t(this.confirm === null ? "mail.stopped" : "mail.confirmed");
  }

  title = () => t("mail.title");

  view() {
    const name = t(this.confirm === null ? "mail.stop" : "mail.confirm");
    return html`<article>
      <h1 tabindex="-1">${t("mail.title")}</h1>
      ${this.runner.alert}
      ${
        this.isDone
          ? html`<p class="good" role="status">${this.said}</p>`
          : html`<p class="row">
              <button type="button" class="main" ?disabled=${this.runner.busy} @click=${this.act}>${name}</button>
            </p>`
      }
    </article>`;
  }
}
