import { cache } from "react";
import { readSettings } from "#server/platform/env";

/** The process's settings for a page, parsed once a request. */
export const pageSettings = cache(readSettings);

/** The game's name on pages: the setting GAME_NAME. The API and its errors use the neutral words of the specification. */
export const gameName = (): string => pageSettings().gameName;

/** The operator's pages, as far as the settings name them. */
export function operatorLinks(): { href: string; label: string }[] {
  const { policyUrl, termsUrl, contactUrl } = pageSettings();
  return [
    { href: policyUrl, label: "Privacy policy" },
    { href: termsUrl, label: "Terms of service" },
    { href: contactUrl, label: "Contact" },
  ].flatMap(({ href, label }) => (href === undefined ? [] : [{ href, label }]));
}
