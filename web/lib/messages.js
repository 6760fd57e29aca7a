// Messages: the templates of docs and games (domain/toolkit/messages.py), as far as the page needs them.
//
//     {who}                                                    a value
//     {n, plural, =0 {no coin} one {# coin} other {# coins}}   by a number
//     {reason, select, played {…} other {…}}                   by a word

/**
 * @typedef {string | Slot} Part
 * @typedef {{name: string, kind: string, branches: Record<string, Part[]>}} Slot
 * @typedef {Record<string, unknown>} Values
 */

const TEXT = { outside: /[^{}]+/y, inside: /[^{}#]+/y };
const SLOT = /\{\s*(\w+)\s*(?:,\s*(plural|select)\s*)?/y;
const BRANCH = /\s*,?\s*(=?\w+)\s*\{/y;
const END = /\s*\}/y;

/** A template that is read from left to right. */
class Reader {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  /** @param {RegExp} pattern what may come next; if it does, it is read */
  take(pattern) {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found) this.at = pattern.lastIndex;
    return found;
  }

  /** @returns {Part[]} the parts up to the end of the template or of its branch */
  parts(inside = false) {
    const parts = [];
    while (this.at < this.text.length && this.text[this.at] !== "}") {
      const text = this.take(inside ? TEXT.inside : TEXT.outside);
      if (text) parts.push(text[0]);
      else if (this.text[this.at] === "{") parts.push(this.slot());
      else parts.push({ name: this.text[this.at++], kind: "number", branches: {} });
    }
    return parts;
  }

  /** @returns {Slot} */
  slot() {
    const found = this.take(SLOT);
    if (!found) throw new Error(`no placeholder at ${this.at} of ${this.text}`);
    /** @type {Record<string, Part[]>} */
    const branches = {};
    for (let branch = this.take(BRANCH); branch; branch = this.take(BRANCH)) {
      branches[branch[1]] = this.parts(true);
      this.at += 1;
    }
    if (!this.take(END) || Boolean(found[2]) !== "other" in branches)
      throw new Error(`the placeholder ${found[1]} of ${this.text} is not well-formed`);
    return { name: found[1], kind: found[2] ?? "", branches };
  }
}

/** @param {string} text a template @returns {Part[]} */
export function parse(text) {
  const reader = new Reader(text);
  const parts = reader.parts();
  if (reader.at !== text.length) throw new Error(`there is a } too many in ${text}`);
  return parts;
}

/**
 * The text of a template with its values; one that is missing stays visible as `{name}`.
 * @param {Part[]} parts
 * @param {Values} values
 * @param {Intl.PluralRules} plurals of the language
 * @param {string} number what `#` stands for
 * @returns {string}
 */
export function fill(parts, values, plurals, number = "") {
  return parts.map((part) => (typeof part === "string" ? part : show(part, values, plurals, number))).join("");
}

/** @param {Slot} slot @param {Values} values @param {Intl.PluralRules} plurals @param {string} number */
function show({ name, kind, branches }, values, plurals, number) {
  if (kind === "number") return number;
  if (!kind) return name in values ? String(values[name]) : `{${name}}`;
  const value = values[name];
  const chosen =
    kind === "select" ? branches[String(value)] : (branches[`=${value}`] ?? branches[form(value, plurals)]);
  return fill(chosen ?? branches.other, values, plurals, kind === "plural" ? String(value) : number);
}

/** @param {unknown} value @param {Intl.PluralRules} plurals */
const form = (value, plurals) => plurals.select(Number(value));
