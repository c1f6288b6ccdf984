import type { Context } from "#server/context";
import { disableEndpoint, notifyLostSecret } from "./disable-endpoint";
import { isSecretLost } from "./endpoint";
import { listSealedOtherwise, lockEndpointById } from "./endpoint-store";

/** Switches off the endpoints whose secrets no server secret in force opens; their developers are told to rotate them. @returns how many */
export async function giveUpUnreadableWebhooks(ctx: Context): Promise<number> {
  let lost = 0;
  for (const id of await listSealedOtherwise(ctx.database.query, ctx.keyring.keyIds))
    await ctx.database.transaction(async (tx) => {
      const endpoint = await lockEndpointById(tx, id);
      if (!endpoint || endpoint.reason === "secret-lost" || !isSecretLost(ctx, endpoint)) return;
      // One that was not verified must not become one that can be resumed without it.
      if (endpoint.state === "unverified") await notifyLostSecret(ctx, tx, endpoint);
      else await disableEndpoint(ctx, tx, endpoint, "secret-lost");
      lost += 1;
    });
  return lost;
}
