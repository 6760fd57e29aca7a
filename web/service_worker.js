// Shows the messages that the service pushes to this browser, also while no page of it is open.

/** @typedef {import("./types").PushMessage} Message */
const worker = /** @type {import("./types").PushWorker} */ (/** @type {unknown} */ (self));

/** Show a message, unless the user sees the page already. @param {Message} message */
async function show({ match, text }) {
  const pages = await worker.clients.matchAll({ type: "window" });
  if (pages.some((page) => page.visibilityState === "visible")) return;
  await worker.registration.showNotification("Kontor", { body: text, tag: match, data: match });
}

/** Open the match in a page that is open already, or in a new one. @param {string} match */
async function visit(match) {
  const address = `/#/match/${match}`;
  const [page] = await worker.clients.matchAll({ type: "window" });
  if (!page) return worker.clients.openWindow(address);
  await page.navigate(address);
  return page.focus();
}

worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("push", (event) => event.waitUntil(show(event.data.json())));
worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(visit(event.notification.data));
});
