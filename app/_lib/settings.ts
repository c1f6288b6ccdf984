import { cache } from "react";
import { readSettings } from "#server/platform/env";

/** Cached per request. */
export const pageSettings = cache(readSettings);

/** GAME_NAME. The API uses the specification's neutral words. */
export const gameName = (): string => pageSettings().gameName;

/** Configured pages only. */
export function operatorLinks(): { href: string; label: string }[] {
  const { policyUrl, termsUrl, contactUrl } = pageSettings();
  return [
    { href: policyUrl, label: "Privacy policy" },
    { href: termsUrl, label: "Terms of service" },
    { href: contactUrl, label: "Contact" },
  ].flatMap(({ href, label }) => (href === undefined ? [] : [{ href, label }]));
}
