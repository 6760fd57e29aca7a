// Path data, moved and scaled: many small drawings become one element without transforms, which browsers lay out and
// paint much faster.

/** @type {Record<string, string>} The meaning of the numbers after each command: coordinates, radii, or neither. */
const KINDS = { M: "xy", L: "xy", T: "xy", H: "x", V: "y", Q: "xyxy", C: "xyxyxy", A: "rrnnnxy", Z: "n" };
const NUMBER = /-?(?:\d+\.?\d*|\.\d+)/g;

/**
 * @param {string} data path data around the origin
 * @param {[number, number]} to where the origin goes
 * @param {number} [scale]
 */
export const moved = (data, [x, y], scale = 1) =>
  data.replaceAll(/([a-z])([^a-z]*)/gi, (_, command, numbers) => {
    const kinds = KINDS[command.toUpperCase()];
    const [dx, dy] = command === command.toUpperCase() ? [x, y] : [0, 0];
    const put = {
      x: (/** @type {number} */ value) => value * scale + dx,
      y: (/** @type {number} */ value) => value * scale + dy,
      r: (/** @type {number} */ value) => value * scale,
    };
    const values = (numbers.match(NUMBER) ?? []).map(Number);
    return (
      command +
      values
        .map((/** @type {number} */ value, /** @type {number} */ i) => {
          const kind = kinds[i % kinds.length];
          return kind === "n" ? value : Number(put[/** @type {"x" | "y" | "r"} */ (kind)](value).toFixed(2));
        })
        .join(" ")
    );
  });
