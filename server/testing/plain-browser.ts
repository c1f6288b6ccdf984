import { browserCookieName, readCookie, sessionCookieName } from "#server/auth/cookies";
import { csrfTokenFor } from "#server/auth/csrf";
import { readSession } from "#server/auth/sessions";
import { type Context, forgetContext, holdContext } from "#server/context";
import { answerAuthorize } from "#server/oauth/authorize/http";
import { testSource } from "./world";

export function plainBrowser(ctx: Context) {
  const { baseUrl } = ctx.settings;
  const jar = new Map<string, string>();
  const keep = (response: Response) => {
    for (const line of response.headers.getSetCookie()) {
      const [pair = ""] = line.split(";");
      jar.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
    }
    return response;
  };
  const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
  const token = () => readCookie(cookie(), sessionCookieName(false));
  return {
    token,
    browserId: () => readCookie(cookie(), browserCookieName(false)),
    user: () => readSession(ctx, token(), testSource),
    csrf: async () =>
      csrfTokenFor(ctx.keyring, (await readSession(ctx, token(), testSource))?.sessionHash ?? ""),
    authorize: async (query: Record<string, string>) =>
      keep(
        await answerAuthorize(
          ctx,
          new Request(`${baseUrl}/oauth/authorize?${new URLSearchParams(query)}`, {
            headers: { cookie: cookie() },
          }),
          { address: null },
        ),
      ),
    visit: async (target: (request: Request) => Promise<Response>, url: URL | string) =>
      keep(
        await target(
          new Request(url, { headers: { "sec-fetch-site": "cross-site", cookie: cookie() } }),
        ),
      ),
    /** Pairs allow repeated fields, as of checkboxes. */
    post: async (
      target: (request: Request) => Promise<Response>,
      fields: Record<string, string> | [string, string][],
      headers: Record<string, string> = {},
    ) =>
      keep(
        await target(
          new Request(`${baseUrl}/any`, {
            method: "POST",
            headers: {
              origin: baseUrl,
              "sec-fetch-site": "same-origin",
              cookie: cookie(),
              ...headers,
            },
            body: new URLSearchParams(fields),
          }),
        ),
      ),
  };
}

type RouteHandler<Segments> = (
  request: Request,
  address: { params: Promise<Segments> },
) => Promise<Response>;

export const at =
  <Segments>(target: RouteHandler<Segments>, segments: Segments) =>
  (request: Request): Promise<Response> =>
    target(request, { params: Promise.resolve(segments) });

/** Shares the context as the front does with Next. @returns a function that undoes it */
export function shareContext(ctx: Context): () => void {
  const held = holdContext(Promise.resolve(ctx));
  return () => forgetContext(held);
}
