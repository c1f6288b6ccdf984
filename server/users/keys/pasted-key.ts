const around = String.raw`[\s"'\x60‘’“”‚„«»]*`;
const before = new RegExp(`^${around}(?:(?:\\S*[?&])?(?:api_?)?key\\s*[=:])?${around}`, "iu");
const after = new RegExp(`(?:&.*)?${around}$`, "isu");

/** A game key without what a paste brings along: characters that are not seen, quotes, and `key=` with the rest of an address. */
export const cleanPastedKey = (pasted: string): string =>
  pasted
    .replace(/\p{Cf}/gu, "")
    .replace(before, "")
    .replace(after, "");
