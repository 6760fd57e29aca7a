() => {
  // Follow the buttons that say they lead to a move, until it is chosen; give the moves that are never reached.
  const reached = (index) => {
    for (let step = 0; step < 6; step++) {
      const buttons = [...document.querySelectorAll('[data-moves]')].filter(
        (one) => one.dataset.moves.split(' ').includes(String(index)) && one.getAttribute('aria-pressed') !== 'true',
      );
      if (!buttons.length) return false;
      // The last one is nearest to the end of the way: what appears after a first choice stands after it.
      const exact = buttons.find((one) => one.dataset.moves === String(index));
      (exact ?? buttons[0]).dispatchEvent(new MouseEvent('click', { bubbles: true }));
      if (calls.chosen === index) return true;
    }
    return false;
  };
  const opened = (type) => document.querySelector(`[data-open="${type}"]`) !== null;
  const lost = [];
  for (const { index, move } of current().moves) {
    restart();
    if (!(move.schema ? opened(move.type) : reached(index))) lost.push(index);
  }
  return lost;
}
