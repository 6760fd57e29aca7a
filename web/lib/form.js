// Forms for values with a JSON Schema: options of a match, and moves with too many possibilities to list.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { withChecked, withText } from "./events.js";
import { t } from "./i18n.js";
import { wordFor } from "./texts.js";

/**
 * @typedef {import("../types").Schema} Schema
 * @typedef {import("../types").Words} Words
 * @typedef {(value: unknown) => void} Change
 * @typedef {{name: string, schema: Schema, value: unknown, words: Words, change: Change, label?: string}} Field
 * @typedef {Record<string, unknown>} Values
 */

/** @param {Schema} schema @returns {unknown} the initial value of a form */
export function initial(schema) {
  if ("default" in schema) return structuredClone(schema.default);
  if ("const" in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return initial(schema.anyOf[0]);
  if (schema.type === "object") return initials(schema);
  if (schema.type === "array") return Array.from({ length: schema.minItems ?? 0 }, () => initial(schema.items ?? {}));
  if (schema.type === "integer" || schema.type === "number") return schema.minimum ?? 0;
  return schema.type === "boolean" ? false : schema.type === "null" ? null : "";
}

/** The initial values of the properties that an object must have. @param {Schema} schema @returns {Values} */
export const initials = ({ properties = {}, required = [] }) =>
  Object.fromEntries(
    Object.entries(properties)
      .filter(([name, schema]) => required.includes(name) || "default" in schema)
      .map(([name, schema]) => [name, initial(schema)]),
  );

/** @param {Field} field @returns {unknown} */
export function input(field) {
  const { schema } = field;
  if ("const" in schema) return nothing;
  if (schema.anyOf) return alternatives(field, schema.anyOf);
  if (schema.enum) return choice(field, schema.enum);
  if (schema.type === "boolean") return flag(field);
  if (schema.type === "integer" || schema.type === "number") return number(field);
  if (schema.type === "object") return group(field);
  if (schema.type === "array") return several(field, schema.items ?? {});
  return labelled(
    field,
    html`<input
      type="text"
      .value=${field.value ?? ""}
      maxlength=${schema.maxLength ?? nothing}
      @input=${withText(field.change)}
    />`,
  );
}

/** @param {Field} field */
const title = (field) => field.label ?? capital(wordFor(field.words, field.name));

/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Seats are counted from 0 in the API, and from 1 for people. @param {Field} field @param {unknown} value */
const optionText = ({ name, words }, value) => {
  if (value === null) return t("form.automatic");
  return name.endsWith("seat") ? t("seat.number", { number: Number(value) + 1 }) : wordFor(words, String(value));
};

/** @param {Field} field @param {unknown} control */
const labelled = (field, control) =>
  html`<label class="field"><span>${title(field)}</span>${control}${hint(field)}</label>`;

/** @param {Field} field */
const hint = ({ schema }) => (schema.description ? html`<small class="faint">${schema.description}</small>` : nothing);

/** @param {Field} field @param {unknown[]} values */
const choice = (field, values) =>
  labelled(
    field,
    html`<select @change=${withText((place) => field.change(values[Number(place)]))}>
      ${values.map(
        (one, place) =>
          html`<option value=${place} ?selected=${one === field.value}>${optionText(field, one)}</option>`,
      )}
    </select>`,
  );

/** @param {Field} field */
const flag = (field) =>
  html`<label class="field check"
    ><input type="checkbox" .checked=${field.value === true} @change=${withChecked(field.change)} /><span
      >${title(field)}</span
    >${hint(field)}</label
  >`;

/** @param {Field} field */
const number = (field) =>
  labelled(
    field,
    html`<input
      type="number"
      inputmode="numeric"
      .value=${String(field.value ?? "")}
      min=${field.schema.minimum ?? nothing}
      max=${field.schema.maximum ?? nothing}
      step=${field.schema.type === "integer" ? 1 : "any"}
      @input=${withText((text) => field.change(text === "" ? initial(field.schema) : Number(text)))}
    />`,
  );

/**
 * One of several kinds of value; if possible, the choices of all kinds in one list.
 * @param {Field} field
 * @param {Schema[]} kinds
 */
function alternatives(field, kinds) {
  const values = kinds.flatMap((one) => (one.type === "null" ? [null] : (one.enum ?? range(one) ?? [undefined])));
  if (!values.includes(undefined))
    return choice(
      field,
      [...values].sort((one, other) => Number(other === null) - Number(one === null)),
    );
  return input({ ...field, schema: kinds.find((one) => one.type !== "null") ?? {} });
}

/** @param {Schema} schema @returns {number[] | null} */
function range({ type, minimum, maximum }) {
  if (type !== "integer" || minimum === undefined || maximum === undefined || maximum - minimum > 20) return null;
  return Array.from({ length: maximum - minimum + 1 }, (_, step) => minimum + step);
}

/** @param {Field} field */
const group = (field) =>
  html`<fieldset>
    <legend>${title(field)}</legend>
    ${fields(field.schema, /** @type {Values} */ (field.value), field.words, field.change)}
  </fieldset>`;

/**
 * @param {Schema} schema
 * @param {Values | undefined} value
 * @param {Words} words
 * @param {(value: Values) => void} change
 * @returns {unknown[]} an input for each property
 */
export const fields = (schema, value, words, change) =>
  Object.entries(schema.properties ?? {}).map(([name, inner]) =>
    input({ name, schema: inner, value: value?.[name], words, change: (next) => change({ ...value, [name]: next }) }),
  );

/** A list: fixed choices as check boxes, else one input for each item. @param {Field} field @param {Schema} items */
function several(field, items) {
  const value = /** @type {unknown[]} */ (field.value ?? []);
  const isFixed = field.schema.minItems === field.schema.maxItems;
  return html`<fieldset>
    <legend>${title(field)}</legend>
    ${items.enum && !isFixed ? boxes(field, items.enum, value) : entries(field, items, value)}
    ${isFixed || items.enum ? nothing : lengthButtons(field, items, value)}
  </fieldset>`;
}

/** @param {Field} field @param {unknown[]} choices @param {unknown[]} value */
const boxes = ({ words, change }, choices, value) =>
  choices.map(
    (one) =>
      html`<label class="field check"
        ><input
          type="checkbox"
          .checked=${value.includes(one)}
          @change=${withChecked((on) => change(on ? [...value, one] : value.filter((other) => other !== one)))}
        /><span>${wordFor(words, String(one))}</span></label
      >`,
  );

/** @param {Field} field @param {Schema} items @param {unknown[]} value */
const entries = ({ words, change }, items, value) =>
  value.map((one, place) =>
    input({
      name: String(place + 1),
      schema: items,
      value: one,
      words,
      change: (next) => change(value.with(place, next)),
    }),
  );

/** @param {Field} field @param {Schema} items @param {unknown[]} value */
const lengthButtons = ({ schema, change }, items, value) =>
  html`<div class="row">
    <button
      type="button"
      class="quiet"
      ?disabled=${value.length >= (schema.maxItems ?? 20)}
      @click=${() => change([...value, initial(items)])}
    >
      ${t("form.add")}
    </button>
    <button
      type="button"
      class="quiet"
      ?disabled=${value.length <= (schema.minItems ?? 0)}
      @click=${() => change(value.slice(0, -1))}
    >
      ${t("form.remove")}
    </button>
  </div>`;
