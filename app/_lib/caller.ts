import { headers } from "next/headers";
import { notFound } from "next/navigation";
import { cache } from "react";
import { csrfTokenFor as tokenOf } from "#server/auth/csrf";
import { createCaller } from "#server/portal/router";
import { createPortalContext, originOf, type PortalContext } from "#server/trpc/portal-context";
import { failureBehind, withRequestId } from "#server/trpc/refusal";
import { serverContext } from "./server-context";

/** The portal's context for the page that is being rendered. Made once per request, however many components ask. */
export const portalContext = cache(async (): Promise<PortalContext> => {
  // The headers first: a build, which has none, stops here and does not ask for the database, which it may not open.
  const sent = await headers();
  const context = await serverContext();
  const origin = originOf(sent, context);
  return createPortalContext(context, {
    headers: sent,
    origin,
    setCookie: () => {
      throw new Error("A page cannot set a cookie; the target of a form can.");
    },
  }).catch((thrown: unknown) => {
    throw withRequestId(thrown, origin.requestId);
  });
});

/**
 * The portal's procedures for server components, called as the visitor of the page. Failures are thrown as TRPCError, but an
 * address that holds what the procedure's schema refuses leads to no page.
 */
export const caller = async () =>
  createCaller(await portalContext(), {
    onError: ({ error }) => {
      if (error.code === "BAD_REQUEST") notFound();
    },
  });

/** Whether a procedure threw because what was asked for does not exist. */
export const isUnknown = (thrown: unknown): boolean => failureBehind(thrown)?.kind.status === 404;

/**
 * The session's token, for the field `csrfField` of every form that acts in the session; empty
 * without a session.
 */
export async function csrfToken(): Promise<string> {
  const { context, user } = await portalContext();
  return user ? tokenOf(context.keyring, user.sessionHash) : "";
}
