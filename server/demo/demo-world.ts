import { demoBankingChannel, demoChatServer } from "#server/chat/create-chat";
import { refreshServer } from "#server/chat/servers/refresh-servers";
import type { Context } from "#server/context";
import { linkBothSides } from "#server/faction/chat-link/name-chat-server";
import { refreshAfterSignIn } from "#server/faction/refresh-after-sign-in";
import { enrolPlayer } from "#server/users/enrol-player";
import { isKeyKnown } from "#server/users/keys/own-keys";
import { demoFactions, demoPeople } from "#simulator/demo-people";

/**
 * Makes the demo people known by the same verbs as a sign-in, so that the first call to a fresh installation finds data.
 * They lend their keys for public data. Whose key is stored already is left alone.
 */
export async function enrolDemoPeople(ctx: Context): Promise<void> {
  let newcomers = 0;
  for (const { key: gameKey } of demoPeople) {
    if (await isKeyKnown(ctx, gameKey)) continue;
    newcomers += 1;
    const info = await ctx.game.keyInfo(gameKey);
    const { key } = await enrolPlayer(ctx, { gameKey, info, turnOn: "lendsKey" });
    if (key) await refreshAfterSignIn(ctx, { factionId: info.factionId, key });
  }
  // Only in a new world: a link that was taken back stays so at the next start.
  if (newcomers > 0) await linkDemoChat(ctx);
}

/** Links the demo faction with the recorded chat's server, so that banking works there. Not where a real chat is set up. */
export async function linkDemoChat(ctx: Context): Promise<void> {
  if (ctx.settings.chatBot) return;
  const [{ factionId }] = demoFactions;
  await refreshServer(ctx, demoChatServer.serverId);
  await linkBothSides(ctx, { factionId, serverId: demoChatServer.serverId, ...demoBankingChannel });
}
