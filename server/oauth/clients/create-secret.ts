import type { PortalUser } from "../../actor";
import type { Origin } from "../../audit/audit";
import type { Context } from "../../context";
import { GeneralError, UnknownOAuthClient } from "../../failures";
import { addSecret, type NewSecret } from "./add-secret";
import type { SecretInput } from "./contract";
import { hasEnded } from "./secrets/secret-standing";
import { listSecrets } from "./secrets/store";
import { lockOwnApplication } from "./store";

/** Two, so that one can be replaced by the other without an outage. */
const mostSecrets = 2;

/**
 * Gives a confidential application of the user another secret. Wants a confirmation, which the caller checks.
 * @throws UnknownOAuthClient · GeneralError when the application is public, or has two live secrets
 */
export async function createSecret(
  ctx: Context,
  user: PortalUser,
  input: SecretInput & { readonly clientId: string },
  origin: Origin,
): Promise<NewSecret> {
  const { clientId, name } = input;
  return ctx.database.transaction(async (tx) => {
    const kind = await lockOwnApplication(tx, { clientId, ownerId: user.accountId });
    if (!kind) throw UnknownOAuthClient.because();
    if (kind === "public") throw GeneralError.because({ message: "A public application has no secrets." });
    const live = (await listSecrets(tx, clientId)).filter((secret) => !hasEnded(secret, ctx.now()));
    if (live.length >= mostSecrets)
      throw GeneralError.because({
        message: "An application can have two live secrets, and this one has. Delete one, then create the new one.",
      });
    const secret = await addSecret(ctx, tx, input);
    await ctx.audit(tx, {
      act: "secret-created",
      actor: `account:${user.accountId}`,
      accountId: user.accountId,
      clientId,
      origin,
      details: { secretId: secret.secretId, name, livesDays: input.livesDays },
    });
    await ctx.announceRevocation(tx, { clientId });
    return secret;
  });
}
