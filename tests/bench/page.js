// Measures in the page itself; tests.bench.page loads this before the page's own scripts.
window.painted = [];

const originalFetch = window.fetch;
window.fetch = async (address, options) => {
  const answer = await originalFetch(address, options);
  const isMove = options?.method === "POST" && String(address).includes("/moves") && answer.status === 201;
  if (isMove) waitForPaint(performance.now(), Number(JSON.parse(answer.headers.get("ETag") ?? "0")));
  return answer;
};

/** Record the time from the acknowledgement of a move until the board that shows it is painted. */
function waitForPaint(since, version) {
  const check = () => {
    const shown = Number(document.querySelector(".table")?.dataset.version ?? 0);
    if (shown < version) return requestAnimationFrame(check);
    const channel = new MessageChannel(); // its message comes after the frame was painted
    channel.port1.onmessage = () => window.painted.push(performance.now() - since);
    requestAnimationFrame(() => channel.port2.postMessage(null));
  };
  requestAnimationFrame(check);
}

/**
 * Drag the slider of a replay from one end to the other; return how many positions were painted, and in how many
 * seconds.
 */
window.drag = async (most) => {
  const slider = document.querySelector(".slider");
  const last = Number(slider.max);
  const step = Math.max(1, Math.floor(last / most));
  const began = performance.now();
  let shown = 0;
  for (let at = 0; at <= last; at += step) {
    slider.value = String(at);
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)));
    shown++;
  }
  return { positions: shown, seconds: (performance.now() - began) / 1000, of: last + 1 };
};
