import { headers } from "next/headers";
import { cache } from "react";
import { csrfTokenFor as tokenOf } from "#server/auth/csrf";
import type { Ids } from "#server/platform/ids";
import { peerAddress } from "#server/platform/peer-address";
import { createCaller } from "#server/portal/router";
import type { PortalContext } from "#server/trpc/init";
import { createPortalContext } from "#server/trpc/portal-context";
import { failureBehind, withRequestId } from "#server/trpc/refusal";
import { serverContext } from "./server-context";

/**
 * The id under which the answer to this request goes out. Every page and form target is given one, over whatever a
 * client sent.
 */
export const requestIdOf = (headers: Headers, ids: Ids): string => headers.get("x-request-id") ?? ids.request();

/** The portal's context for the page that is being rendered. Made once per request, however many components ask. */
export const portalContext = cache(async (): Promise<PortalContext> => {
  const [context, sent] = await Promise.all([serverContext(), headers()]);
  const requestId = requestIdOf(sent, context.ids);
  return createPortalContext(context, {
    cookies: sent.get("cookie"),
    userAgent: sent.get("user-agent"),
    origin: { requestId, address: peerAddress(sent, context.settings) },
    setCookie: () => {
      throw new Error("A page cannot set a cookie; the target of a form can.");
    },
  }).catch((thrown: unknown) => {
    throw withRequestId(thrown, requestId);
  });
});

/** The portal's procedures for server components, called as the visitor of the page. Failures are thrown as TRPCError. */
export const caller = async () => createCaller(await portalContext());

/** Whether a procedure threw because what was asked for does not exist. */
export const isUnknown = (thrown: unknown): boolean => failureBehind(thrown)?.kind.status === 404;

/** The session's token, for the field `csrfField` of every form that acts in the session; empty where nobody is signed in. */
export async function csrfToken(): Promise<string> {
  const { context, user } = await portalContext();
  return user ? tokenOf(context.keyring, user.sessionHash) : "";
}
