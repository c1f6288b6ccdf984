import type { PortalUser } from "#server/actor";
import type { Origin } from "#server/audit/audit";
import {
  browserCookieName,
  readCookie,
  secondStepCookieName,
  sessionCookieName,
} from "#server/auth/cookies";
import { isCsrfToken } from "#server/auth/csrf";
import { readSession } from "#server/auth/sessions";
import type { Context } from "#server/context";
import { peerAddress } from "#server/platform/peer-address";

/** The context of a procedure's call, whichever way it came. CSRF was settled by the transport. */
export interface PortalContext {
  readonly context: Context;
  readonly user: PortalUser | null;
  readonly origin: Origin;
  /** The session cookie's value, valid or not. */
  readonly sessionToken: string | null;
  /** The value of the cookie that ties pending authorization requests to a browser. */
  readonly browserId: string | null;
  /** The value of the cookie that a right first factor leaves while the second is asked for. */
  readonly secondStepToken: string | null;
  readonly userAgent: string | null;
  /** Sends a Set-Cookie line along with the answer. A page cannot; form targets and the HTTP transport can. */
  readonly setCookie: (line: string) => void;
}

/** The caller as a transport knows it. */
interface Caller {
  readonly headers: Headers;
  readonly origin: Origin;
  readonly setCookie: (line: string) => void;
}

/** The origin of a page or a form. The front gives each such request its id, over whatever a client sent. */
export const originOf = (headers: Headers, { ids, settings }: Context): Origin => ({
  requestId: headers.get("x-request-id") ?? ids.request(),
  address: peerAddress(headers, settings),
});

/** Finds out who calls: the session cookie alone tells. A bearer token means nothing here. */
export async function createPortalContext(
  context: Context,
  { headers, origin, setCookie }: Caller,
): Promise<PortalContext> {
  const { https } = context.settings;
  const cookies = headers.get("cookie");
  const sessionToken = readCookie(cookies, sessionCookieName(https));
  return {
    context,
    user: await readSession(context, sessionToken),
    origin,
    sessionToken,
    browserId: readCookie(cookies, browserCookieName(https)),
    secondStepToken: readCookie(cookies, secondStepCookieName(https)),
    userAgent: headers.get("user-agent"),
    setCookie,
  };
}

/**
 * Whether a call that acts carries its session's CSRF token. Where nobody is signed in there is no session to ride on, and the
 * transport's check of where it came from is enough.
 */
export const carriesToken = (
  { context, user, sessionToken }: PortalContext,
  token: string | null,
): boolean => user === null || isCsrfToken(context.keyring, sessionToken, token);
