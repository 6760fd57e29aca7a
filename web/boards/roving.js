// One tab stop for many targets: inside an element with `data-arrows`, the arrow keys go from target to target.
//
// Targets are the elements with `data-target` in it. An arrow leads to the nearest target in its direction, so the same
// keys work on a map and in a row. In a group with `data-arrows="list"` it leads to the next or the previous target,
// and
// from the last one to the first.

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** @param {Element} group */
const targets = (group) =>
  /** @type {HTMLElement[]} */ ([...group.querySelectorAll("[data-target]:not([disabled])")]).filter(
    (target) => target.closest("[data-arrows]") === group,
  );

/**
 * Give each group exactly one target that the tab key reaches.
 * @param {Element} root
 */
export function keepOneTabStop(root) {
  for (const group of root.querySelectorAll("[data-arrows]")) {
    const all = targets(group);
    const active = document.activeElement;
    const stop =
      all.find((target) => target === active) ??
      all.find((target) => target.matches('[aria-pressed="true"]')) ??
      all.find((target) => target.tabIndex === 0) ??
      all[0];
    setTabStop(all, stop);
  }
}

/**
 * An element that is the stop already is left alone: every attribute written triggers a style recalculation.
 * @param {HTMLElement[]} all
 * @param {HTMLElement | undefined} stop
 */
function setTabStop(all, stop) {
  for (const target of all) {
    const index = target === stop ? "0" : "-1";
    if (target.getAttribute("tabindex") !== index) target.setAttribute("tabindex", index);
  }
}

/**
 * Go to the nearest target in the direction of an arrow key; Home and End to the first and the last.
 * Enter and space activate targets that are not buttons.
 * @param {KeyboardEvent} event
 */
export function onArrow(event) {
  const from = /** @type {HTMLElement | null} */ (event.target)?.closest?.("[data-target]");
  const group = /** @type {HTMLElement | null} */ (from?.closest("[data-arrows]"));
  if (!from || !group || event.ctrlKey || event.metaKey || event.altKey) return;
  if ((event.key === "Enter" || event.key === " ") && from instanceof SVGElement) {
    event.preventDefault();
    from.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    return;
  }
  const all = targets(group);
  const inDirection = group.dataset.arrows === "list" ? following : nearest;
  const to =
    event.key === "Home" ? all[0] : event.key === "End" ? all.at(-1) : inDirection(from, all, ARROWS[event.key]);
  if (!to) return;
  event.preventDefault();
  setTabStop(all, to);
  to.focus();
}

/**
 * From a target to another.
 * @typedef {(from: Element, all: HTMLElement[], direction?: [number, number]) => HTMLElement | undefined} Step
 */

/** @type {Step} */
function following(from, all, direction) {
  return direction && all.at((all.findIndex((target) => target === from) + direction[0] + direction[1]) % all.length);
}

/** @type {Step} */
function nearest(from, all, direction) {
  if (!direction) return undefined;
  const [x, y] = middle(from);
  const ahead = all
    .map((target) => {
      const [tx, ty] = middle(target);
      const along = (tx - x) * direction[0] + (ty - y) * direction[1];
      const aside = Math.abs((tx - x) * direction[1]) + Math.abs((ty - y) * direction[0]);
      return { target, along, cost: along + 2 * aside };
    })
    .filter(({ along }) => along > 1);
  return ahead.sort((one, other) => one.cost - other.cost)[0]?.target;
}

/** @param {Element} element @returns {[number, number]} */
function middle(element) {
  const box = element.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}
