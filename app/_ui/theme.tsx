/** The cookie that keeps the reader's choice of theme; absent means "as the system says". Readable by script: it is no secret. */
export const themeCookie = "adjutant_theme";

export type Theme = "system" | "light" | "dark";

/** Reads a cookie's value; whatever is not a known theme counts as "system". */
export function parseTheme(value: string | undefined): Theme {
  return value === "light" || value === "dark" ? value : "system";
}
