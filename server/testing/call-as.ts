import type { TokenHolder } from "#server/actor";
import type { Context } from "#server/context";
import { apiPrefix } from "#server/machine-path";
import { compileDispatch } from "#server/rest/dispatch";
import { readJson } from "#server/rest/read-input";
import { routes } from "#server/routes";
import { liveToken } from "./live-token";

const dispatch = compileDispatch(routes, { prefix: apiPrefix });

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: unknown;
}

/** Runs dispatch without the token lookup. Paths are relative to /api/v1; with a body it posts. */
export function callAs(ctx: Context, who: Partial<TokenHolder>) {
  const actor: TokenHolder = {
    kind: "token",
    accountId: ctx.ids.uuid(),
    playerId: 1,
    clientId: "client-of-a-test",
    consentId: ctx.ids.uuid(),
    grantId: ctx.ids.uuid(),
    scopes: [],
    ...who,
  };
  const authenticate = () => liveToken(ctx, actor);
  const as = { ...ctx, tokens: { ...ctx.tokens, authenticate } };
  return async (
    path: string,
    headers: Record<string, string> = {},
    body?: object,
  ): Promise<Answered> => {
    const type = body && { "content-type": "application/json" };
    const request = new Request(`http://localhost${apiPrefix}${path}`, {
      headers: { authorization: "Bearer of-somebody-known", ...type, ...headers },
      ...(body && { method: "POST", body: JSON.stringify(body) }),
    });
    const response = await dispatch(as, request, { address: "192.0.2.1" });
    const text = await response.text();
    const read = text === "" ? { value: undefined } : readJson(text);
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: "value" in read ? read.value : undefined,
    };
  };
}
