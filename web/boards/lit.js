// Re-exports lit-html for boards, so that only this module and kept.js contain its path.
export { html, svg, nothing, noChange, render } from "../vendor/lit-html/lit-html.js";
export { repeat } from "../vendor/lit-html/directives/repeat.js";
