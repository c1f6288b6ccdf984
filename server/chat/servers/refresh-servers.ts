import type { Context } from "#server/context";
import { isChatFailure } from "../chat-failure";
import { refreshServer } from "./refresh-server";
import { deleteServer, listServerIds } from "./store";

/**
 * Reads all servers that our bot is in, and forgets those that it left. A server that the listing leaves out is asked for
 * by itself first: what is forgotten takes the factions' channels with it.
 * @throws ChatFailure where they cannot be listed; nothing is forgotten then
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
