const around = String.raw`[\s"'\x60‘’“”‚„«»]*`;
const before = new RegExp(`^${around}(?:(?:\\S*[?&])?(?:api_?)?key\\s*[=:])?${around}`, "iu");
const after = new RegExp(`(?:&.*)?${around}$`, "isu");

/** Strips invisible characters, quotes, and `key=` with the rest of a URL. */
export const cleanPastedKey = (pasted: string): string =>
  pasted
    .replace(/\p{Cf}/gu, "")
    .replace(before, "")
    .replace(after, "");
