import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { requireApplication } from "#server/oauth/clients/own-applications";
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

/** Oldest first. @throws UnknownOAuthClient */
export async function listEndpoints(
  ctx: Context,
  user: PortalUser,
  clientId: string,
): Promise<EndpointView[]> {
  const on = ctx.database.query;
  await requireApplication(on, user, clientId, "webhooks");
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

export interface DeliveryView extends Omit<AttemptView, "phases"> {
  readonly id: string;
  readonly at: Date;
  /** As receivers know it. */
  readonly messageId: string;
  readonly type: string;
  readonly attempt: number;
  /**
   * `failed`: retried at `nextAt`. `exhausted`: the last attempt of the schedule. `given-up`: the
   * receiver wants no other. `withdrawn`: the consent ended.
   */
  readonly outcome: AttemptRow["outcome"];
  readonly phases: AttemptView["phases"] | null;
  /** Null if there is no retry, or it was made. */
  readonly nextAt: Date | null;
}

const pageSize = 50;

/**
 * The last seven days, newest first; `unsuccessful` omits delivered ones.
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

interface FailingApplication {
  readonly clientId: string;
  readonly errorsJumped: boolean;
  readonly endpoints: number;
}

/** Runs for the header of each page. */
export async function listFailingApplications(
  ctx: Context,
  { accountId }: PortalUser,
): Promise<readonly FailingApplication[]> {
  const since = new Date(ctx.now().getTime() - dayMs);
  const troubles = await countTroubles(ctx.database, { accountId, kind: errorsJumped, since });
  return troubles.filter((each) => each.errorsJumped || each.endpoints > 0);
}
