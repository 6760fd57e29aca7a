// Shows the messages that the service pushes to this browser, also while no page of it is open; and answers for the
// service, if it can't be reached, with what the page has kept of finished matches (lib/offline.js).

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

/** The answer of the service, or what was kept of it. @param {Request} request */
async function answer(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await caches.match(request.mode === "navigate" ? "/" : request, { ignoreVary: true });
    if (kept) return kept;
    throw error;
  }
}

/** @param {Request} request whether it is a read that may have been kept */
const isRead = ({ method, headers, url }) =>
  method === "GET" && new URL(url).origin === location.origin && !headers.get("Accept")?.includes("text/event-stream");

worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener("fetch", (event) => isRead(event.request) && event.respondWith(answer(event.request)));
worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("push", (event) => event.waitUntil(show(event.data.json())));
worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(visit(event.notification.data));
});
