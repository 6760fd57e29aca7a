// The y-coordinates of keys for which one signature is valid for many messages (docs/signatures.md), in hex as encoded.
export const SMALL_ORDER = [
  "00".repeat(32),
  `01${"00".repeat(31)}`,
  ...["ec", "ed", "ee"].map((low) => `${low + "ff".repeat(30)}7f`),
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
];
