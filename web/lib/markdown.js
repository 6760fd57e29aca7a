// The Markdown of our rules: headings, paragraphs, lists within lists, tables, bold, code. Nothing is ever read as
// HTML.
import { html } from "../vendor/lit-html/lit-html.js";

/** The number of a rule, perhaps with its title. */
const RULE = /^([A-Z]{1,3}-\d+[a-z]?)(?: |$)/;

/** How plain text is shown. @type {(text: string) => unknown} */
let plain = (text) => text;

/** @param {string} text @returns {unknown[]} */
function inline(text) {
  return text.split(/(\*\*[^*]+\*\*|`[^`]+`|\*[^*]+\*|\[[^\]]+\]\([^)]+\))/).map((part) => {
    if (part.startsWith("**")) return bold(part.slice(2, -2));
    if (part.startsWith("`")) return html`<code>${part.slice(1, -1)}</code>`;
    if (part.startsWith("*") && part.length > 2) return html`<em>${part.slice(1, -1)}</em>`;
    const link = /^\[([^\]]+)\]\(([^)]+)\)$/.exec(part);
    return plain(link ? link[1] : part);
  });
}

/** Bold text; the number of a rule gets an id, so that links can point to it. @param {string} text */
function bold(text) {
  const rule = RULE.exec(text)?.[1];
  return rule
    ? html`<strong id="rule-${rule}" class="rule-number" tabindex="-1">${text}</strong>`
    : html`<strong>${text}</strong>`;
}

/** @param {string[]} lines the lines of a table */
function table(lines) {
  const [head, , ...rows] = lines.map((line) =>
    line
      .replace(/^\||\|$/g, "")
      .split("|")
      .map((cell) => cell.trim()),
  );
  return html`<div class="wide" tabindex="0" role="group">
    <table>
      <thead>
        <tr>
          ${head.map((cell) => html`<th scope="col">${inline(cell)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${row.map((cell) => html`<td>${inline(cell)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

const ITEM = /^(- |\d+\. )/;
const INDENTED = /^ {2}/;

/**
 * @param {string[]} lines
 * @returns {string[][]} lines that belong together; those below an item of a list are indented and belong to it
 */
function blocks(lines) {
  /** @type {string[][]} */ const found = [];
  /** @type {string[]} */ let block = [];
  for (const [place, line] of lines.entries()) {
    const blank = line.trim() === "";
    const inItem = ITEM.test(block[0] ?? "");
    const next = lines.slice(place).find((one) => one.trim() !== "") ?? "";
    if (inItem && INDENTED.test(blank ? next : line)) {
      block.push(line);
      continue;
    }
    const begins = /^#/.test(line) || ITEM.test(line) || line.startsWith("|") !== (block[0] ?? "").startsWith("|");
    if ((blank || begins) && block.length) {
      found.push(block);
      block = [];
    }
    if (!blank) block.push(line);
  }
  return block.length ? [...found, block] : found;
}

/** An item: its first paragraph, and what is indented below it, such as a list of its own. @param {string[]} block */
function item([first, ...below]) {
  const [head, ...rest] = blocks([first.replace(ITEM, ""), ...below.map((line) => line.replace(INDENTED, ""))]);
  return html`<li>${inline(joined(head))}${shownBlocks(rest)}</li>`;
}

/** @param {string[]} block */
const joined = (block) => block.map((line) => line.trim()).join(" ");

/** @param {string[][]} all @returns {unknown[]} */
function shownBlocks(all) {
  /** @type {unknown[]} */ const shown = [];
  /** @type {unknown[]} */ let items = [];
  const flush = () => {
    if (items.length)
      shown.push(
        html`<ul>
          ${items}
        </ul>`,
      );
    items = [];
  };
  for (const block of all) {
    const text = joined(block);
    const level = /^(#+) /.exec(text)?.[1].length ?? 0;
    if (ITEM.test(block[0])) {
      items.push(item(block));
      continue;
    }
    flush();
    if (level === 1) shown.push(html`<h1 tabindex="-1">${inline(text.slice(2))}</h1>`);
    else if (level === 2) shown.push(html`<h2>${inline(text.slice(3))}</h2>`);
    else if (level > 2) shown.push(html`<h3>${inline(text.replace(/^#+ /, ""))}</h3>`);
    else if (block[0].startsWith("|")) shown.push(table(block));
    else shown.push(html`<p>${inline(text)}</p>`);
  }
  flush();
  return shown;
}

/** @param {string} text @param {(text: string) => unknown} [shown] how plain text is shown @returns {unknown[]} */
export function markdown(text, shown = (part) => part) {
  plain = shown;
  return shownBlocks(blocks(text.split("\n")));
}
