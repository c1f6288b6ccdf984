/**
 * Whether a text is an address that a page of ours may link to: https, no user name that looks like a host, nothing invisible.
 * Asked at registration, and again wherever a stored address becomes a link.
 */
export function isPageAddress(text: string): boolean {
  if (!/^https:\/\/[^\s\p{Cc}\p{Cf}\p{Cs}\\/][^\s\p{Cc}\p{Cf}\p{Cs}\\]*$/u.test(text) || !URL.canParse(text))
    return false;
  const { username, password, hostname } = new URL(text);
  return username === "" && password === "" && hostname !== "";
}

/** The host of such an address, as browsers write it; null where the text is none. */
export const hostOfPage = (text: string): string | null => (isPageAddress(text) ? new URL(text).host : null);
