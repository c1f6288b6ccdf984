import type { Queryable } from "#db/client";
import type { PortalUser } from "#server/actor";
import type { AuditedAct, AuditFacts } from "#server/audit/audit";
import type { Context } from "#server/context";
import { eventChannel } from "#server/event-log/sequencer";
import { GeneralError, UnknownElement } from "#server/failures";
import { lockApplication, requireApplication } from "#server/oauth/clients/own-applications";
import { isUuid } from "#server/platform/ids";
import { charge } from "#server/platform/limiter/charge";
import { isSecretLost, type WebhookEndpoint } from "./endpoint";
import { findEndpoint, lockEndpoint } from "./endpoint-store";

export interface EndpointKey {
  readonly clientId: string;
  readonly endpointId: string;
}

/**
 * Locked until the end of the transaction.
 * @throws UnknownOAuthClient · UnknownElement
 */
export async function requireOwnEndpoint(
  tx: Queryable,
  user: PortalUser,
  key: EndpointKey,
): Promise<WebhookEndpoint> {
  await lockApplication(tx, user, key.clientId, "webhooks");
  return endpointBy(tx, key, lockEndpoint);
}

/** Without a lock, for reads. @throws UnknownOAuthClient · UnknownElement */
export async function findOwnEndpoint(
  ctx: Context,
  user: PortalUser,
  key: EndpointKey,
): Promise<WebhookEndpoint> {
  const on = ctx.database.query;
  await requireApplication(on, user, key.clientId, "webhooks");
  return endpointBy(on, key, findEndpoint);
}

async function endpointBy(
  on: Queryable,
  key: EndpointKey,
  find: typeof findEndpoint,
): Promise<WebhookEndpoint> {
  const endpoint = isUuid(key.endpointId) ? await find(on, key) : undefined;
  if (!endpoint)
    throw UnknownElement.because({ message: "The application has no such webhook endpoint." });
  return endpoint;
}

/** @throws GeneralError if its secret is lost */
export function assertCanSign(ctx: Context, endpoint: WebhookEndpoint): void {
  if (isSecretLost(ctx, endpoint))
    throw GeneralError.because({ message: "The secret can no longer be read. Rotate it first." });
}

/** Writes the audit event and makes every worker look at the endpoint again. */
export async function noteAct(
  ctx: Context,
  tx: Queryable,
  by: PortalUser,
  { clientId, endpointId }: EndpointKey,
  { act, details, ...rows }: AuditFacts & { readonly act: AuditedAct },
): Promise<void> {
  await ctx.audit(tx, by, act, { clientId, details: { endpointId, ...details }, ...rows });
  await ctx.tokens.announceRevocation(tx, { clientId });
  await ctx.database.notify(tx, eventChannel, "");
}

/** Verifications and tests per developer; more could be used for attacks. */
const attemptsAMinute = 10;
/** Each may queue a thousand messages. */
const replaysAMinute = 6;

/** @throws TooManyRequests */
export const chargeAttempt = (ctx: Context, { accountId }: PortalUser): Promise<void> =>
  charge(
    ctx,
    { policy: "webhook-attempts", subject: accountId, limit: attemptsAMinute },
    "requests",
  );

/** @throws TooManyRequests */
export const chargeReplay = (ctx: Context, { accountId }: PortalUser): Promise<void> =>
  charge(ctx, { policy: "webhook-replays", subject: accountId, limit: replaysAMinute }, "requests");
