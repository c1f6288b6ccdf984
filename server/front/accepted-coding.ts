export type ContentCoding = "br" | "gzip";

const patterns: Readonly<Record<ContentCoding, RegExp>> = { br: named("br"), gzip: named("gzip") };

/** RFC 9110 section 12.5.3: named, and not with a weight of zero. */
function named(coding: ContentCoding): RegExp {
  return new RegExp(`(?:^|,)\\s*${coding}\\s*(?:;\\s*q=(?!0(?:\\.0*)?\\s*(?:,|$))[\\d.]+\\s*)?(?:,|$)`);
}

/** Whether an `Accept-Encoding` takes the coding. */
export const acceptsCoding = (accepted: string | string[] | undefined, coding: ContentCoding): boolean =>
  patterns[coding].test(String(accepted ?? ""));
