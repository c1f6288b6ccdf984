/** Absent means "system". Readable by script. */
export const themeCookie = "adjutant_theme";

export type Theme = "system" | "light" | "dark";

/** Unknown values count as "system". */
export function parseTheme(value: string | undefined): Theme {
  return value === "light" || value === "dark" ? value : "system";
}
