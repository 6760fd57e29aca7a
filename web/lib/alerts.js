// What this device does when something begins to wait for the user: a sound, a notification, a number on the icon.
// Sound and notifications are off until the user switches them on.
import { t } from "./i18n.js";
import { change, settings } from "./settings.js";
import { play } from "./sounds.js";

/** @typedef {import("./calls.js").Call} Call */

/** Whether the user wants to hear or see something while the page is in the background. */
export const isOn = () => settings.sound || settings.notices;

/** The sentence that says what waits. @param {Call} call */
export const sentence = ({ kind, game, name = "" }) => t(`calls.${kind}`, { game, name });

/** Show on the icon of the installed page how much waits. @param {number} count */
export function badge(count) {
  if (!("setAppBadge" in navigator)) return;
  // it fails where the page is not installed
  (count ? navigator.setAppBadge(count) : navigator.clearAppBadge()).catch(() => {});
}

/** Say what has just begun to wait. @param {Call[]} calls */
export function tell(calls) {
  const elsewhere = calls.filter(({ match }) => !location.hash.startsWith(`#/match/${match}`));
  if (elsewhere.length) play(elsewhere.every(({ kind }) => kind === "turn") ? "turn" : "call");
  if (document.visibilityState !== "visible") calls.forEach((call) => void notify(call));
}

/** Show a notification that leads to the match; another one about the same match replaces it. @param {Call} call */
async function notify(call) {
  if (!settings.notices || Notification.permission !== "granted") return;
  const notice = { body: sentence(call), tag: call.match, lang: document.documentElement.lang };
  const shown = new Notification("Kontor", notice);
  shown.onclick = () => {
    window.focus();
    location.hash = `#/match/${call.match}`;
    shown.close();
  };
}

/** Whether this browser can show notifications here: on most of them the address needs HTTPS. */
export const canNotify = () => "Notification" in window && window.isSecureContext;

/** Ask the browser for its permission, after a click of the user. @returns {Promise<boolean>} whether it was given */
export async function allowNotices() {
  const allowed = (await Notification.requestPermission()) === "granted";
  change({ notices: allowed });
  return allowed;
}
