import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { errorsJumped } from "#server/oauth/clients/traffic/traffic-jobs";
import type { Page } from "#server/platform/paging";
import { dayMs } from "#server/platform/time";
import { type AttemptFailure, failureSentences, redirectSentence, shownFailure } from "./attempt";
import { type AttemptRow, listAttemptRows } from "./attempt-store";
import { type EndpointView, hasPrevious, isSecretLost, streakOf } from "./endpoint";
import { healthOf } from "./endpoint-health";
import { countTroubles, listEndpointRows } from "./endpoint-store";
import { type EndpointKey, findOwnEndpoint, requireOwner } from "./own-endpoint";

/** Oldest first. @throws UnknownOAuthClient */
export async function listEndpoints(
  ctx: Context,
  user: PortalUser,
  { clientId }: Pick<EndpointKey, "clientId">,
): Promise<EndpointView[]> {
  const on = ctx.database.query;
  const { accountId } = user;
  await requireOwner(on, user, { clientId });
  const rows = await listEndpointRows(on, { clientId, accountId });
  const now = ctx.now();
  return rows.map((row) => {
    const { id: endpointId, url, description, types, version, state, reason, stateSince } = row;
    const { createdAt, failures, firstFailureAt, lastSuccessAt, secretSince } = row;
    return {
      ...{ endpointId, url, description, types, version, state, reason, stateSince, createdAt },
      ...{ failures, failingSince: firstFailureAt, lastSuccessAt, secretSince },
      health: healthOf(streakOf(row), now),
      secretLost: isSecretLost(ctx, row),
      waiting: { count: row.waiting, more: false },
      previousUntil: hasPrevious(row, now) ? row.previousUntil : null,
    };
  });
}

/**
 * Outcomes: `failed` is retried at `nextAt`, null if that was done; `exhausted` was the last attempt
 * of the schedule; the receiver of a `given-up` one wants no other; `withdrawn` by a consent's end.
 */
export interface DeliveryView
  extends Pick<
    AttemptRow,
    | ("at" | "messageId" | "type" | "attempt" | "outcome")
    | ("status" | "failure" | "phases" | "excerpt" | "nextAt")
  > {
  readonly id: string;
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

function viewDelivery(row: AttemptRow): DeliveryView {
  const { at, messageId, type, attempt, outcome, status, phases, excerpt, nextAt } = row;
  const failure =
    row.failure === null
      ? redirectSentence(status)
      : failureSentences[shownFailure(row.failure as AttemptFailure)];
  return {
    ...{ id: String(row.id), at, messageId, type, attempt, outcome },
    ...{ status, failure, phases, excerpt, nextAt },
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
