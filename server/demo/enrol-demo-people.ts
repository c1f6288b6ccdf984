import type { Context } from "#server/context";
import { refreshAfterSignIn } from "#server/faction/refresh-after-sign-in";
import { demoPeople } from "#server/game/simulator/demo-people";
import { lendKey } from "#server/users/accounts/store";
import { enrolPlayer } from "#server/users/enrol-player";
import { isKeyStored } from "#server/users/keys/store";

/**
 * Makes the demo people known by the same verbs as a sign-in, so that the first call to a fresh installation finds data.
 * They lend their keys for public data. Whose key is stored already is left alone.
 */
export async function enrolDemoPeople(ctx: Context): Promise<void> {
  for (const { key: gameKey } of demoPeople) {
    const prints = ctx.keyring.fingerprints("game-key", gameKey).map(({ hash }) => hash);
    if (await isKeyStored(ctx.database.query, prints)) continue;
    const info = await ctx.game.keyInfo(gameKey);
    const { account, key } = await enrolPlayer(ctx, { gameKey, info });
    await lendKey(ctx.database.query, account.accountId);
    if (key) await refreshAfterSignIn(ctx, { factionId: info.factionId, key });
  }
}
