export class Directive {
  constructor(part: unknown);
}
export const directive: (kind: new (part: unknown) => Directive) => (...values: unknown[]) => unknown;
