import type { Context } from "#server/context";
import { isChatFailure } from "../chat-failure";
import { saveServer } from "./store";

/**
 * Reads a server and who administers it, and stores both.
 * @throws ChatFailure; "gone" or "forbidden" where our bot is not in it
 */
export async function refreshServer(ctx: Context, serverId: bigint): Promise<void> {
  const at = ctx.now();
  const { name, ownerId } = await ctx.chat.readServer(serverId);
  const admins = await adminsOf(ctx, serverId, ownerId);
  await ctx.database.transaction((tx) => saveServer(tx, { serverId, name, admins }, at));
}

/** The owner, and whoever holds a role that may do everything. Undefined where the chat did not say in time. */
async function adminsOf(ctx: Context, serverId: bigint, ownerId: bigint): Promise<bigint[] | undefined> {
  try {
    const roles = await ctx.chat.listRoles(serverId);
    const administrative = roles.filter(({ administrator }) => administrator).map(({ roleId }) => roleId);
    const holders = administrative.length > 0 ? await ctx.chat.listHolders(serverId, administrative) : [];
    return [...new Set([ownerId, ...holders])];
  } catch (thrown) {
    if (!isChatFailure(thrown)) throw thrown;
    // Without the right to list members the owner alone is certain; after a fault of the chat, who was known stays.
    return thrown.kind === "retry" ? undefined : [ownerId];
  }
}
