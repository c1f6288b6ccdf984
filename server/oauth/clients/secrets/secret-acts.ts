import { lockAppState, setAppState } from "#db/app-state";
import type { Queryable } from "#db/client";
import type { Administrator, PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { GeneralError, UnknownElement } from "#server/failures";
import type { Job } from "#server/jobs/job";
import { isUuid } from "#server/platform/ids";
import { mintSecret } from "#server/platform/secret-text";
import { dayMs, hourSeconds } from "#server/platform/time";
import { portalRefusal } from "#server/portal-refusal";
import type { SecretInput } from "../contract";
import { lockApplication } from "../own-applications";
import { notifyTeam } from "../team/notify-team";
import { endOfSecret, hasEnded, mostSecrets } from "./secret-state";
import { insertSecret, listExpiring, listSecrets, removeSecrets, setSecretsSavedAt } from "./store";

/**
 * The caller checks the confirmation.
 * @throws UnknownOAuthClient · GeneralError for a public application or a third live secret
 */
export async function createSecret(
  ctx: Context,
  by: PortalUser,
  input: SecretInput & { readonly clientId: string },
) {
  const { clientId, name } = input;
  return ctx.database.transaction(async (tx) => {
    const { kind } = await lockApplication(tx, by, clientId, "secrets");
    if (kind === "public")
      throw GeneralError.because({ message: "A public application has no secrets." });
    const live = (await listSecrets(tx, clientId)).filter((secret) => !hasEnded(secret, ctx.now()));
    if (live.length >= mostSecrets)
      throw GeneralError.because({
        message: "You already have two secrets. Delete one to create another.",
      });
    const secret = await addSecret(ctx, tx, by, input);
    await ctx.audit(tx, by, "client_secret.created", {
      clientId,
      details: { secretId: secret.secretId, name, livesDays: input.livesDays },
    });
    await ctx.tokens.announceRevocation(tx, { clientId });
    return secret;
  });
}

export async function addSecret(
  ctx: Context,
  tx: Queryable,
  by: PortalUser,
  { clientId, name, livesDays }: SecretInput & { readonly clientId: string },
) {
  const createdAt = ctx.now();
  const expiresAt = endOfSecret(createdAt, livesDays);
  const secret = mintSecret("clientSecret", ctx.ids.bytes);
  const secretId = ctx.ids.uuid();
  const { hash, keyId: hashKeyId } = ctx.keyring.hmac("client-secret", secret);
  await insertSecret(tx, {
    id: secretId,
    clientId,
    name,
    hash,
    hashKeyId,
    createdAt,
    createdBy: by.accountId,
    expiresAt,
  });
  return { secretId, secret };
}

/** @returns the names of the deleted secrets */
export async function removeMemberSecrets(
  ctx: Context,
  tx: Queryable,
  by: Administrator,
  of: { readonly clientId: string; readonly accountId: string },
): Promise<string[]> {
  const { clientId, accountId: createdBy } = of;
  const removed = await removeSecrets(tx, { clientId, createdBy }, ctx.now());
  await ctx.audit(
    tx,
    by,
    "client_secret.deleted",
    removed.map(({ id, name }) => ({ clientId, details: { secretId: id, name } })),
  );
  if (removed.length > 0) await ctx.tokens.announceRevocation(tx, { clientId });
  return removed.map(({ name }) => name);
}

/**
 * Before a secret's first use, only the developer knows that it is stored.
 * @throws UnknownOAuthClient
 */
export async function markSecretsSaved(
  ctx: Context,
  by: PortalUser,
  { clientId }: { readonly clientId: string },
): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    await lockApplication(tx, by, clientId, "secrets");
    await setSecretsSavedAt(tx, clientId, ctx.now());
  });
}

/**
 * Tokens obtained with the secret live on. The last live secret is deleted only if the page showed
 * it as the last, because another tab may have deleted the other. The caller checks the
 * confirmation.
 * @throws UnknownOAuthClient · UnknownElement · PortalRefusal ONLY_SECRET
 */
export async function deleteSecret(
  ctx: Context,
  by: PortalUser,
  asked: { readonly clientId: string; readonly secretId: string; readonly isOnly?: boolean },
): Promise<void> {
  const { clientId, secretId, isOnly } = asked;
  await ctx.database.transaction(async (tx) => {
    // The lock serialises deletions, so that each sees the result of the deletion before.
    await lockApplication(tx, by, clientId, "secrets");
    const live = (await listSecrets(tx, clientId)).filter((secret) => !hasEnded(secret, ctx.now()));
    if (!isOnly && live.length === 1 && live[0]?.id === secretId)
      throw portalRefusal({
        status: 409,
        reason: "ONLY_SECRET",
        message: "This is now the only secret. Press Delete again to delete it as well.",
      });
    const [removed] = isUuid(secretId)
      ? await removeSecrets(tx, { clientId, secretId }, ctx.now())
      : [];
    if (!removed) throw UnknownElement.because({ message: "The application has no such secret." });
    const { name } = removed;
    await ctx.audit(tx, by, "client_secret.deleted", { clientId, details: { secretId, name } });
    await ctx.tokens.announceRevocation(tx, { clientId });
  });
}

/** Days before the expiry. */
const warnings = [14, 2];
const toldUntil = "expiring-secrets-told-until";

/** Each secret gets each warning once, because a run continues where the last run ended. */
export const notifyExpiringSecretsJob: Job = {
  name: "notify-expiring-secrets",
  cadence: { everySeconds: hourSeconds },
  budget: 0,
  run: (ctx) =>
    ctx.database.background.transaction(async (tx) => {
      const now = ctx.now();
      const before = new Date(await lockAppState(tx, toldUntil, now.toISOString()));
      if (before >= now) return { told: 0 };
      await setAppState(tx, toldUntil, now.toISOString());
      let told = 0;
      for (const days of warnings) {
        const ahead = (at: Date) => new Date(at.getTime() + days * dayMs);
        const expiring = await listExpiring(tx, { after: ahead(before), until: ahead(now) });
        for (const { clientId, name, expiresAt } of expiring)
          await notifyTeam(ctx, tx, { clientId, right: "secrets" }, (application) => ({
            kind: "secret-expiring",
            text: `The secret “${name}” of “${application}” expires in ${days} days, on ${expiresAt.toISOString().slice(0, 10)} (TCT). Create a new one and put it in place before then.`,
            path: `/developers/apps/${clientId}/credentials`,
          }));
        told += expiring.length;
      }
      return { told };
    }),
};
