import { headers } from "next/headers";
import { notFound } from "next/navigation";
import { cache } from "react";
import { csrfTokenFor } from "#server/auth/csrf";
import { createCaller } from "#server/portal/router";
import {
  createPortalContext,
  type PortalContext,
  requestSourceOf,
} from "#server/trpc/portal-context";
import { refusalOf, withRequestId } from "#server/trpc/refusal";
import { serverContext } from "./server-context";

/** Cached: one context per request. */
export const portalContext = cache(async (): Promise<PortalContext> => {
  // Reads headers first: a build has none and stops here, before opening the database.
  const sent = await headers();
  const context = await serverContext();
  const from = requestSourceOf(sent, context);
  return createPortalContext(context, {
    headers: sent,
    from,
    setCookie: () => {
      throw new Error("A page cannot set a cookie; the target of a form can.");
    },
  }).catch((thrown: unknown) => {
    throw withRequestId(thrown, from.requestId);
  });
});

/** Calls procedures as the page's visitor. Input that the schema refuses becomes "not found". */
export const caller = async () =>
  createCaller(await portalContext(), {
    onError: ({ error }) => {
      if (error.code === "BAD_REQUEST") notFound();
    },
  });

export const orNotFound = <Answer>(asked: Promise<Answer>): Promise<Answer> =>
  asked.catch((thrown: unknown) => {
    if (refusalOf(thrown).status === 404) notFound();
    throw thrown;
  });

/** The session's token for `csrfField`; empty without a session. */
export const csrfToken = cache(async (): Promise<string> => {
  const { context, user } = await portalContext();
  return user ? csrfTokenFor(context.keyring, user.sessionHash) : "";
});
