export class Directive { constructor(part: unknown); update(part: unknown, values: any[]): unknown; render(...values: any[]): unknown }
export const directive: (kind: new (part: any) => Directive) => (...values: any[]) => unknown;
