import type { PortalUser } from "#server/actor";
import { browserHash, newBrowserId } from "#server/auth/browser-binding";
import type { Context } from "#server/context";
import type { AuthorizationRequest } from "./authorization-request";
import { insertRequest } from "./store";

/** Long enough to sign in with a key that must be looked up first. */
export const requestMilliseconds = 600_000;

/**
 * Keeps the request until the player decides, bound to the browser that started it, and to the player who was signed in there: a
 * request that was meant for one player is not answered by the next one at the same machine.
 * @param by.browserId the browser's id, or null for a browser that has none yet
 */
export async function savePendingAuthorization(
  ctx: Context,
  request: AuthorizationRequest,
  by: { readonly browserId: string | null; readonly user: Pick<PortalUser, "accountId"> | null },
): Promise<{ requestId: string; browserId: string }> {
  const browserId = by.browserId ?? newBrowserId(ctx);
  const requestId = ctx.ids.uuid();
  const createdAt = ctx.now();
  await insertRequest(ctx.database.query, {
    ...request,
    id: requestId,
    browserHash: browserHash(ctx, browserId),
    accountId: by.user?.accountId ?? null,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + requestMilliseconds),
    decidedAt: null,
  });
  return { requestId, browserId };
}
