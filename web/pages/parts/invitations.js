// The setting for who may invite the user, and the quotas of their matches.
import { html } from "../../vendor/lit-html/lit-html.js";
import * as api from "../../lib/api.js";
import { t } from "../../lib/i18n.js";

const CHOICES = ["everyone", "met", "nobody"];

/** @param {string} from @returns {Promise<any>} the account with the new setting */
export const setInvitations = (from) => api.request("PUT", "/v1/me/invitations", { body: { invitations_from: from } });

/** @param {any} me the account as the service sends it @param {(from: string) => void} choose */
export const invitations = (me, choose) => html`<section class="invitations" aria-labelledby="invitations-title"><h2 id="invitations-title">${t("invitations.title")}</h2>
  <div class="row" role="radiogroup" aria-labelledby="invitations-title">${CHOICES.map((from) => html`<label class="pill"><input type="radio" name="invitations" .checked=${me.invitations_from === from} @change=${() => choose(from)}><span>${t(`invitations.${from}`)}</span></label>`)}</div>
  <p class="faint">${quota("open", me.quotas.open_matches)} ${quota("running", me.quotas.running_matches)}</p></section>`;

/** @param {string} name @param {{used: number, limit: number}} quota */
const quota = (name, { used, limit }) => t(`quota.${name}`, { used, limit });
