// Recovery of the account: a phrase, shown once, and offered before the account can be lost.
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import * as api from "../../lib/api.js";
import * as devices from "../../lib/devices.js";
import { selectAll } from "../../lib/events.js";
import { moment, t } from "../../lib/i18n.js";
import { Runner } from "./runner.js";

export class Recovery {
  phrase = "";
  /** Since when the account has a phrase; undefined while that is not known. @type {string | null | undefined} */
  since;

  /** @param {import("../../types").App} app */
  constructor(app) {
    this.runner = new Runner(app);
    if (api.me()) void this.runner.run(this.load);
    api.onAccount(() => {
      this.phrase = "";
      this.since = undefined;
      if (api.me()) void this.runner.run(this.load);
    });
  }

  load = async () => {
    this.since = (await api.get("/v1/me")).recovery_set_at;
  };

  make = () =>
    this.runner.run(async () => {
      this.phrase = await devices.makeRecovery();
      await this.load();
    });

  save = () => {
    const link = document.createElement("a");
    const text = `${location.origin}\n${api.me()?.name ?? ""}\n${this.phrase}\n`;
    link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    link.download = "kontor-recovery.txt";
    link.click();
  };

  /** Whether the account would be lost with the data of this browser. */
  get isMissing() {
    return Boolean(api.me()) && this.since === null;
  }

  /** Said where something can be lost. */
  note() {
    return this.isMissing
      ? html`<p class="note">${t("recovery.missing")} <a href="#/account">${t("recovery.make")}</a></p>`
      : nothing;
  }

  view() {
    const { runner, since, phrase, make, save } = this;
    return html`<section>
      <h2>${t("recovery.title")}</h2>
      ${runner.alert}
      <p>${t("recovery.text")}</p>
      ${
        phrase
          ? html`<label class="field"
                ><span>${t("recovery.shown")}</span><input type="text" readonly .value=${phrase} @focus=${selectAll}
              /></label>
              <p class="row"><button type="button" class="main" @click=${save}>${t("recovery.save")}</button></p>`
          : html`${since ? html`<p class="faint">${t("recovery.since", { date: moment(since) })}</p>` : nothing}
              <p class="row">
                <button type="button" ?disabled=${runner.busy} @click=${make}>
                  ${t(since ? "recovery.again" : "recovery.make")}
                </button>
              </p>`
      }
    </section>`;
  }
}
