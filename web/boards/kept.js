// Memoised parts of a drawing: they are drawn again only when their inputs have changed.
import { Directive, directive } from "../vendor/lit-html/directive.js";
import { noChange } from "./lit.js";

class Kept extends Directive {
  /** @type {unknown[] | null} */
  #made = null;

  /** @param {unknown[]} of @param {() => unknown} draw */
  render(of, draw) {
    if (this.#made?.length === of.length && of.every((value, i) => Object.is(value, this.#made?.[i]))) return noChange;
    this.#made = of;
    return draw();
  }
}

/**
 * Return the result of `draw`, cached while all values stay the same. Views of a replay share their unchanged parts,
 * so that
 * objects can be compared by identity.
 * @type {(of: unknown[], draw: () => unknown) => unknown}
 */
export const kept = directive(Kept);
