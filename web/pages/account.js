// The user's account: name, devices, signing key, settings.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import * as api from "../lib/api.js";
import * as devices from "../lib/devices.js";
import { onSubmit, selectAll, withChecked, withFile, withText } from "../lib/events.js";
import { account } from "../lib/guest.js";
import { moment, t } from "../lib/i18n.js";
import * as keys from "../lib/keys.js";
import { unsubscribe } from "../lib/push.js";
import * as store from "../lib/store.js";
import { alertSettings } from "./parts/alert_settings.js";
import { Conduct } from "./parts/conduct.js";
import { MailSetting } from "./parts/mail_setting.js";
import { confirmSetting } from "./parts/moves.js";
import { paceChoice } from "./parts/telling.js";
import { Recovery } from "./parts/recovery.js";
import { Runner } from "./parts/runner.js";

/** @typedef {import("../types").App} App */
/** What arrived with the account from another device. */
const ARRIVED = { moved: "account.moved", no_keys: "account.moved_no_keys", wrong_end: "account.moved_wrong_end" };

/** @param {string[]} _params @param {URLSearchParams} _query @param {App} app */
export const open = async (_params, _query, app) => new AccountPage(await keys.canSign(), app);

class AccountPage {
  code = "";
  done = "";
  token = "";
  name = api.me()?.name ?? "";

  /** @param {boolean} signs whether this browser can sign @param {App} app */
  constructor(signs, app) {
    this.signs = signs;
    this.app = app;
    this.runner = new Runner(app);
    this.conduct = new Conduct(app);
    this.mail = new MailSetting(app);
    this.recovery = new Recovery(app);
  }

  /** @param {() => Promise<string>} act returns what was done, in one sentence */
  run = (act) =>
    this.runner.run(async () => {
      this.done = "";
      this.done = await act();
      this.app.announce(this.done);
    });

  make = () =>
    this.run(async () => {
      this.name = (await account()).name;
      return t("account.made");
    });

  rename = () =>
    this.run(async () => {
      const me = await account();
      const renamed = await api.patch("/v1/me", { name: this.name });
      api.signIn({ ...me, name: renamed.name ?? this.name });
      return t("account.renamed");
    });

  useToken = () =>
    this.run(async () => {
      const arrived = await devices.redeem(this.token);
      this.token = "";
      this.name = api.me()?.name ?? "";
      return t(ARRIVED[arrived]);
    });

  showCode = () =>
    this.run(async () => {
      const { code, expires, left } = await devices.offer();
      this.code = code;
      const made = t("account.code_made", { until: moment(expires) });
      return left ? `${made} ${t("account.key_stays")}` : made;
    });

  saveKey = () =>
    this.run(async () => {
      const text = await keys.exported(keys.current() ?? "");
      if (text === null) {
        await keys.register();
        return t("account.key_movable");
      }
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
      link.download = "kontor-key.json";
      link.click();
      return t("account.key_saved");
    });

  /** @param {File} file */
  loadKey = (file) =>
    this.run(async () => {
      store.set("key", await keys.imported(await file.text()));
      return t("account.key_loaded");
    });

  /** Whether moves are signed from now on. @param {boolean} on */
  sign = (on) => {
    store.set("unsigned", on ? null : true);
    if (on) return this.app.update();
    void this.run(async () => {
      await keys.unregister();
      return t("account.unsigned");
    });
  };

  /** Whether the user was told that the account can't be recovered. */
  warned = false;

  signOut = () =>
    this.run(async () => {
      if (this.recovery.isMissing && !this.warned) {
        this.warned = true;
        return "";
      }
      await unsubscribe().catch(() => {}); // no connection: the next account of this browser replaces this one
      api.signIn(null);
      return "";
    });

  erase = () =>
    this.run(async () => {
      if (!window.confirm(t("account.erase_sure"))) return "";
      await api.remove("/v1/me");
      api.signIn(null);
      return t("account.erased");
    });

  title = () => t("account.title");

  view() {
    const me = api.me();
    return html`<article class="account">
      <h1 tabindex="-1">${me?.name ?? t("account.title")}</h1>
      ${this.done ? html`<p class="good" role="status">${this.done}</p>` : nothing} ${this.runner.alert}
      ${me ? html`${nameForm(this)} ${this.recovery.view()} ${keySection(this)}` : guest(this)}
      <section>
        <h2>${t("account.device")}</h2>
        ${me ? codeFields(this) : nothing} ${tokenForm(this)}
      </section>
      <section>
        <h2>${t("settings.title")}</h2>
        ${confirmSetting()} ${paceChoice()} ${alertSettings(this.app)} ${this.mail.view()}
      </section>
      ${me ? html`${this.conduct.list()} ${leaving(this)}` : nothing}
    </article>`;
  }
}

/** @param {AccountPage} page */
const guest = ({ make }) =>
  html`<p>${t("account.none_text")}</p>
    <p class="row"><button type="button" class="main" @click=${make}>${t("account.make")}</button></p>`;

/** @param {AccountPage} page */
const nameForm = (page) =>
  html`<form @submit=${onSubmit(page.rename)}>
      <label class="field"
        ><span>${t("account.name")}</span>
        <input
          type="text"
          required
          maxlength="40"
          .value=${page.name}
          @input=${withText((name) => {
            page.name = name;
          })}
      /></label>
      <p class="row"><button>${t("account.rename")}</button></p>
    </form>
    <p class="faint">${t("account.number")} <code>${api.me()?.id}</code></p>`;

/** @param {AccountPage} page */
const keySection = ({ signs, sign, saveKey, loadKey }) =>
  html`<section>
    <h2>${t("account.key")}</h2>
    <p>${signs ? t("account.key_text") : t("account.key_missing")}</p>
    ${
      signs
        ? html`<label class="field check"
              ><input type="checkbox" .checked=${!store.get("unsigned")} @change=${withChecked(sign)} /><span
                >${t("account.sign")}</span
              ></label
            >
            <p class="row">
              <button type="button" @click=${saveKey}>${t("account.key_save")}</button
              ><label class="button"
                >${t("account.key_load")}<input class="unseen" type="file" accept=".json" @change=${withFile(loadKey)}
              /></label>
            </p>`
        : nothing
    }
  </section>`;

/** @param {AccountPage} page */
const codeFields = ({ code, runner, showCode }) =>
  html`<p>${t("account.device_text")}</p>
    ${
      code
        ? html`<label class="field"
            ><span>${t("account.code")}</span><input type="text" readonly .value=${code} @focus=${selectAll}
          /></label>`
        : nothing
    }
    <p class="row">
      <button type="button" ?disabled=${runner.busy} @click=${showCode}>${t("account.code_make")}</button>
    </p>`;

/** @param {AccountPage} page */
const tokenForm = (page) =>
  html`<form @submit=${onSubmit(page.useToken)}>
    <label class="field"
      ><span>${t("account.code_use_label")}</span
      ><input
        type="text"
        autocomplete="off"
        autocapitalize="characters"
        spellcheck="false"
        required
        .value=${page.token}
        @input=${withText((text) => {
          page.token = text.trim();
        })}
    /></label>
    <p class="row"><button>${t("account.use_token")}</button></p>
  </form>`;

/** @param {AccountPage} page */
const leaving = ({ signOut, erase, warned, recovery }) =>
  html`<section>
    <h2>${t("account.leave")}</h2>
    ${warned && recovery.isMissing ? html`<p class="alert" role="alert">${t("recovery.missing")}</p>` : nothing}
    <p class="row">
      ${
        warned && recovery.isMissing
          ? html`<button type="button" class="main" @click=${recovery.make}>${t("recovery.make")}</button>`
          : nothing
      }<button type="button" @click=${signOut}>
        ${t(warned && recovery.isMissing ? "recovery.leave" : "account.sign_out")}</button
      ><button type="button" class="danger" @click=${erase}>${t("account.erase")}</button>
    </p>
  </section>`;
