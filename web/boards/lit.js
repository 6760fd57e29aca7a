/** The one place that says where lit-html is. */
export { html, svg, nothing, noChange, render } from '../vendor/lit-html/lit-html.js';
export { repeat } from '../vendor/lit-html/directives/repeat.js';
