// Forms for values with a JSON Schema: options of a match, and moves with too many possibilities to list.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { t } from "./i18n.js";
import { wordFor } from "./texts.js";

/**
 * @typedef {{name: string, schema: any, value: any, words: Record<string, any>, change: (value: any) => void,
 *   label?: string}} Field
 */

/** @param {any} schema @returns {any} the initial value of a form */
export function initial(schema) {
  if ("default" in schema) return structuredClone(schema.default);
  if ("const" in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return initial(schema.anyOf[0]);
  if (schema.type === "object") {
    const names = Object.keys(schema.properties ?? {}).filter(
      (name) => schema.required?.includes(name) || "default" in schema.properties[name],
    );
    return Object.fromEntries(names.map((name) => [name, initial(schema.properties[name])]));
  }
  if (schema.type === "array") return Array.from({ length: schema.minItems ?? 0 }, () => initial(schema.items ?? {}));
  if (schema.type === "integer" || schema.type === "number") return schema.minimum ?? 0;
  return schema.type === "boolean" ? false : schema.type === "null" ? null : "";
}

/** @param {Field} field @returns {any} */
export function input(field) {
  const { schema } = field;
  if ("const" in schema) return nothing;
  if (schema.anyOf) return alternatives(field);
  if (schema.enum) return choice(field, schema.enum);
  if (schema.type === "boolean") return flag(field);
  if (schema.type === "integer" || schema.type === "number") return number(field);
  if (schema.type === "object") return group(field);
  if (schema.type === "array") return several(field);
  return labelled(
    field,
    html`<input
      type="text"
      .value=${field.value ?? ""}
      maxlength=${schema.maxLength ?? nothing}
      @input=${(/** @type {any} */ event) => field.change(event.target.value)}
    />`,
  );
}

/** @param {Field} field */
const title = (field) => field.label ?? capital(wordFor(field.words, field.name));

/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Seats are counted from 0 in the API, and from 1 for people. @param {Field} field @param {any} value */
const optionText = ({ name, words }, value) => {
  if (value === null) return t("form.automatic");
  return name.endsWith("seat") ? t("seat.number", { number: value + 1 }) : wordFor(words, String(value));
};

/** @param {Field} field @param {any} control */
const labelled = (field, control) =>
  html`<label class="field"><span>${title(field)}</span>${control}${hint(field)}</label>`;

/** @param {Field} field */
const hint = ({ schema }) => (schema.description ? html`<small class="faint">${schema.description}</small>` : nothing);

/** @param {Field} field @param {any[]} values */
const choice = (field, values) =>
  labelled(
    field,
    html`<select @change=${(/** @type {any} */ event) => field.change(values[event.target.selectedIndex])}>
      ${values.map((one) => html`<option ?selected=${one === field.value}>${optionText(field, one)}</option>`)}
    </select>`,
  );

/** @param {Field} field */
const flag = (field) =>
  html`<label class="field check"
    ><input
      type="checkbox"
      .checked=${field.value === true}
      @change=${(/** @type {any} */ event) => field.change(event.target.checked)}
    /><span>${title(field)}</span>${hint(field)}</label
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
      @input=${(/** @type {any} */ event) =>
        field.change(event.target.value === "" ? initial(field.schema) : Number(event.target.value))}
    />`,
  );

/** One of several kinds of value; if possible, the choices of all kinds in one list. @param {Field} field */
function alternatives(field) {
  const kinds = field.schema.anyOf;
  const values = kinds.flatMap((/** @type {any} */ one) =>
    one.type === "null" ? [null] : (one.enum ?? range(one) ?? [undefined]),
  );
  if (!values.includes(undefined))
    return choice(
      field,
      [...values].sort((one, other) => Number(other === null) - Number(one === null)),
    );
  return input({ ...field, schema: kinds.find((/** @type {any} */ one) => one.type !== "null") });
}

/** @param {any} schema @returns {number[] | null} */
function range({ type, minimum, maximum }) {
  if (type !== "integer" || minimum === undefined || maximum === undefined || maximum - minimum > 20) return null;
  return Array.from({ length: maximum - minimum + 1 }, (_, step) => minimum + step);
}

/** @param {Field} field */
const group = (field) =>
  html`<fieldset>
    <legend>${title(field)}</legend>
    ${fields(field.schema, field.value, field.words, field.change)}
  </fieldset>`;

/**
 * @param {any} schema
 * @param {any} value
 * @param {Record<string, any>} words
 * @param {(value: any) => void} change
 * @returns {any[]} an input for each property
 */
export const fields = (schema, value, words, change) =>
  Object.entries(schema.properties ?? {}).map(([name, inner]) =>
    input({ name, schema: inner, value: value?.[name], words, change: (next) => change({ ...value, [name]: next }) }),
  );

/** @param {Field} field A list: fixed choices as check boxes, else one input for each item. */
function several(field) {
  const { schema, value = [], words, change } = field;
  const most = schema.maxItems ?? 20;
  if (schema.items?.enum && schema.minItems !== schema.maxItems) {
    const flip = (/** @type {any} */ one) =>
      value.includes(one) ? value.filter((/** @type {any} */ other) => other !== one) : [...value, one];
    return html`<fieldset>
      <legend>${title(field)}</legend>
      ${schema.items.enum.map(
        (/** @type {any} */ one) =>
          html`<label class="field check"
            ><input type="checkbox" .checked=${value.includes(one)} @change=${() => change(flip(one))} /><span
              >${wordFor(words, String(one))}</span
            ></label
          >`,
      )}
    </fieldset>`;
  }
  const at = (/** @type {number} */ place, /** @type {any} */ next) =>
    change(value.map((/** @type {any} */ one, /** @type {number} */ index) => (index === place ? next : one)));
  return html`<fieldset>
    <legend>${title(field)}</legend>
    ${value.map((/** @type {any} */ one, /** @type {number} */ place) =>
      input({ name: String(place + 1), schema: schema.items, value: one, words, change: (next) => at(place, next) }),
    )}
    ${
      schema.minItems === schema.maxItems
        ? nothing
        : html`<div class="row">
            <button
              type="button"
              class="quiet"
              ?disabled=${value.length >= most}
              @click=${() => change([...value, initial(schema.items)])}
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
          </div>`
    }
  </fieldset>`;
}
