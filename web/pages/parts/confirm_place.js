// The place of the confirmation: beside the board on wide screens, otherwise at the bottom, where it must not cover the chosen move.

const GAP = 8;

/**
 * Scroll so that the part of the board in which the move was chosen is above the confirmation.
 * @param {ParentNode} root
 */
export function keepStageVisible(root) {
  const bar = root.querySelector(".confirm");
  const chosen = root.querySelector('.board [aria-pressed="true"]');
  const stage = root.querySelector('[data-stage="always"]') ?? chosen?.closest("[data-stage]") ?? chosen;
  if (!bar || !stage || getComputedStyle(bar).position !== "fixed") return;
  const { top, bottom } = stage.getBoundingClientRect(), hidden = bottom + GAP - bar.getBoundingClientRect().top;
  if (hidden > 0) scrollBy({ top: Math.min(hidden, Math.max(0, top - GAP)) });
}
