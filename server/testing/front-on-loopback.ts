import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { NodeRequest } from "srvx/node";
import { afterAll } from "vitest";
import { POST as postDecision } from "#app/consent/[requestId]/decision/route";
import { POST as postSignInKey } from "#app/sign-in/key/route";
import { readCookie, sessionCookieName } from "#server/auth/cookies";
import { csrfTokenFor } from "#server/auth/csrf";
import { readSession } from "#server/auth/sessions";
import type { Context } from "#server/context";
import { createFront } from "#server/front/create-front";
import { answerAuthorize } from "#server/oauth/authorize/http";
import { peerAddress } from "#server/platform/peer-address";
import { at, shareContext } from "./plain-browser";
import { testSource } from "./world";

/**
 * Serves the context's base URL, which must be on loopback, until the file's last test. Its only
 * pages are the sign-in by key and the decision.
 */
export async function frontOnLoopback(ctx: Context): Promise<void> {
  const server = createFront({
    ctx,
    pages: (request, response) => answerPage(ctx, request, response),
  });
  const { hostname, port } = new URL(ctx.settings.baseUrl);
  await new Promise<void>((resolve) => server.listen(Number(port), hostname, resolve));
  afterAll(() => close(server));
  afterAll(shareContext(ctx));
}

function close(server: Server): void {
  server.closeAllConnections();
  server.close();
}

async function answerPage(ctx: Context, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const request = new NodeRequest({ req, res });
  const said = await pageOf(ctx, request);
  res.statusCode = said.status;
  for (const [name, value] of said.headers) if (name !== "set-cookie") res.setHeader(name, value);
  res.setHeader("set-cookie", said.headers.getSetCookie());
  res.end(await said.text());
}

async function pageOf(ctx: Context, request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const [, , requestId = ""] = pathname.split("/");
  if (pathname === "/oauth/authorize")
    return answerAuthorize(ctx, request, { address: peerAddress(request.headers, ctx.settings) });
  if (pathname === "/sign-in/key") return postSignInKey(request);
  return pathname.endsWith("/decision")
    ? at(postDecision, { requestId })(request)
    : new Response(null, { status: 404 });
}

/** Keeps cookies, and stops before a redirect out of Adjutant. */
export function browserOverHttp(ctx: Context) {
  const { baseUrl, https } = ctx.settings;
  const jar = new Map<string, string>();
  const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join("; ");

  async function go(url: string, form?: Record<string, string>): Promise<string> {
    const headers = {
      cookie: cookie(),
      ...(form && { origin: baseUrl, "sec-fetch-site": "same-origin" }),
    };
    const body = form && new URLSearchParams(form);
    const said = await fetch(url, {
      method: form ? "POST" : "GET",
      headers,
      body,
      redirect: "manual",
    });
    await said.arrayBuffer();
    for (const line of said.headers.getSetCookie()) {
      const [pair = ""] = line.split(";");
      jar.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
    }
    const location = said.headers.get("location");
    if (said.status !== 303 || location === null)
      throw new Error(`${url} answered ${said.status}.`);
    return new URL(location, baseUrl).href;
  }

  return {
    cookies: () => [...jar.values()],
    signIn: (gameKey: string) => go(`${baseUrl}/sign-in/key`, { game_key: gameKey }),
    /** Opens an authorization request and answers it. @returns the redirect to the client */
    async decide(url: string, decision: "approve" | "deny"): Promise<string> {
      const led = await go(url);
      if (!led.startsWith(`${baseUrl}/consent/`)) return led;
      const session = await readSession(
        ctx,
        readCookie(cookie(), sessionCookieName(https)),
        testSource,
      );
      return go(`${led}/decision`, {
        decision,
        csrf: csrfTokenFor(ctx.keyring, session?.sessionHash ?? ""),
      });
    },
  };
}
