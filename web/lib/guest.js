// Accounts: one click makes a guest.
import * as api from "./api.js";
import { t } from "./i18n.js";

/** A code with which another device takes over this account, once. @returns {Promise<{code: string, id: string}>} */
export async function makeCode() {
  const { scopes } = (await api.get("/v1/tokens")).tokens[0];
  const made = await api.post("/v1/tokens", { label: "one-time code", scopes });
  return { code: made.token, id: made.id };
}

/** Withdraw a code that was not used. @param {string} id */
export const withdrawCode = (id) => api.request("DELETE", `/v1/tokens/${id}`, {});

/** Use an account here: the code is replaced by a token of this browser, and is worth nothing afterwards. @param {string} code */
export async function useCode(code) {
  const before = api.me();
  api.signIn({ id: "", name: "", token: code });
  try {
    const { id, name } = await api.get("/v1/me"), tokens = (await api.get("/v1/tokens")).tokens;
    const used = tokens.find((/** @type {any} */ one) => one.last_four === code.slice(-4) && one.label === "one-time code");
    if (!used) return api.signIn({ id, name, token: code });
    const made = await api.post("/v1/tokens", { label: "browser", scopes: used.scopes });
    await api.request("DELETE", `/v1/tokens/${used.id}`, {});
    api.signIn({ id, name, token: made.token });
  } catch (error) {
    api.signIn(before);
    throw error;
  }
}

/** The account of this browser; a guest's is made if there is none. @returns {Promise<import("../types").Account>} */
export async function account() {
  const known = api.me();
  if (known) return known;
  const name = t("account.guest", { number: String(1000 + (crypto.getRandomValues(new Uint16Array(1))[0] % 9000)) });
  const made = await api.post("/v1/players", { name });
  const next = { id: made.id, name: made.name, token: made.token };
  api.signIn(next);
  return next;
}
