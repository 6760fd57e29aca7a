// Web Push: this browser shows what waits for the user while the page is not open. Only after a click of the user.
import * as api from "./api.js";
import { lang } from "./i18n.js";
import * as store from "./store.js";

const SCRIPT = new URL("../service_worker.js", import.meta.url).pathname;

/** @type {Promise<ServiceWorkerRegistration> | null} */ let registering = null;

/** The page's policy lets a worker be named only by this function. */
function scriptAddress() {
  const { trustedTypes } = /** @type {import("../types").TrustedTypesHost} */ (/** @type {unknown} */ (window));
  const policy = trustedTypes?.createPolicy("kontor-worker", { createScriptURL: () => SCRIPT });
  return policy ? policy.createScriptURL("") : SCRIPT;
}

/** The service worker, of this build of the page. */
export const registered = () =>
  (registering ??= navigator.serviceWorker
    .register(scriptAddress(), { scope: "/" })
    .then(() => navigator.serviceWorker.ready));

/** The id of this browser among the user's devices. */
function deviceId() {
  const id = store.get("device") ?? crypto.randomUUID();
  store.set("device", id);
  return id;
}

const path = () => `/v1/me/push-devices/${deviceId()}`;

/**
 * Have this browser called. The page's own notifications work without it, so a browser that can't, or a service that
 * does not offer it, is no fault.
 * @returns {Promise<boolean>} whether the service calls this browser from now on
 */
export async function subscribe() {
  if (!("serviceWorker" in navigator) || !("PushManager" in window) || !api.me()) return false;
  const { push_key: key } = await api.get("/v1/me/calls");
  if (!key) return false;
  try {
    const { pushManager } = await registered();
    const subscription = await subscribed(pushManager, key);
    const { endpoint, keys } = subscription.toJSON();
    await api.put(path(), { endpoint, ...keys, language: lang() });
    return true;
  } catch (error) {
    console.info(error); // the browser has no push service, or cannot reach it
    return false;
  }
}

/** @param {PushManager} manager @param {string} key */
async function subscribed(manager, key) {
  const options = { userVisibleOnly: true, applicationServerKey: key };
  try {
    return await manager.subscribe(options);
  } catch (error) {
    const old = await manager.getSubscription(); // to an earlier key of the service
    if (!old) throw error;
    await old.unsubscribe();
    return manager.subscribe(options);
  }
}

/** Have this browser called no more. */
export async function unsubscribe() {
  const registration = "serviceWorker" in navigator && (await navigator.serviceWorker.getRegistration("/"));
  const subscription = registration && (await registration.pushManager.getSubscription());
  if (subscription) await subscription.unsubscribe();
  if (api.me() && store.get("device")) await api.remove(path());
}
