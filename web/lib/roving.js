// One tab stop for a group of controls; arrow keys, Home and End move within it while it has the focus.

const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** @param {HTMLElement} group @returns {HTMLElement[]} */
const items = (group) => [.../** @type {NodeListOf<HTMLElement>} */ (group.querySelectorAll("[data-rove]:not([disabled])"))];

/** Handle a key in a group. @param {KeyboardEvent} event */
export function onKey(event) {
  const group = /** @type {HTMLElement} */ (event.currentTarget), all = items(group);
  const at = all.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  if (at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
  const step = STEPS[/** @type {keyof typeof STEPS} */ (event.key)];
  const next = step ? (at + step + all.length) % all.length : event.key === "Home" ? 0 : event.key === "End" ? all.length - 1 : -1;
  if (next < 0) return;
  event.preventDefault();
  all[next].focus();
}

/** Keep the tab stop at the control that was focused last. @param {FocusEvent} event */
export function onFocus(event) {
  const group = /** @type {HTMLElement} */ (event.currentTarget), target = /** @type {HTMLElement} */ (event.target).closest("[data-rove]");
  if (!target) return;
  for (const item of items(group)) item.tabIndex = item === target ? 0 : -1;
}

/** Give each group below a node a tab stop, if its own was removed. @param {ParentNode} root */
export function settle(root) {
  for (const group of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-roving]"))) {
    const all = items(group);
    const stops = all.filter((item) => item.tabIndex === 0 && item.hasAttribute("tabindex"));
    if (stops.length === 1) continue;
    const keep = stops.find((item) => item === document.activeElement) ?? stops[0] ?? all[0];
    for (const item of all) item.tabIndex = item === keep ? 0 : -1;
  }
}
