"use strict";
// Renders openapi.json as a page. All texts are inserted as text nodes, never as HTML, so no description can inject a
// script.

const WORDS = JSON.parse(document.getElementById("words").textContent);
const TRANSLATIONS = JSON.parse(document.getElementById("translations").textContent);
const HERE = document.currentScript.src.replace(/[^/]*$/, "");
const ENGLISH = document.documentElement.lang === "en" ? {} : { lang: "en" };

function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) element.setAttribute(name, value);
  for (const child of children.flat()) element.append(child);
  return element;
}

// Formats a text as nodes; `code` and **bold** are the only Markdown that descriptions use. Documents that they name
// are files beside this script.
function inline(text) {
  return (text || "").split(/(`[^`]+`|\*\*[^*]+\*\*|docs\/[a-z-]+\.md)/).map((part) => {
    if (/^docs\/.+\.md$/.test(part)) return make("a", { href: part.replace("docs/", HERE) }, part);
    if (part.startsWith("`")) return make("code", {}, part.slice(1, -1));
    if (part.startsWith("**")) return make("b", {}, part.slice(2, -2));
    return part;
  });
}

// A text of the API description, marked as English if the page is in another language.
function english(text) {
  return text ? make("span", ENGLISH, inline(text)) : "";
}

function paragraphs(text) {
  return (text || "")
    .trim()
    .split(/\n\n+/)
    .map((part) => make("p", ENGLISH, inline(part.replace(/\n/g, " "))));
}

// The summary in the language of the page; in English if there is no translation.
function summaryOf({ operationId, summary }) {
  const translated = TRANSLATIONS.operations[operationId];
  return make("b", translated ? {} : ENGLISH, inline(translated ?? summary));
}

function headingOf(tag) {
  return TRANSLATIONS.tags[tag.name] ?? [tag.name, tag.description];
}

function resolve(contract, node) {
  if (!node || !node.$ref) return node;
  return node.$ref
    .slice(2)
    .split("/")
    .reduce((place, step) => place[step], contract);
}

function typeOf(contract, schema) {
  if (!schema) return "";
  if (schema.$ref) return schema.$ref.split("/").pop();
  const either = schema.oneOf || schema.anyOf;
  if (either) return either.map((one) => typeOf(contract, one)).join(` ${WORDS.or} `);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.items) return `${WORDS.list_of} ${typeOf(contract, schema.items)}`;
  const type = Array.isArray(schema.type) ? schema.type.join(` ${WORDS.or} `) : schema.type || WORDS.any;
  return schema.format ? `${type} (${schema.format})` : type;
}

function fieldsOf(contract, schema) {
  const whole = resolve(contract, schema);
  if (!whole) return [];
  if (whole.oneOf) return whole.oneOf.flatMap((one) => fieldsOf(contract, one));
  if (!whole.properties) return [];
  const needed = new Set(whole.required || []);
  const rows = Object.entries(whole.properties).map(([name, field]) => row(contract, name, field, needed.has(name)));
  return [table([WORDS.field, WORDS.type, WORDS.meaning], rows)];
}

function row(contract, name, field, needed) {
  return [
    make("code", {}, name),
    typeOf(contract, field) + (needed ? "" : `, ${WORDS.optional}`),
    english(field.description),
  ];
}

function table(heads, rows) {
  const head = make(
    "tr",
    {},
    heads.map((text) => make("th", { scope: "col" }, text)),
  );
  const body = rows.map((cells) =>
    make(
      "tr",
      {},
      cells.map((cell) => make("td", {}, cell)),
    ),
  );
  return make("table", {}, make("thead", {}, head), make("tbody", {}, body));
}

function example(value) {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  return make("pre", { tabindex: "0" }, make("code", {}, text));
}

function details(title, ...children) {
  return make("details", {}, make("summary", {}, title), ...children);
}

function parametersOf(contract, path, operation) {
  const all = [...(path.parameters || []), ...(operation.parameters || [])].map((one) => resolve(contract, one));
  if (!all.length) return [];
  const rows = all.map((one) => [
    make("code", {}, one.name),
    WORDS[`in_${one.in}`],
    typeOf(contract, one.schema),
    english(one.description || one.schema.description),
  ]);
  return [make("h4", {}, WORDS.parameters), table([WORDS.name, WORDS.in, WORDS.type, WORDS.meaning], rows)];
}

function bodyOf(contract, operation) {
  if (!operation.requestBody) return [];
  const media = operation.requestBody.content["application/json"];
  const shown = media.example ? [details(WORDS.example, example(media.example))] : [];
  return [make("h4", {}, WORDS.body), ...fieldsOf(contract, media.schema), ...shown];
}

function answersOf(contract, operation) {
  const parts = [make("h4", {}, WORDS.answers)];
  for (const [status, given] of Object.entries(operation.responses)) {
    const answer = resolve(contract, given);
    const media = Object.entries(answer.content || {});
    const kinds = media.map(([kind]) => kind).join(", ");
    const line = make(
      "p",
      {},
      make("b", {}, `${status} `),
      english(answer.description),
      make("span", { class: "quiet" }, ` ${kinds}`),
    );
    parts.push(line);
    if (status < "300" && media.length) {
      const [, first] = media[0];
      parts.push(details(WORDS.fields, ...fieldsOf(contract, first.schema)));
      if (first.example) parts.push(details(WORDS.example, example(first.example)));
    }
  }
  return parts;
}

function who(operation) {
  const ways = operation.security || [];
  if (!ways.length) return WORDS.no_token;
  if (ways.some((way) => !way.bearer)) return WORDS.token_optional;
  const scopes = ways.flatMap((way) => way.bearer);
  return scopes.length ? `${WORDS.token_scope} ${scopes.join(", ")}.` : WORDS.token;
}

function operationOf(contract, name, verb, path, operation) {
  const heading = make(
    "h3",
    {},
    make("span", { class: `verb ${verb}` }, verb.toUpperCase()),
    make("code", { class: "wrap" }, name),
  );
  return make(
    "section",
    { id: operation.operationId },
    heading,
    make("p", {}, summaryOf(operation)),
    ...paragraphs(operation.description),
    make("p", { class: "quiet" }, who(operation)),
    ...parametersOf(contract, path, operation),
    ...bodyOf(contract, operation),
    ...answersOf(contract, operation),
  );
}

function show(contract) {
  const content = document.getElementById("content");
  const contents = document.getElementById("contents");
  document
    .getElementById("state")
    .replaceWith(
      ...(ENGLISH.lang ? [make("p", { class: "quiet" }, WORDS.english)] : []),
      ...paragraphs(contract.info.description),
      make("p", {}, make("a", { href: "/openapi.yaml" }, "openapi.yaml")),
    );
  const groups = new Map((contract.tags || []).map((tag) => [tag.name, { tag, list: make("ul"), parts: [] }]));
  for (const [name, path] of Object.entries(contract.paths)) {
    for (const [verb, operation] of Object.entries(path)) {
      if (!operation.operationId) continue;
      const group = groups.get(operation.tags[0]);
      const found = [
        operation.operationId,
        name,
        verb,
        operation.summary,
        TRANSLATIONS.operations[operation.operationId],
      ]
        .join(" ")
        .toLowerCase()
        .replaceAll("_", " ");
      group.list.append(
        make(
          "li",
          { "data-words": found },
          make("a", { href: `#${operation.operationId}`, ...ENGLISH }, operation.operationId.replaceAll("_", " ")),
        ),
      );
      const part = operationOf(contract, name, verb, path, operation);
      part.dataset.words = found;
      group.parts.push(part);
    }
  }
  contents.append(filterField());
  for (const { tag, list, parts } of groups.values()) {
    const [heading, description] = headingOf(tag);
    contents.append(make("div", { class: "group" }, make("h2", {}, heading), list));
    const lead = make("p", {}, inline(description));
    content.append(make("div", { class: "group" }, make("h2", {}, heading), lead, ...parts));
  }
  showProblems(contract, content, contents);
  if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

function showProblems(contract, content, contents) {
  contents.append(
    make("h2", {}, WORDS.problems),
    make("ul", {}, make("li", {}, make("a", { href: "#problems" }, WORDS.all_codes))),
  );
  const rows = Object.entries(contract["x-problems"]).map(([code, one]) => [
    make("code", { id: code }, code),
    String(one.status),
    TRANSLATIONS.problems[code] ?? `${one.title}.`,
  ]);
  content.append(
    make(
      "section",
      { id: "problems" },
      make("h2", {}, WORDS.problems),
      table([WORDS.code, WORDS.status, WORDS.meaning], rows),
    ),
  );
}

// Apply the theme and the language that the user has chosen on the web page.
function applySettings() {
  try {
    const { theme, language } = JSON.parse(localStorage.getItem("kontor.settings") || "{}");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
    if (language && language !== document.documentElement.lang && !location.search)
      location.replace(`?language=${encodeURIComponent(language)}${location.hash}`);
  } catch {
    /* storage is blocked: keep the defaults of the browser */
  }
}

function fail(error) {
  const again = make("button", { type: "button" }, WORDS.again);
  again.addEventListener("click", () => location.reload());
  document.getElementById("state").replaceChildren(`${WORDS.failed} ${error.message} `, again);
}

// Show only the operations whose name, path or summary contains all the words that were typed.
function filter(text) {
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (element) => wanted.every((word) => element.dataset.words.includes(word));
  for (const element of document.querySelectorAll("[data-words]")) element.hidden = !matches(element);
  for (const group of document.querySelectorAll(".group"))
    group.hidden = !group.querySelector("[data-words]:not([hidden])");
}

function filterField() {
  const field = make("input", { type: "text", id: "filter", autocomplete: "off" });
  field.addEventListener("input", () => filter(field.value));
  return make("div", { class: "filter" }, make("label", { for: "filter" }, WORDS.find), field);
}

applySettings();
fetch("/openapi.json")
  .then((response) => {
    if (!response.ok) throw new Error(`status ${response.status}`);
    return response.json();
  })
  .then(show)
  .catch(fail);
