import type { Context } from "../../context";
import type { AuthorizationRequest } from "./authorization-request";
import { browserHash, newBrowserId } from "./browser-binding";
import { insertRequest } from "./store";

/** Long enough to sign in with a key that must be looked up first. */
const requestMilliseconds = 600_000;

/**
 * Keeps the request until the player decides, bound to the browser that started it.
 * @param known the browser's id, or null for a browser that has none yet
 */
export async function parkRequest(
  ctx: Context,
  request: AuthorizationRequest,
  known: string | null,
): Promise<{ requestId: string; browserId: string }> {
  const browserId = known ?? newBrowserId(ctx);
  const requestId = ctx.ids.uuid();
  const createdAt = ctx.now();
  await insertRequest(ctx.database.query, {
    ...request,
    id: requestId,
    browserHash: browserHash(ctx, browserId),
    accountId: null,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + requestMilliseconds),
    decidedAt: null,
  });
  return { requestId, browserId };
}
