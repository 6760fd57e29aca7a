// The user's settings: language, colours, confirmation, and how this device calls them.
import * as store from "./store.js";

/** @typedef {"each" | "costs" | "none"} Confirmed which moves are confirmed before they are sent */
/** @typedef {"slow" | "normal" | "instant"} Pace how fast the moves of others are shown */
/**
 * @typedef {{language: string, theme: string, confirm: Confirmed, pace: Pace,
 *   sound: boolean, notices: boolean, phrases: boolean}} Settings phrases: whether those of others are shown
 */
/** @type {Settings} */
const DEFAULTS = {
  ...{ language: "", theme: "auto", confirm: "costs", pace: "normal" },
  ...{ sound: false, notices: false, phrases: true },
};

/** @type {Settings} */
export const settings = { ...DEFAULTS, ...store.get("settings") };

/** @param {Partial<Settings>} changes */
export function change(changes) {
  Object.assign(settings, changes);
  store.set("settings", settings);
  applyTheme();
}

export function applyTheme() {
  if (settings.theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = settings.theme;
}

/** Whether the user wants less motion. */
export const reducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
