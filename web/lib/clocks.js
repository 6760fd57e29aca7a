// The time controls that forms offer, and their descriptions.
import { t } from "./i18n.js";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** @type {Record<string, import("../types").Body<"post", "/v1/seeks">["clock"]>} */
export const CLOCKS = {
  none: { kind: "none" },
  quick: { kind: "bank", ms: 10 * MINUTE, increment_ms: 5000 },
  calm: { kind: "bank", ms: 45 * MINUTE, increment_ms: 15_000 },
  move: { kind: "per_move", ms: 2 * MINUTE },
  days: { kind: "per_move", ms: 2 * DAY },
};

/** @param {number} ms a length of time in words */
export function span(ms) {
  const minutes = ms / MINUTE;
  if (minutes < 2) return t("terms.seconds", { count: Math.round(ms / 1000) });
  return minutes < 180
    ? t("terms.minutes", { count: Math.round(minutes) })
    : minutes < 72 * 60
      ? t("terms.hours", { count: Math.round(minutes / 60) })
      : t("clock.days", { count: Math.round(minutes / 1440) });
}

/** @param {Partial<import("../types").ClockTerms>} clock */
export const clockText = ({ kind = "none", ms = 0, increment_ms }) =>
  kind === "none"
    ? t("clock.none")
    : t("text.labelled", {
        name: t(`clock.${kind}`),
        value: `${span(ms)}${increment_ms ? ` + ${span(increment_ms)}` : ""}`,
      });
