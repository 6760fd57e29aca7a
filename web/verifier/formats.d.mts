export class Broken extends Error {}
export function canonical(value: unknown): string;
export const same: (one: unknown, other: unknown) => boolean;
export const commandText: (signed: { by: string; command: unknown; head: string; match: string; version: number }) => string;
