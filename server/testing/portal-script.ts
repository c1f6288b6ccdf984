import superjson from "superjson";
import type { PortalUser } from "#server/actor";
import { sessionCookieName } from "#server/auth/cookies";
import { csrfTokenFor } from "#server/auth/csrf";
import { createSession } from "#server/auth/sessions";
import type { Context } from "#server/context";
import { browserRouter, createCaller, type portalRouter } from "#server/portal/router";
import { createPortalHandler } from "#server/trpc/http";
import { mintUser, testSource } from "./world";

export interface PortalAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly data: unknown;
  readonly error: { message: string; data: Record<string, unknown> } | undefined;
}

/** Procedures as the player's pages call them. */
export const portalOf = (ctx: Context, user: PortalUser | null) =>
  createCaller({
    ...{ context: ctx, user, from: user?.from ?? testSource, setCookie: () => {} },
    ...{ sessionToken: null, browserId: null, secondStepToken: null },
  });

/** @param router with `portalRouter`, scripts reach procedures that only pages may call */
export function portalScript(
  ctx: Context,
  router: typeof browserRouter | typeof portalRouter = browserRouter,
) {
  const answerCall = createPortalHandler(router);
  const { baseUrl } = ctx.settings;
  const signedIn = async () => {
    const { accountId } = await mintUser(ctx);
    const { token, sessionHash } = await createSession(ctx, ctx.database.query, {
      accountId,
      from: testSource,
      proof: "game-key",
    });
    const cookie = `${sessionCookieName(false)}=${token}`;
    return {
      accountId,
      token,
      headers: { cookie, "x-csrf-token": csrfTokenFor(ctx.keyring, sessionHash) },
    };
  };

  const own = {
    origin: baseUrl,
    "sec-fetch-site": "same-origin",
    "content-type": "application/json",
  };

  const send = async (request: Request, context: Context = ctx): Promise<PortalAnswer> => {
    const response = await answerCall(context, request, { address: "192.0.2.1" });
    const text = await response.text();
    const body = text === "" ? {} : JSON.parse(text);
    return {
      status: response.status,
      headers: response.headers,
      text,
      data: body.result && superjson.deserialize(body.result.data),
      error: body.error && superjson.deserialize(body.error),
    };
  };

  const query = (path: string, headers: Record<string, string> = {}, input?: unknown) => {
    const asked =
      input === undefined
        ? ""
        : `?input=${encodeURIComponent(JSON.stringify(superjson.serialize(input)))}`;
    return send(new Request(`${baseUrl}/api/trpc/${path}${asked}`, { headers }));
  };

  const mutate = (path: string, headers: Record<string, string>, input: unknown = null) =>
    send(
      new Request(`${baseUrl}/api/trpc/${path}`, {
        method: "POST",
        headers: { ...own, ...headers },
        body: JSON.stringify(superjson.serialize(input)),
      }),
    );
  return { own, signedIn, send, query, mutate };
}
