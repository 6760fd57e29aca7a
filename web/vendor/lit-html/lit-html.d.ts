// The part of lit-html's types that the page uses.
export interface TemplateResult { readonly _$litType$: number; strings: TemplateStringsArray; values: unknown[] }
export const html: (strings: TemplateStringsArray, ...values: unknown[]) => TemplateResult;
export const svg: (strings: TemplateStringsArray, ...values: unknown[]) => TemplateResult;
export const nothing: unique symbol;
export const noChange: unique symbol;
export const render: (value: unknown, container: Element | DocumentFragment, options?: object) => unknown;
