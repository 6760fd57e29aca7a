// How this device says that something waits: sound and notifications, each switched on by a click.
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { allowNotices, canNotify } from "../../lib/alerts.js";
import { withChecked } from "../../lib/events.js";
import { t } from "../../lib/i18n.js";
import { change, settings } from "../../lib/settings.js";
import { subscribe, unsubscribe } from "../../lib/push.js";
import { play } from "../../lib/sounds.js";

/** Whether the browser has just refused to show notifications. */
let refused = false;
/** Whether the service has just agreed to call this browser. */
let pushed = false;

/** @param {boolean} on */
function setSound(on) {
  change({ sound: on });
  play("turn");
}

/** @param {boolean} on @param {import("../../types").App} app */
async function setNotices(on, app) {
  refused = on && !(await allowNotices());
  if (on && !refused) pushed = await subscribe().catch(() => false);
  if (!on) {
    change({ notices: false });
    await unsubscribe().catch(() => {}); // the service removes a subscription that has ended
  }
  if (refused) app.announce(t("settings.notices.refused"));
  app.update();
}

/**
 * @param {"sound" | "notices"} name
 * @param {(on: boolean) => unknown} set
 */
const choice = (name, set) =>
  html`<label class="field check"
      ><input
        type="checkbox"
        .checked=${settings[name]}
        aria-describedby="hint-${name}"
        @change=${withChecked(set)}
      /><span>${t(`settings.${name}`)}</span></label
    >
    <small class="faint" id="hint-${name}">${t(`settings.${name}.hint`)}</small>`;

/** @param {import("../../types").App} app */
export const alertSettings = (app) =>
  html`${choice("sound", setSound)} ${canNotify() ? choice("notices", (on) => setNotices(on, app)) : nothing}
  ${settings.notices && pushed ? html`<p class="faint" role="status">${t("settings.notices.pushed")}</p>` : nothing}
  ${refused ? html`<p class="alert">${t("settings.notices.refused")}</p>` : nothing}`;
