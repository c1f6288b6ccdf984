import type { Context } from "#server/context";
import { disableEndpoint, notifyLostSecret } from "./disable-endpoint";
import { isSecretLost, sealSecret } from "./endpoint";
import { listSealedOtherwise, listSecretsToReseal, lockEndpointById, replaceSecrets } from "./endpoint-store";

/** Stores every webhook secret that a previous server secret sealed under the current one. @returns of how many endpoints */
export async function resealWebhookSecrets(ctx: Context): Promise<number> {
  const [, ...previous] = ctx.keyring.keyIds;
  if (previous.length === 0) return 0;
  let resealed = 0;
  for (const { id, secret, previousSecret } of await listSecretsToReseal(ctx.database.query, previous)) {
    const anew = (sealed: string) => sealSecret(ctx, ctx.keyring.open("webhook-secret", sealed, id), id);
    try {
      const to = { secret: anew(secret), previousSecret: previousSecret && anew(previousSecret) };
      if (await replaceSecrets(ctx.database.query, { id, secret }, to)) resealed++;
    } catch {
      ctx.log.error({ endpointId: id }, "a webhook secret cannot be opened with the server secrets in force");
    }
  }
  return resealed;
}

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
