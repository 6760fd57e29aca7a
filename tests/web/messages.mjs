// Renders messages with the page's code: [language, template, values][] on stdin, a list of texts on stdout.
import { readFileSync } from "node:fs";
import { fill, parse } from "../../web/lib/messages.js";

const asked = JSON.parse(readFileSync(0, "utf-8"));
const texts = asked.map(([language, text, values]) => fill(parse(text), values, new Intl.PluralRules(language)));
console.log(JSON.stringify(texts));
