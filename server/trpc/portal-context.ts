import type { Origin } from "#server/audit/audit";
import { browserCookieName, readCookie, secondStepCookieName, sessionCookieName } from "#server/auth/cookies";
import { readSession } from "#server/auth/sessions";
import type { Context } from "#server/context";
import type { PortalContext } from "./init";

/** The caller as a transport knows it. */
export interface Caller {
  /** The Cookie header. */
  readonly cookies: string | null;
  readonly userAgent: string | null;
  readonly origin: Origin;
  readonly setCookie: (line: string) => void;
}

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
