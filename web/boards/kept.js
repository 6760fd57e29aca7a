/** A part of a drawing that is made again only when something that it is made of has changed. */
import { Directive, directive } from '../vendor/lit-html/directive.js';
import { noChange } from './lit.js';

class Kept extends Directive {
  /** @type {unknown[] | null} */
  #made = null;

  /**
   * @param {unknown[]} of
   * @param {() => unknown} draw
   */
  render(of, draw) {
    if (this.#made?.length === of.length && of.every((value, i) => Object.is(value, this.#made?.[i]))) return noChange;
    this.#made = of;
    return draw();
  }
}

/**
 * What `draw` returns, as long as none of the values is another one than when it was drawn last. Views of a replay share what did not change, so that
 * objects can be compared by identity.
 * @type {(of: unknown[], draw: () => unknown) => unknown}
 */
export const kept = directive(Kept);
