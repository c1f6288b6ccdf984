import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { errorJumpNoticeKind } from "#server/oauth/clients/traffic/traffic-jobs";
import { dayMs, secondMs } from "#server/platform/time";
import { type AttemptFailure, describeRedirect, failureSentences, shownFailure } from "./attempt";
import { findDueSince, listAttemptRows, readBacklogTotals } from "./delivery-store";
import { healthOf } from "./endpoint";
import { listApplicationTroubles, listEndpointRows } from "./endpoint-store";
import { assertWebhookRight, type EndpointKey, readOwnEndpoint } from "./own-endpoint";
import { hasPreviousSecret, isSecretLost } from "./signature";

/** `secretLost`: the secret was sealed under a lost server secret and must be rotated. */
export type EndpointView = Awaited<ReturnType<typeof listEndpoints>>[number];

/** Oldest first. @throws UnknownOAuthClient */
export async function listEndpoints(
  ctx: Context,
  user: PortalUser,
  { clientId }: Pick<EndpointKey, "clientId">,
) {
  const on = ctx.database.query;
  const { accountId } = user;
  await assertWebhookRight(on, user, { clientId });
  const rows = await listEndpointRows(on, { clientId, accountId });
  const now = ctx.now();
  return rows.map((row) => {
    const { id: endpointId, url, description, types, version, state, reason, stateSince } = row;
    const { createdAt, failures, firstFailureAt, lastSuccessAt, secretSince, waiting } = row;
    return {
      endpointId,
      url,
      description,
      types,
      version,
      state,
      reason,
      stateSince,
      createdAt,
      failures,
      failingSince: firstFailureAt,
      lastSuccessAt,
      secretSince,
      waiting,
      health: healthOf(row, now),
      secretLost: isSecretLost(ctx, row),
      previousUntil: hasPreviousSecret(row, now) ? row.previousUntil : null,
    };
  });
}

/**
 * A `failed` attempt is retried at `nextAt`, null after the retry. `exhausted` ended the schedule.
 */
export type DeliveryView = ReturnType<typeof viewDelivery>;

const pageSize = 50;

/** Newest first; `unsuccessful` keeps only failures. @throws UnknownOAuthClient · UnknownElement */
export async function listDeliveries(
  ctx: Context,
  user: PortalUser,
  asked: EndpointKey & { readonly after: string | null; readonly unsuccessful: boolean },
) {
  const on = ctx.database.query;
  const { id: endpointId } = await readOwnEndpoint(ctx, user, asked);
  const before = /^\d{1,18}$/.test(asked.after ?? "") ? BigInt(asked.after ?? 0) : undefined;
  const { unsuccessful } = asked;
  const of = { endpointId, before, unsuccessful, limit: pageSize + 1 };
  const rows = await listAttemptRows(on, of);
  const shown = rows.slice(0, pageSize);
  const last = shown.at(-1);
  return {
    rows: shown.map(viewDelivery),
    next: last && rows.length > pageSize ? String(last.id) : null,
  };
}

function viewDelivery(row: Awaited<ReturnType<typeof listAttemptRows>>[number]) {
  const failure =
    row.failure === null
      ? describeRedirect(row.status)
      : failureSentences[shownFailure(row.failure as AttemptFailure)];
  return { ...row, id: String(row.id), failure };
}

export async function listFailingApplications(ctx: Context, { accountId }: PortalUser) {
  const since = new Date(ctx.now().getTime() - dayMs);
  const troubles = await listApplicationTroubles(ctx.database, {
    accountId,
    kind: errorJumpNoticeKind,
    since,
  });
  return troubles.filter((each) => each.errorsJumped || each.endpoints > 0);
}

/** `lagSeconds`: age of the oldest event that is due and not being sent. */
export async function measureWebhookBacklog(ctx: Context) {
  const [now, on] = [ctx.now(), ctx.database.keyPool];
  const counts = await readBacklogTotals(on);
  const since = await findDueSince(on, now);
  return { ...counts, lagSeconds: since ? (now.getTime() - since.getTime()) / secondMs : 0 };
}
