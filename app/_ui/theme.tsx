/** Readable by script. Without the cookie the theme is "system". */
export const themeCookie = "adjutant_theme";

export type Theme = "system" | "light" | "dark";

export function parseTheme(value: string | undefined): Theme {
  return value === "light" || value === "dark" ? value : "system";
}
