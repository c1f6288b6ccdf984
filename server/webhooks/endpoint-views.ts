import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { requireOwnApplication } from "#server/oauth/clients/own-applications";
import { errorsJumped } from "#server/oauth/clients/traffic/jobs/notify-error-jumps";
import type { Page } from "#server/platform/paging";
import { dayMs } from "#server/platform/time";
import { type AttemptFailure, failureSentences, redirectSentence, shownFailure } from "./attempt";
import { type AttemptRow, listAttemptRows } from "./attempt-store";
import { type EndpointView, hasPrevious, isSecretLost, streakOf } from "./endpoint";
import { healthOf } from "./endpoint-health";
import { countTroubles, listEndpointRows } from "./endpoint-store";
import { type EndpointKey, findOwnEndpoint } from "./own-endpoint";
import type { AttemptView } from "./try-endpoint";

/** The endpoints of the user's application, oldest first. @throws UnknownOAuthClient */
export async function listEndpoints(
  ctx: Context,
  user: PortalUser,
  clientId: string,
): Promise<EndpointView[]> {
  const on = ctx.database.query;
  await requireOwnApplication(on, user, clientId);
  const rows = await listEndpointRows(on, clientId);
  const now = ctx.now();
  return rows.map((row) => ({
    endpointId: row.id,
    ...{ url: row.url, description: row.description, types: row.types, version: row.version },
    ...{
      state: row.state,
      reason: row.reason,
      stateSince: row.stateSince,
      createdAt: row.createdAt,
    },
    ...{
      health: healthOf(streakOf(row), now),
      failures: row.failures,
      failingSince: row.firstFailureAt,
    },
    ...{
      lastSuccessAt: row.lastSuccessAt,
      secretSince: row.secretSince,
      secretLost: isSecretLost(ctx, row),
    },
    waiting: { count: row.waiting, more: false },
    previousUntil: hasPrevious(row, now) ? row.previousUntil : null,
  }));
}

/** An attempt at an endpoint. */
export interface DeliveryView extends Omit<AttemptView, "phases"> {
  readonly id: string;
  readonly at: Date;
  /** The message's id, as receivers know it. */
  readonly messageId: string;
  readonly type: string;
  /** The first is 1. */
  readonly attempt: number;
  /**
   * `failed` is tried again at `nextAt`, `exhausted` was the last attempt of the schedule, `given-up`: the receiver wants no other,
   * `withdrawn`: the consent ended, so that it is not sent.
   */
  readonly outcome: AttemptRow["outcome"];
  readonly phases: AttemptView["phases"] | null;
  /** When it is tried again; null where it is not, or was tried meanwhile. */
  readonly nextAt: Date | null;
}

const pageSize = 50;

/**
 * Attempts at an endpoint in the last seven days, newest first.
 * @param asked.after where to go on, as the page before said; `unsuccessful`: only what was not delivered
 * @throws UnknownOAuthClient · UnknownElement
 */
export async function listDeliveries(
  ctx: Context,
  user: PortalUser,
  asked: EndpointKey & { readonly after: string | null; readonly unsuccessful: boolean },
): Promise<Page<DeliveryView>> {
  const on = ctx.database.query;
  const { id: endpointId } = await findOwnEndpoint(ctx, user, asked);
  const place = /^\d{1,18}$/.test(asked.after ?? "") ? BigInt(asked.after ?? 0) : undefined;
  const { unsuccessful } = asked;
  const rows = await listAttemptRows(on, {
    endpointId,
    before: place,
    unsuccessful,
    limit: pageSize + 1,
  });
  const shown = rows.slice(0, pageSize);
  const last = shown.at(-1);
  return {
    rows: shown.map(viewDelivery),
    next: last && rows.length > pageSize ? String(last.id) : null,
  };
}

function viewDelivery({
  id,
  at,
  messageId,
  type,
  attempt,
  outcome,
  status,
  failure,
  phases,
  excerpt,
  nextAt,
}: AttemptRow): DeliveryView {
  const sentence =
    failure === null
      ? redirectSentence(status)
      : failureSentences[shownFailure(failure as AttemptFailure)];
  return {
    id: String(id),
    at,
    messageId,
    type,
    attempt,
    outcome,
    status,
    failure: sentence,
    phases,
    excerpt,
    nextAt,
  };
}

/** An application of the user's that wants a look. */
interface FailingApplication {
  readonly clientId: string;
  /** Whether its errors jumped within the last day. */
  readonly errorsJumped: boolean;
  /** Webhook endpoints that fail, or that were switched off for it. */
  readonly endpoints: number;
}

/** The user's applications with failing calls or webhooks. Asked by the header of each page. */
export async function listFailingApplications(
  ctx: Context,
  { accountId }: PortalUser,
): Promise<readonly FailingApplication[]> {
  const since = new Date(ctx.now().getTime() - dayMs);
  const troubles = await countTroubles(ctx.database, { accountId, kind: errorsJumped, since });
  return troubles.filter((each) => each.errorsJumped || each.endpoints > 0);
}
