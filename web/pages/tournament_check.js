// The signed file of a tournament, fetched and checked in this browser.
import { t } from "../lib/i18n.js";
import { checkPage } from "./check.js";

/** @param {string[]} params @param {URLSearchParams} _query @param {import("../types").App} app @returns {import("../types").Page} */
export const open = ([id], _query, app) => checkPage({
  path: `/v1/tournaments/${id}/export`, name: `kontor-tournament-${id}.ndjson`, back: `#/tournament/${id}`, label: t("tournament.back"),
}, app);
