export function report(verdict: import("./kontor-verify.mjs").Verdict): string[];
export function tournamentReport(verdict: import("./tournament.mjs").TournamentVerdict): string[];
