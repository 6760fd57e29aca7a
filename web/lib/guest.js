// Accounts: one click creates a guest account.
import * as api from "./api.js";
import { t } from "./i18n.js";

/**
 * The account of this browser; a guest account is created if there is none.
 * @returns {Promise<import("../types").Account>}
 */
export async function account() {
  const known = api.me();
  if (known) return known;
  const name = t("account.guest", { number: String(1000 + (crypto.getRandomValues(new Uint16Array(1))[0] % 9000)) });
  const made = await api.post("/v1/players", { name });
  const next = { id: made.id, name: made.name ?? name, token: made.token };
  api.signIn(next);
  return next;
}
