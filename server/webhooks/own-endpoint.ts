import type { Queryable } from "#db/client";
import type { PortalUser } from "#server/actor";
import type { AuditedAct, AuditFacts } from "#server/audit/audit";
import type { Context } from "#server/context";
import { eventChannel } from "#server/event-log/sequencer";
import { GeneralError, UnknownElement } from "#server/failures";
import { lockApplication, requireApplication } from "#server/oauth/clients/own-applications";
import { isUuid } from "#server/platform/ids";
import { charge } from "#server/platform/limiter/limiter";
import type { WebhookEndpoint } from "./endpoint";
import { findEndpoint } from "./endpoint-store";
import { isSecretLost } from "./signature";

export interface EndpointKey {
  /** Null: the account's own endpoint. */
  readonly clientId: string | null;
  readonly endpointId: string;
}

/**
 * Locks the endpoint and its application.
 * @throws UnknownOAuthClient · UnknownElement
 */
export async function lockOwnEndpoint(
  tx: Queryable,
  user: PortalUser,
  key: EndpointKey,
): Promise<WebhookEndpoint> {
  await lockOwningApplication(tx, user, key);
  return endpointBy(tx, user, key, true);
}

/** An account needs no right for its own endpoint. @throws UnknownOAuthClient */
export async function lockOwningApplication(
  tx: Queryable,
  user: PortalUser,
  { clientId }: Pick<EndpointKey, "clientId">,
): Promise<void> {
  if (clientId !== null) await lockApplication(tx, user, clientId, "webhooks");
}

/** @throws UnknownOAuthClient */
export async function assertWebhookRight(
  on: Queryable,
  user: PortalUser,
  { clientId }: Pick<EndpointKey, "clientId">,
): Promise<void> {
  if (clientId !== null) await requireApplication(on, user, clientId, "webhooks");
}

/** @throws UnknownOAuthClient · UnknownElement */
export async function readOwnEndpoint(
  ctx: Context,
  user: PortalUser,
  key: EndpointKey,
): Promise<WebhookEndpoint> {
  const on = ctx.database.query;
  await assertWebhookRight(on, user, key);
  return endpointBy(on, user, key, false);
}

async function endpointBy(
  on: Queryable,
  { accountId }: PortalUser,
  { clientId, endpointId }: EndpointKey,
  lock: boolean,
): Promise<WebhookEndpoint> {
  const endpoint = isUuid(endpointId)
    ? await findEndpoint(on, { clientId, accountId }, { endpointId, lock })
    : undefined;
  if (!endpoint)
    throw UnknownElement.because({
      message:
        clientId === null
          ? "You have no such webhook."
          : "The application has no such webhook endpoint.",
    });
  return endpoint;
}

/** @throws GeneralError if the endpoint's secret is lost */
export function assertCanSign(ctx: Context, endpoint: WebhookEndpoint): void {
  if (isSecretLost(ctx, endpoint))
    throw GeneralError.because({ message: "The secret can no longer be read. Rotate it first." });
}

/** The player is notified of these acts on the account's own endpoint. */
const notedActs: Readonly<Partial<Record<AuditedAct, string>>> = {
  "webhook.added": "was added",
  "webhook.changed": "was changed",
  "webhook.paused": "was paused",
  "webhook.removed": "was removed",
  "webhook_secret.rotated": "has a new secret",
};

/**
 * Writes the audit event and makes every worker look at the endpoint again.
 * @throws TooManyRequests for an account's own endpoint
 */
export async function noteAct(
  ctx: Context,
  tx: Queryable,
  by: PortalUser,
  { clientId, endpointId }: EndpointKey,
  { act, details, ...rows }: AuditFacts & { readonly act: AuditedAct },
): Promise<void> {
  await ctx.audit(tx, by, act, { clientId, details: { endpointId, ...details }, ...rows });
  const { accountId } = by;
  const noted = clientId === null ? notedActs[act] : undefined;
  if (noted) {
    await chargeNotification(ctx, by);
    await ctx.notify(tx, {
      accountId,
      kind: "notifications-changed",
      path: "/account/notifications",
      text: `The webhook for your notices ${noted}. If that was not you, end your other sessions.`,
    });
  }
  await ctx.tokens.announceRevocation(tx, clientId === null ? { accountId } : { clientId });
  await ctx.database.notify(tx, eventChannel, "");
}

/** Limits verifications and tests per developer, because more could be used for attacks. */
const attemptsAMinute = 10;
/** Each notification may send a chat message, and those are sent one at a time. */
const notificationsAMinute = 20;

/** @throws TooManyRequests */
export const chargeNotification = (ctx: Context, { accountId }: PortalUser): Promise<void> =>
  charge(ctx, { policy: "notifications", subject: accountId, limit: notificationsAMinute });

/** @throws TooManyRequests */
export const chargeAttempt = (ctx: Context, { accountId }: PortalUser): Promise<void> =>
  charge(
    ctx,
    { policy: "webhook-attempts", subject: accountId, limit: attemptsAMinute },
    "requests",
  );
