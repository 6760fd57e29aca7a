export const classMap: (classes: Record<string, string | boolean | number>) => unknown;
