// What the modules of the page need of a browser, and a service that answers as a test says.

/** A storage as `localStorage`, with its values as own properties; `limit` is how many it takes. */
export class MemoryStorage {
  static limit = Infinity;

  getItem(name) {
    return Object.hasOwn(this, name) ? this[name] : null;
  }
  setItem(name, value) {
    if (!Object.hasOwn(this, name) && Object.keys(this).length >= MemoryStorage.limit) throw new Error("full");
    this[name] = String(value);
  }
  removeItem(name) {
    delete this[name];
  }
}

const events = new EventTarget();
const wait = globalThis.setTimeout;
Object.assign(globalThis, {
  // what waits on purpose, such as before a second attempt, waits a hundredth of the time
  setTimeout: (act, ms = 0, ...values) => wait(act, ms / 100, ...values),
  window: globalThis,
  localStorage: new MemoryStorage(),
  addEventListener: events.addEventListener.bind(events),
  dispatchEvent: events.dispatchEvent.bind(events),
  location: { hash: "", href: "http://localhost/" },
  matchMedia: () => ({ matches: false }),
  document: Object.assign(new EventTarget(), {
    documentElement: { dataset: {}, lang: "en" },
    visibilityState: "visible",
    activeElement: null,
    createComment: () => ({}),
    createTreeWalker: () => ({}),
    querySelector: () => null,
    querySelectorAll: () => [],
    getElementById: () => null,
  }),
});

/** Forget everything that is stored. */
export function clearStorage() {
  for (const name of Object.keys(localStorage)) localStorage.removeItem(name);
}

/** A service: `answers` has a value or function for each method and path; `asked` are the requests so far. */
export class Service {
  asked = [];

  constructor(answers) {
    this.answers = answers;
    globalThis.fetch = async (url, options = {}) => this.answer(String(url), options);
  }

  async answer(url, { method = "GET", headers = {}, body, signal }) {
    const [path, query = ""] = url.split("?");
    const request = { method, path, query: new URLSearchParams(query), headers, signal };
    request.body = body === undefined ? undefined : JSON.parse(body);
    this.asked.push(request);
    const answer = this.answers[`${method} ${path}`];
    if (answer === undefined) return this.problem(404, { code: "no_such_thing" });
    const value = typeof answer === "function" ? await answer(request) : answer;
    return value instanceof Response ? value : new Response(JSON.stringify(value));
  }

  problem(status, body, headers = {}) {
    return new Response(JSON.stringify(body), { status, headers });
  }

  requests(method, path) {
    return this.asked.filter((one) => one.method === method && one.path === path);
  }
}

/** The answer of a stream that never says anything. */
export const silence = ({ signal }) =>
  new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
  });

/** Wait until a condition holds; each step lets everything that is pending happen. */
export async function until(condition) {
  for (let step = 0; step < 1000; step++) {
    if (condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  throw new Error(`never: ${condition}`);
}
