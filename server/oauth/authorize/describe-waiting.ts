import type { Context } from "../../context";
import { scopes as catalogue } from "../../scopes";
import { isRequestFailure } from "../request-failure";
import { openRequest } from "./open-request";

/** What waits behind a sign-in, for the sign-in page. */
export interface WaitingRequest {
  readonly applicationName: string;
  readonly scopeTitles: readonly string[];
  readonly redirectHost: string;
}

/** The request that the browser started and that waits for a sign-in; null when there is none to be answered any more. */
export async function describeWaiting(
  ctx: Context,
  asked: { readonly requestId: string; readonly browserId: string | null },
): Promise<WaitingRequest | null> {
  try {
    const { request, client } = await openRequest(ctx, asked);
    return {
      applicationName: client.name,
      scopeTitles: catalogue.filter(({ name }) => request.scopes.includes(name)).map(({ title }) => title),
      redirectHost: new URL(request.redirectUri).host,
    };
  } catch (thrown) {
    if (isRequestFailure(thrown)) return null;
    throw thrown;
  }
}
