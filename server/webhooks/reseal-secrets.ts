import type { Context } from "#server/context";
import { sealSecret } from "./endpoint";
import { listSecretsToReseal, replaceSecrets } from "./endpoint-store";

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
