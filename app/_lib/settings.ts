import { cache } from "react";
import { readSettings } from "#server/platform/env";

export const pageSettings = cache(readSettings);

/** The GAME_NAME setting; the API keeps the specification's neutral words. */
export const gameName = (): string => pageSettings().gameName;

/** Only configured pages have a link. */
export function operatorLinks(): { href: string; label: string }[] {
  const { policyUrl, termsUrl, contactUrl } = pageSettings();
  return [
    { href: policyUrl, label: "Privacy policy" },
    { href: termsUrl, label: "Terms of service" },
    { href: contactUrl, label: "Contact" },
  ].flatMap(({ href, label }) => (href === undefined ? [] : [{ href, label }]));
}
