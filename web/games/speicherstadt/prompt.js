/** What the user can do now, in one sentence. */
import { heading } from '../../boards/context.js';

/** @param {import('../../boards/context.js').Context} context */
export function prompt(context) {
  const { phase, row } = context.view;
  const [card] = row;
  return context.t(`now_${phase}`, phase === 'purchase' && card ? { card: heading(context, card.kind), price: card.price } : {});
}
