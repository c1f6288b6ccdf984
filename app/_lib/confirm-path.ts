import type { SignInQuery } from "./sign-in-path";

/** The address of the page that asks to confirm who one is. It is told what the sign-in page is told. */
export function confirmPath(query: SignInQuery): string {
  const entries = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return `/confirm?${new URLSearchParams(entries)}`;
}
