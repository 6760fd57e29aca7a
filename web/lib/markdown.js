// The Markdown of our rules: headings, paragraphs, lists, tables, bold, code. Nothing is ever read as HTML.
import { html } from "../vendor/lit-html/lit-html.js";

const RULE = /^[A-Z]{1,3}-\d+[a-z]?$/;

/** @param {string} text @returns {any[]} */
function inline(text) {
  return text.split(/(\*\*[^*]+\*\*|`[^`]+`|\*[^*]+\*|\[[^\]]+\]\([^)]+\))/).map((part) => {
    if (part.startsWith("**")) return bold(part.slice(2, -2));
    if (part.startsWith("`")) return html`<code>${part.slice(1, -1)}</code>`;
    if (part.startsWith("*") && part.length > 2) return html`<em>${part.slice(1, -1)}</em>`;
    const link = /^\[([^\]]+)\]\(([^)]+)\)$/.exec(part);
    return link ? link[1] : part;
  });
}

/** Bold text; the number of a rule gets an id, so that links can point to it. @param {string} text */
const bold = (text) => (RULE.test(text) ? html`<strong id="rule-${text}" class="rule-number" tabindex="-1">${text}</strong>` : html`<strong>${text}</strong>`);

/** @param {string[]} lines the lines of a table */
function table(lines) {
  const [head, , ...rows] = lines.map((line) => line.replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim()));
  return html`<div class="wide" tabindex="0" role="group"><table><thead><tr>${head.map((cell) => html`<th scope="col">${inline(cell)}</th>`)}</tr></thead>
    <tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${inline(cell)}</td>`)}</tr>`)}</tbody></table></div>`;
}

/** @param {string} text @returns {string[][]} lines that belong together */
function blocks(text) {
  /** @type {string[][]} */ const found = [];
  /** @type {string[]} */ let block = [];
  for (const line of [...text.split("\n"), ""]) {
    const begins = /^(#|- |\d+\. )/.test(line) || (line.startsWith("|") !== (block[0] ?? "").startsWith("|"));
    if ((line.trim() === "" || begins) && block.length) { found.push(block); block = []; }
    if (line.trim() !== "") block.push(line);
  }
  return found;
}

/** @param {string} text @returns {any[]} */
export function markdown(text) {
  /** @type {any[]} */ const shown = [];
  /** @type {any[]} */ let items = [];
  const flush = () => { if (items.length) shown.push(html`<ul>${items}</ul>`); items = []; };
  for (const block of blocks(text)) {
    const first = block[0], joined = block.map((line) => line.trim()).join(" ");
    if (/^(- |\d+\. )/.test(first)) { items.push(html`<li>${inline(joined.replace(/^(- |\d+\. )/, ""))}</li>`); continue; }
    flush();
    const level = /^(#+) /.exec(first)?.[1].length ?? 0;
    if (level === 1) shown.push(html`<h1 tabindex="-1">${inline(joined.slice(2))}</h1>`);
    else if (level === 2) shown.push(html`<h2>${inline(joined.slice(3))}</h2>`);
    else if (level > 2) shown.push(html`<h3>${inline(joined.replace(/^#+ /, ""))}</h3>`);
    else if (first.startsWith("|")) shown.push(table(block));
    else shown.push(html`<p>${inline(joined)}</p>`);
  }
  flush();
  return shown;
}
