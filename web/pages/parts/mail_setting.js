// E-mail for slow matches, if the service sends any: an address, which is confirmed by a link.
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import * as api from "../../lib/api.js";
import { onSubmit, withText } from "../../lib/events.js";
import { lang, t } from "../../lib/i18n.js";
import { Runner } from "./runner.js";

export class MailSetting {
  /** @type {{offered: boolean, address: string | null, confirmed: boolean}} */
  found = { offered: false, address: null, confirmed: false };
  address = "";

  /** @param {import("../../types").App} app */
  constructor(app) {
    this.runner = new Runner(app);
    if (api.me()) void this.runner.run(this.load);
  }

  load = async () => {
    this.found = await api.get("/v1/me/mail-address");
  };

  set = () =>
    this.runner.run(async () => {
      const language = /** @type {import("../../types").Body<"put", "/v1/me/mail-address">["language"]} */ (lang());
      await api.put("/v1/me/mail-address", { address: this.address, language });
      await this.load();
    });

  remove = () =>
    this.runner.run(async () => {
      await api.remove("/v1/me/mail-address");
      await this.load();
    });

  view() {
    const { offered, address, confirmed } = this.found;
    if (!offered) return nothing;
    const type = withText((text) => {
      this.address = text.trim();
    });
    return html`<section>
      <h3>${t("mail.title")}</h3>
      <p class="faint">${t("mail.text")}</p>
      ${this.runner.alert}
      ${
        address
          ? html`<p role="status">${t(confirmed ? "mail.on" : "mail.asked", { address })}</p>
              <p class="row"><button type="button" @click=${this.remove}>${t("mail.remove")}</button></p>`
          : html`<form @submit=${onSubmit(this.set)}>
              <label class="field"
                ><span>${t("mail.address")}</span
                ><input type="email" autocomplete="email" required .value=${this.address} @input=${type}
              /></label>
              <p class="row"><button ?disabled=${this.runner.busy}>${t("mail.set")}</button></p>
            </form>`
      }
    </section>`;
  }
}
