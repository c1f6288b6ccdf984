import type { Context } from "#server/context";
import type { Job } from "#server/jobs/job";
import { hourSeconds } from "#server/platform/time";
import { deleteServer, listServerIds, saveServer } from "./store";
import { isChatFailure } from "./transport";

export const refreshChatServersJob: Job = {
  name: "refresh-chat-servers",
  cadence: { everySeconds: hourSeconds },
  budget: 0,
  run: (ctx, { signal }) => refreshServers(ctx, signal),
};

/**
 * A server missing from the list is read again, because a deletion cascades.
 * @throws ChatFailure
 */
export async function refreshServers(ctx: Context, signal?: AbortSignal) {
  const counts = { refreshed: 0, failed: 0, forgotten: 0 };
  const listed = new Set((await ctx.chat.listServers()).map(({ serverId }) => serverId));
  const known = await listServerIds(ctx.database.query);
  for (const serverId of new Set([...listed, ...known])) {
    if (signal?.aborted) break;
    try {
      await refreshServer(ctx, serverId);
      counts.refreshed += 1;
    } catch (thrown) {
      if (!isChatFailure(thrown)) throw thrown;
      const left = !listed.has(serverId) && (thrown.kind === "gone" || thrown.kind === "forbidden");
      if (left) await deleteServer(ctx.database.query, serverId);
      counts[left ? "forgotten" : "failed"] += 1;
    }
  }
  return counts;
}

/** @throws ChatFailure; "gone" or "forbidden" if our bot is not on the server */
export async function refreshServer(ctx: Context, serverId: bigint): Promise<void> {
  const at = ctx.now();
  const { name, ownerId } = await ctx.chat.readServer(serverId);
  const adminIds = await adminsOf(ctx, serverId, ownerId);
  await saveServer(ctx.database.query, serverId, { name, lastRefresh: at, adminIds });
}

/** Undefined if the chat did not answer in time. */
async function adminsOf(
  ctx: Context,
  serverId: bigint,
  ownerId: bigint,
): Promise<bigint[] | undefined> {
  try {
    const roles = await ctx.chat.listRoles(serverId);
    const administrative = roles
      .filter(({ administrator }) => administrator)
      .map(({ roleId }) => roleId);
    const holders =
      administrative.length > 0 ? await ctx.chat.listHolders(serverId, administrative) : [];
    return [...new Set([ownerId, ...holders])];
  } catch (thrown) {
    if (!isChatFailure(thrown)) throw thrown;
    // Without the right to list members only the owner is certain.
    return thrown.kind === "retry" ? undefined : [ownerId];
  }
}
