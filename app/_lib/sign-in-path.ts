/** What the sign-in page is told. */
export interface SignInQuery {
  /** A path of the portal to go on to. */
  readonly next?: string | null;
  /** The parked authorization request that waits. */
  readonly request?: string | null;
  /** Why the last try failed: a word of `signInRefusals`. */
  readonly error?: string;
}

/** The address of the sign-in page. */
export function signInPath(query: SignInQuery): string {
  const entries = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return entries.length === 0 ? "/sign-in" : `/sign-in?${new URLSearchParams(entries)}`;
}
