import type { SignInQuery } from "./sign-in-path";

/** The address of the page that asks for the second factor. It is told what the sign-in page is told. */
export function secondStepPath(query: SignInQuery): string {
  const entries = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return `/sign-in/second-step?${new URLSearchParams(entries)}`;
}
