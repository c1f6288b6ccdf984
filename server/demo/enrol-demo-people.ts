import type { Context } from "#server/context";
import { refreshAfterSignIn } from "#server/faction/refresh-after-sign-in";
import { demoPeople } from "#server/game/simulator/demo-people";
import { enrolPlayer } from "#server/users/enrol-player";
import { isKeyKnown } from "#server/users/keys/is-key-known";
import { linkDemoChat } from "./link-demo-chat";

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
    const { key } = await enrolPlayer(ctx, { gameKey, info, lendsKey: true });
    if (key) await refreshAfterSignIn(ctx, { factionId: info.factionId, key });
  }
  // Only a world that is new to us: whoever took the link back is left alone at the next start.
  if (newcomers > 0) await linkDemoChat(ctx);
}
