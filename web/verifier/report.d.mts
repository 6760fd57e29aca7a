export function report(verdict: import("./kontor-verify.mjs").Verdict): string[];
