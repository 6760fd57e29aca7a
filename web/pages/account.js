// The user's account: name, devices, signing key, settings.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import * as api from "../lib/api.js";
import * as devices from "../lib/devices.js";
import { account } from "../lib/guest.js";
import { moment, t } from "../lib/i18n.js";
import * as keys from "../lib/keys.js";
import * as store from "../lib/store.js";
import { confirmSetting } from "./parts/moves.js";
import { Runner } from "./parts/runner.js";

/** What arrived with the account from another device. */
const ARRIVED = { moved: "account.moved", no_keys: "account.moved_no_keys", wrong_end: "account.moved_wrong_end" };

/**
 * @param {string[]} _params
 * @param {URLSearchParams} _query
 * @param {import("../types").App} app
 * @returns {Promise<import("../types").Page>}
 */
export async function open(_params, _query, app) {
  const runner = new Runner(app);
  let code = "";
  let done = "";
  let name = api.me()?.name ?? "";
  let token = "";
  const signs = await keys.canSign();

  const run = (/** @type {() => Promise<string>} */ act) =>
    runner.run(async () => {
      done = "";
      done = await act();
      app.announce(done);
    });

  const rename = () =>
    run(async () => {
      const me = await account();
      const renamed = await api.request("PATCH", "/v1/me", { body: { name } });
      api.signIn({ ...me, name: renamed.name });
      return t("account.renamed");
    });

  const useToken = () =>
    run(async () => {
      const arrived = await devices.redeem(token);
      token = "";
      name = api.me()?.name ?? "";
      return t(ARRIVED[arrived]);
    });

  const showCode = () =>
    run(async () => {
      const made = await devices.offer();
      code = made.code;
      return [
        t("account.code_made", { until: moment(made.expires) }),
        ...(made.left ? [t("account.key_stays")] : []),
      ].join(" ");
    });

  const saveKey = () =>
    run(async () => {
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

  const loadKey = (/** @type {any} */ event) =>
    run(async () => {
      store.set("key", await keys.imported(await event.target.files[0].text()));
      return t("account.key_loaded");
    });

  const erase = () =>
    run(async () => {
      if (!window.confirm(t("account.erase_sure"))) return "";
      await api.request("DELETE", "/v1/me", {});
      api.signIn(null);
      return t("account.erased");
    });

  const signedIn = () =>
    html` <form
        @submit=${(/** @type {Event} */ event) => {
          event.preventDefault();
          void rename();
        }}
      >
        <label class="field"
          ><span>${t("account.name")}</span>
          <input
            type="text"
            required
            maxlength="40"
            .value=${name}
            @input=${(/** @type {any} */ event) => {
              name = event.target.value;
            }}
        /></label>
        <p class="row"><button>${t("account.rename")}</button></p>
      </form>
      <p class="faint">${t("account.number")} <code>${api.me()?.id}</code></p>
      <section>
        <h2>${t("account.key")}</h2>
        <p>${signs ? t("account.key_text") : t("account.key_missing")}</p>
        ${
          signs
            ? html`<label class="field check"
                  ><input
                    type="checkbox"
                    .checked=${!store.get("unsigned")}
                    @change=${(/** @type {any} */ event) => {
                      store.set("unsigned", event.target.checked ? null : true);
                      if (!event.target.checked)
                        void run(async () => {
                          await keys.unregister();
                          return t("account.unsigned");
                        });
                      app.update();
                    }}
                  /><span>${t("account.sign")}</span></label
                >
                <p class="row">
                  <button type="button" @click=${saveKey}>${t("account.key_save")}</button
                  ><label class="button"
                    >${t("account.key_load")}<input class="unseen" type="file" accept=".json" @change=${loadKey}
                  /></label>
                </p>`
            : nothing
        }
      </section>`;

  return {
    title: () => t("account.title"),
    view: () =>
      html`<article class="account">
        <h1 tabindex="-1">${api.me()?.name ?? t("account.title")}</h1>
        ${done ? html`<p class="good" role="status">${done}</p>` : nothing} ${runner.alert}
        ${
          api.me()
            ? signedIn()
            : html`<p>${t("account.none_text")}</p>
                <p class="row">
                  <button
                    type="button"
                    class="main"
                    @click=${() =>
                      run(async () => {
                        name = (await account()).name;
                        return t("account.made");
                      })}
                  >
                    ${t("account.make")}
                  </button>
                </p>`
        }
        <section>
          <h2>${t("account.device")}</h2>
          ${
            api.me()
              ? html`<p>${t("account.device_text")}</p>
                  ${
                    code
                      ? html`<label class="field"
                          ><span>${t("account.code")}</span
                          ><input
                            type="text"
                            readonly
                            .value=${code}
                            @focus=${(/** @type {any} */ event) => event.target.select()}
                        /></label>`
                      : nothing
                  }
                  <p class="row">
                    <button type="button" ?disabled=${runner.busy} @click=${showCode}>${t("account.code_make")}</button>
                  </p>`
              : nothing
          }
          <form
            @submit=${(/** @type {Event} */ event) => {
              event.preventDefault();
              void useToken();
            }}
          >
            <label class="field"
              ><span>${t("account.code_use_label")}</span
              ><input
                type="text"
                autocomplete="off"
                autocapitalize="characters"
                spellcheck="false"
                required
                .value=${token}
                @input=${(/** @type {any} */ event) => {
                  token = event.target.value.trim();
                }}
            /></label>
            <p class="row"><button>${t("account.use_token")}</button></p>
          </form>
        </section>
        <section>
          <h2>${t("settings.title")}</h2>
          ${confirmSetting()}
        </section>
        ${
          api.me()
            ? html`<section>
                <h2>${t("account.leave")}</h2>
                <p class="row">
                  <button
                    type="button"
                    @click=${() => {
                      api.signIn(null);
                      app.update();
                    }}
                  >
                    ${t("account.sign_out")}</button
                  ><button type="button" class="danger" @click=${erase}>${t("account.erase")}</button>
                </p>
              </section>`
            : nothing
        }
      </article>`,
  };
}
