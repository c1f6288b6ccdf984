import type { PortalUser, RequestSource } from "#server/actor";
import { readBrowserId } from "#server/auth/browser-binding";
import { readCookie, secondStepCookieName, sessionCookieName } from "#server/auth/cookies";
import { isCsrfToken } from "#server/auth/csrf";
import { readSession } from "#server/auth/sessions";
import type { Context } from "#server/context";
import { peerAddress } from "#server/platform/peer-address";

export interface PortalContext {
  readonly context: Context;
  readonly user: PortalUser | null;
  readonly from: RequestSource;
  readonly sessionToken: string | null;
  readonly browserId: string | null;
  /** Set after the first factor, until the second is passed. */
  readonly secondStepToken: string | null;
  /** Not for pages, which cannot set cookies. */
  readonly setCookie: (line: string) => void;
}

interface Caller {
  readonly headers: Headers;
  readonly from: RequestSource;
  readonly setCookie: (line: string) => void;
}

/** The front overwrites a client's `x-request-id`. */
export const requestSourceOf = (headers: Headers, { ids, settings }: Context): RequestSource => ({
  requestId: headers.get("x-request-id") ?? ids.request(),
  address: peerAddress(headers, settings),
  userAgent: headers.get("user-agent"),
});

export async function createPortalContext(
  context: Context,
  { headers, from, setCookie }: Caller,
): Promise<PortalContext> {
  const { https } = context.settings;
  const cookies = headers.get("cookie");
  const sessionToken = readCookie(cookies, sessionCookieName(https));
  return {
    context,
    user: await readSession(context, sessionToken, from),
    from,
    sessionToken,
    browserId: readBrowserId(cookies, https),
    secondStepToken: readCookie(cookies, secondStepCookieName(https)),
    setCookie,
  };
}

/** True without a session, where CSRF gains nothing. */
export const hasValidCsrfToken = (
  { context, user, sessionToken }: PortalContext,
  token: string | null,
): boolean => user === null || isCsrfToken(context.keyring, sessionToken, token);
