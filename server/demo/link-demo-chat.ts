import { demoBanking, demoChatServer } from "#server/chat/demo-server";
import { refreshServer } from "#server/chat/servers/refresh-server";
import type { Context } from "#server/context";
import { linkBothSides } from "#server/faction/chat-link/link-both-sides";
import { demoFactions } from "#server/game/simulator/demo-people";

/** Links the demo faction with the recorded chat's server, so that banking works there. Not where a real chat is set up. */
export async function linkDemoChat(ctx: Context): Promise<void> {
  if (ctx.settings.chatBot) return;
  const [{ factionId }] = demoFactions;
  await refreshServer(ctx, demoChatServer.serverId);
  await linkBothSides(ctx, { factionId, serverId: demoChatServer.serverId, ...demoBanking });
}
