/** What the user can do now, in one sentence. */
import { movesOf, nameOf } from '../../boards/context.js';
import { usableTools } from './tools.js';

const PLAYS = ['play_lancer', 'play_safe_conduct', 'play_treaty_for_gold', 'play_treaty_for_merchant', 'play_bribe'];

/** @param {import('../../boards/context.js').Context} context */
export function prompt(context) {
  const { view, you, t } = context;
  const { phase, active } = view;
  if (phase === 'discard') return t('give_back', { due: view.choice.due?.[/** @type {number} */ (you)] ?? 0 });
  if (phase === 'theft') return t('now_theft');
  if (phase === 'roll') return t(movesOf(context, ...PLAYS).length ? 'now_play_or_roll' : 'now_roll');
  if (phase !== 'action') return usableTools(context).slice(0, 1).map(({ name }) => t(`hint_${name}`)).join('');
  if (active === you) return t('now_action');
  const answers = movesOf(context, 'accept_offer', 'decline_offer');
  return t(answers.length ? 'now_answer' : 'now_offer', { name: nameOf(context, active) });
}
