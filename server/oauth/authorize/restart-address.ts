import { isBoundTo } from "../../auth/browser-binding";
import type { Context } from "../../context";
import { isRedirectUriOf } from "../redirect-uri";
import { formatScopeList } from "../scope-list";
import { isUuid } from "../uuid";
import { findRequest } from "./store";

/** The way back into a request that can no longer be answered as it stands. */
export interface Restart {
  readonly applicationName: string;
  /** The authorization endpoint with the very parameters that came with the request; a path of ours. */
  readonly path: string;
}

/**
 * How the browser that started a request asks it anew: after it waited too long, or for the player who is signed in now.
 * It is what following the application's link once more would do, and the request is checked and parked afresh.
 * @returns null for another browser, for a request that was answered, and where the application could not ask it any more
 */
export async function restartAddress(
  ctx: Context,
  { requestId, browserId }: { readonly requestId: string; readonly browserId: string | null },
): Promise<Restart | null> {
  const request = isUuid(requestId) ? await findRequest(ctx.database.query, requestId) : undefined;
  if (!request || request.decidedAt !== null || !isBoundTo(ctx, request.browserHash, browserId)) return null;
  const client = await ctx.findClient(request.clientId);
  if (!client || client.suspended || !isRedirectUriOf(request.redirectUri, client, ctx.settings.baseUrl)) return null;
  const { clientId, redirectUri, state, scopes, codeChallenge, prompt } = request;
  const parameters = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: formatScopeList(scopes),
    state,
    ...(codeChallenge && { code_challenge: codeChallenge, code_challenge_method: "S256" }),
    ...(prompt && { prompt }),
  });
  return { applicationName: client.name, path: `/oauth/authorize?${parameters}` };
}
