// Handlers for templates: they get what the user has entered instead of the event.

/** @param {Event} event */
const field = ({ target }) => /** @type {HTMLInputElement} */ (target);

/** @param {(text: string) => unknown} act with the text of the field, or the chosen value */
export const withText = (act) => (/** @type {Event} */ event) => void act(field(event).value);
/** @param {(on: boolean) => unknown} act */
export const withChecked = (act) => (/** @type {Event} */ event) => void act(field(event).checked);
/** @param {(file: File) => unknown} act */
export const withFile = (act) => (/** @type {Event} */ event) => {
  const [file] = field(event).files ?? [];
  if (file) void act(file);
};
/** Do something instead of sending the form. @param {() => unknown} act */
export const onSubmit = (act) => (/** @type {Event} */ event) => {
  event.preventDefault();
  void act();
};
/** Select all text of the field. @param {Event} event */
export const selectAll = (event) => field(event).select();
