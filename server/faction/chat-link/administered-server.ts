import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { UnknownChatServer } from "#server/failures";
import { readChatId } from "./chat-account";
import { type KnownServer, listServersOf } from "./store";

/** The chat servers that the user administers, by name. */
export async function listAdministeredServers(
  ctx: Context,
  { playerId }: Pick<PortalUser, "playerId">,
): Promise<KnownServer[]> {
  const on = ctx.database.query;
  const chatId = await readChatId(on, playerId);
  return chatId === undefined ? [] : listServersOf(on, chatId);
}

/**
 * A chat server that the user administers.
 * @throws UnknownChatServer for every other one, whether it exists or not
 */
export async function administeredServer(ctx: Context, user: PortalUser, serverId: bigint): Promise<KnownServer> {
  const server = (await listAdministeredServers(ctx, user)).find((own) => own.serverId === serverId);
  if (!server) throw UnknownChatServer.because({ message: "You do not administer this chat server." });
  return server;
}
