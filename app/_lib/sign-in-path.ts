/** A signed-in player comes to the sign-in page to add a key: of any level, or of one that reads a faction. */
export const keyRequests = ["key", "limited-key"] as const;
export type KeyRequest = (typeof keyRequests)[number];

/** The query of the sign-in page. */
export interface SignInQuery {
  /** A path of the portal to go on to. */
  readonly next?: string | null;
  /** The pending authorization request that waits. */
  readonly request?: string | null;
  /** Why the last try failed: a word of `signInRefusals`. */
  readonly error?: string;
  readonly for?: KeyRequest | undefined;
}

/** The address of the sign-in page. */
export const signInPath = (query: SignInQuery): string => pathWith("/sign-in", query);

/** The address of the page that asks for the second factor, with the query of the sign-in page. */
export const secondStepPath = (query: SignInQuery): string =>
  pathWith("/sign-in/second-step", query);

/** The address of the page that asks to confirm the session, with the query of the sign-in page. */
export const confirmPath = (query: SignInQuery): string => pathWith("/confirm", query);

function pathWith(page: string, query: SignInQuery): string {
  const entries = Object.entries(query).filter((entry): entry is [string, string] =>
    Boolean(entry[1]),
  );
  return entries.length === 0 ? page : `${page}?${new URLSearchParams(entries)}`;
}

const requestForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The id of a pending authorization request that a form carries along, or undefined where it is none. */
export const waitingRequestId = (text: string | null): string | undefined =>
  text !== null && requestForm.test(text) ? text : undefined;

/** The query that leads back to a page of ours: the consent page is named by its request, any other by its path. */
export function comingBackTo(page: string): SignInQuery {
  const request = waitingRequestId(/^\/consent\/([^/]+)$/.exec(page)?.[1] ?? null);
  return request === undefined ? { next: page } : { request };
}
