/** The board of Settlers of Europe. */
import { html } from '../../boards/lit.js';
import { askWhich, otherMoves } from '../../boards/controls.js';
import { BoardElement } from '../../boards/element.js';
import { styles } from '../../boards/styles.js';
import { actions } from './actions.js';
import { hand } from './hand.js';
import { map } from './map.js';
import { players } from './players.js';
import { otherChoices, toolOf } from './tools.js';
import { offers, tradeDialog } from './trade.js';

await styles(import.meta.url, '../../boards/seats.css', '../../boards/boards.css', 'map.css');

const FROM_SUPPLY = ['buy_resource', 'trade_with_supply'];

class EuropeBoard extends BoardElement {
  /** @param {Record<string, any>} local */
  keepChoice({ lens, kept, trade }) {
    return { lens, kept, trade };
  }

  /** @param {import('../../boards/context.js').Move} move */
  choiceFor(move) {
    const tool = toolOf(move);
    if (tool) return { tool: tool.name };
    return FROM_SUPPLY.includes(move.type) ? { supply: true } : {};
  }

  /** @param {import('../../boards/context.js').Context} context */
  template(context) {
    return html`<div class="drawn-board europe"><div class="europe-table">
      <div class="action-side">
        ${actions(this)}${otherMoves(this, otherChoices(context), context.t('other_moves'))}${offers(this)}
      </div>
      <div class="map-side">${map(this)}${askWhich(this)}</div>
      ${hand(this)}${players(this)}${tradeDialog(this)}</div>
    </div>`;
  }

  updated() {
    const dialog = this.local.trade ? this.querySelector('dialog') : null;
    if (dialog && !dialog.open) dialog.showModal();
  }
}

export { holdings } from './holdings.js';
export { prompt } from './prompt.js';

customElements.define('europe-board', EuropeBoard);

/**
 * Draw a position.
 * @param {import('../../boards/context.js').Context} context
 */
export const draw = (context) => html`<europe-board .context=${context}></europe-board>`;
