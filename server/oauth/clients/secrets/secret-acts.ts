import type { Queryable } from "#db/client";
import type { Administrator, PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { GeneralError, UnknownElement } from "#server/failures";
import { isUuid } from "#server/platform/ids";
import { mintSecret } from "#server/platform/secret-text";
import type { SecretInput } from "../contract";
import { lockApplication } from "../own-applications";
import { endOfSecret, hasEnded, mostSecrets } from "./secret-state";
import {
  insertSecret,
  listSecrets,
  removeCreatedSecrets,
  removeSecret,
  saveSecrets,
} from "./store";

/**
 * The caller checks the confirmation.
 * @throws UnknownOAuthClient · GeneralError for a public application or a third live secret
 */
export async function createSecret(
  ctx: Context,
  by: PortalUser,
  input: SecretInput & { readonly clientId: string },
): Promise<NewSecret> {
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

export interface NewSecret {
  readonly secretId: string;
  readonly secret: string;
}

export async function addSecret(
  ctx: Context,
  tx: Queryable,
  by: PortalUser,
  { clientId, name, livesDays }: SecretInput & { readonly clientId: string },
): Promise<NewSecret> {
  const createdAt = ctx.now();
  const expiresAt = endOfSecret(createdAt, livesDays);
  const secret = mintSecret("clientSecret", ctx.ids.bytes);
  const secretId = ctx.ids.uuid();
  const { hash, keyId: hashKeyId } = ctx.keyring.hmac("client-secret", secret);
  await insertSecret(tx, {
    ...{ id: secretId, clientId, name, hash, hashKeyId },
    ...{ createdAt, createdBy: by.accountId, expiresAt },
  });
  return { secretId, secret };
}

/** All that the account created. @returns their names */
export async function removeSecretsOf(
  ctx: Context,
  tx: Queryable,
  by: Administrator,
  of: { readonly clientId: string; readonly accountId: string },
): Promise<string[]> {
  const { clientId } = of;
  const removed = await removeCreatedSecrets(tx, of, ctx.now());
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
 * A step of the first run: before a secret's first use only the developer knows that it is stored.
 * @throws UnknownOAuthClient
 */
export async function markSecretsSaved(
  ctx: Context,
  by: PortalUser,
  { clientId }: { readonly clientId: string },
): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    await lockApplication(tx, by, clientId, "secrets");
    await saveSecrets(tx, clientId, ctx.now());
  });
}

export interface SecretDeletion {
  readonly clientId: string;
  readonly secretId: string;
  readonly isOnly?: boolean;
}

/**
 * Tokens that it obtained live on. The last live secret is deleted only if the page showed it as
 * the last: another tab may have deleted the other. The caller checks the confirmation.
 * @throws UnknownOAuthClient · UnknownElement
 */
export async function deleteSecret(
  ctx: Context,
  by: PortalUser,
  { clientId, secretId, isOnly }: SecretDeletion,
): Promise<"deleted" | "only"> {
  return ctx.database.transaction(async (tx) => {
    // Serialises deletions, so that each sees the result of the one before.
    await lockApplication(tx, by, clientId, "secrets");
    const live = (await listSecrets(tx, clientId)).filter((secret) => !hasEnded(secret, ctx.now()));
    if (!isOnly && live.length === 1 && live[0]?.id === secretId) return "only";
    const name = isUuid(secretId)
      ? await removeSecret(tx, { clientId, secretId }, ctx.now())
      : undefined;
    if (name === undefined)
      throw UnknownElement.because({ message: "The application has no such secret." });
    await ctx.audit(tx, by, "client_secret.deleted", { clientId, details: { secretId, name } });
    await ctx.tokens.announceRevocation(tx, { clientId });
    return "deleted";
  });
}
