import { pathWith } from "#app/_ui/path-with";
import type { KeyPurpose } from "#server/game/selections";

export interface SignInQuery {
  /** A local path. */
  readonly next?: string | null;
  readonly request?: string | null;
  /** A word of `signInRefusals`. */
  readonly error?: string;
  /** Why a signed-in player adds a key. */
  readonly for?: KeyPurpose | undefined;
}

export const signInPath = (query: SignInQuery): string => pathWith("/sign-in", { ...query });

export const secondStepPath = (query: SignInQuery): string =>
  pathWith("/sign-in/second-step", { ...query });

export const confirmPath = (query: SignInQuery): string => pathWith("/confirm", { ...query });

const requestForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Undefined unless the text is a UUID. */
export const readWaitingRequestId = (text: string | null): string | undefined =>
  text !== null && requestForm.test(text) ? text : undefined;

/** Names the consent page by its request, and other pages by path. */
export function returnQueryOf(page: string): SignInQuery {
  const request = readWaitingRequestId(/^\/consent\/([^/]+)$/.exec(page)?.[1] ?? null);
  return request === undefined ? { next: page } : { request };
}
