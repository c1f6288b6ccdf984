import type { PortalUser } from "#server/actor";
import type { Origin } from "#server/audit/audit";
import { browserCookieName, readCookie, secondStepCookieName, sessionCookieName } from "#server/auth/cookies";
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
export interface Caller {
  /** The Cookie header. */
  readonly cookies: string | null;
  readonly userAgent: string | null;
  readonly origin: Origin;
  readonly setCookie: (line: string) => void;
}

/** The caller of a page or a form. The front gives each such request its id, over whatever a client sent. */
export const readCaller = (headers: Headers, { ids, settings }: Context): Omit<Caller, "setCookie"> => ({
  cookies: headers.get("cookie"),
  userAgent: headers.get("user-agent"),
  origin: {
    requestId: headers.get("x-request-id") ?? ids.request(),
    address: peerAddress(headers, settings),
  },
});

/** Finds out who calls: the session cookie alone tells. A bearer token means nothing here. */
export async function createPortalContext(context: Context, caller: Caller): Promise<PortalContext> {
  const { https } = context.settings;
  const sessionToken = readCookie(caller.cookies, sessionCookieName(https));
  return {
    context,
    user: await readSession(context, sessionToken),
    origin: caller.origin,
    sessionToken,
    browserId: readCookie(caller.cookies, browserCookieName(https)),
    secondStepToken: readCookie(caller.cookies, secondStepCookieName(https)),
    userAgent: caller.userAgent,
    setCookie: caller.setCookie,
  };
}
