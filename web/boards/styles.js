// Loads the style sheets that a board needs, before it is drawn for the first time.

/** @param {string} base the address of the calling module @param {...string} names */
export async function styles(base, ...names) {
  await Promise.all(names.map((name) => added(new URL(name, base).href)));
}

/** @param {string} href */
function added(href) {
  if ([...document.styleSheets].some((sheet) => sheet.href === href)) return undefined;
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
  return new Promise((resolve) => {
    link.addEventListener("load", resolve);
    link.addEventListener("error", resolve);
    document.head.append(link);
  });
}
