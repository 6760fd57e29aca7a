// Click the buttons that lead to each move until it is chosen; return the moves that cannot be reached.
globalThis.unreached = (indexes) => {
  const reached = (index) => {
    for (let step = 0; step < 6; step++) {
      const buttons = [...document.querySelectorAll("[data-moves]")].filter(
        (one) => one.dataset.moves.split(" ").includes(String(index)) && one.getAttribute("aria-pressed") !== "true",
      );
      if (!buttons.length) return false;
      // Prefer a button for this move alone.
      const exact = buttons.find((one) => one.dataset.moves === String(index));
      (exact ?? buttons[0]).dispatchEvent(new MouseEvent("click", { bubbles: true }));
      if (calls.chosen === index) return true;
    }
    return false;
  };
  const opened = (type) => document.querySelector(`[data-open="${type}"]`) !== null;
  const { moves } = current();
  const lost = [];
  for (const { index, move } of indexes.map((place) => moves[place])) {
    restart();
    if (!(move.schema ? opened(move.type) : reached(index))) lost.push(index);
  }
  return lost;
};
