import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { requireOwnApplication } from "#server/oauth/clients/own-applications";
import type { Page } from "#server/platform/page-cursor";
import { type AttemptFailure, failureSentences, shownFailure } from "./attempt";
import { type DeliveryRow, listDeliveryRows } from "./deliveries-store";
import { type EndpointView, hasPrevious, isSecretLost, streakOf } from "./endpoint";
import { type EndpointKey, findOwnEndpoint } from "./endpoint-acts";
import { healthOf } from "./endpoint-health";
import { countMessages, listEndpoints as listRows } from "./endpoint-store";
import type { AttemptView } from "./verify-endpoint";

/** The endpoints of the user's application, oldest first. @throws UnknownOAuthClient */
export async function listEndpoints(ctx: Context, user: PortalUser, clientId: string): Promise<EndpointView[]> {
  const on = ctx.database.query;
  await requireOwnApplication(on, user, clientId);
  const rows = await listRows(on, clientId);
  const messages = await countMessages(
    on,
    rows.map(({ id }) => id),
  );
  const now = ctx.now();
  return rows.map((row) => ({
    endpointId: row.id,
    ...{ url: row.url, description: row.description, types: row.types, version: row.version },
    ...{ state: row.state, reason: row.reason, stateSince: row.stateSince, createdAt: row.createdAt },
    ...{ health: healthOf(streakOf(row), now), failures: row.failures, failingSince: row.firstFailureAt },
    ...{ lastSuccessAt: row.lastSuccessAt, secretSince: row.secretSince, secretLost: isSecretLost(ctx, row) },
    waiting: { count: row.waiting + (messages.get(row.id) ?? 0), more: false },
    previousUntil: hasPrevious(row, now) ? row.previousUntil : null,
  }));
}

/** An attempt at an endpoint. */
export interface DeliveryView extends Omit<AttemptView, "phases"> {
  readonly id: string;
  readonly at: Date;
  /** What receivers know the message by. */
  readonly messageId: string;
  readonly type: string;
  /** The first is 1. */
  readonly attempt: number;
  /**
   * `failed` is tried again at `nextAt`, `exhausted` was the last attempt of the schedule, `given-up`: the receiver wants no other,
   * `withdrawn`: the consent ended, so that it is not sent.
   */
  readonly outcome: DeliveryRow["outcome"];
  readonly phases: AttemptView["phases"] | null;
  /** The next attempt; null where there is none. */
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
  const rows = await listDeliveryRows(on, { endpointId, before: place, unsuccessful, limit: pageSize + 1 });
  const shown = rows.slice(0, pageSize);
  const last = shown.at(-1);
  return { rows: shown.map(viewDelivery), next: last && rows.length > pageSize ? String(last.id) : null };
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
}: DeliveryRow): DeliveryView {
  const sentence = failure === null ? null : failureSentences[shownFailure(failure as AttemptFailure)];
  return { id: String(id), at, messageId, type, attempt, outcome, status, failure: sentence, phases, excerpt, nextAt };
}
