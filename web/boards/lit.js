/** The only module with the path of lit-html. */
export { html, svg, nothing, noChange, render } from '../vendor/lit-html/lit-html.js';
export { repeat } from '../vendor/lit-html/directives/repeat.js';
