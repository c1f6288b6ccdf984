import type { Queryable } from "#db/client";
import type { Context } from "#server/context";
import { secondMs } from "#server/platform/time";
import { finishClaims, lockClaims } from "#server/work/leases";
import { type Attempt, attemptColumnsOf } from "./attempt";
import {
  type Delivery,
  deliveryWorkTable,
  insertAttempts,
  type NewAttempt,
  refreshDueAt,
  removeDeliveries,
} from "./delivery-store";
import { disableEndpoint } from "./disable-endpoint";
import { failuresBeforeRest, noFailures, type WebhookEndpoint } from "./endpoint";
import { type EndpointStanding, lockEndpoints, saveStanding } from "./endpoint-store";
import {
  type AttemptVerdict,
  attemptDelays,
  judgeAttempt,
  nextAttemptAt,
  slowedDown,
  speededUp,
  withMinimumPace,
} from "./retry";

export interface DeliveryResult {
  readonly delivery: Delivery;
  /** The endpoint's generation at the attempt. */
  readonly generation: number | undefined;
  readonly begun: Date;
  readonly answer: Attempt | undefined;
  /** True if the consent has ended. */
  readonly withdrawn: boolean;
}

export const slowMs = secondMs;

type Outcome = NewAttempt["outcome"];

/**
 * A result is void if another process claimed the delivery, or the developer changed the endpoint.
 * @returns the valid outcomes
 */
export async function saveResults(
  ctx: Context,
  tx: Queryable,
  results: readonly DeliveryResult[],
): Promise<Outcome[]> {
  const deliveries = results.map(({ delivery }) => delivery);
  const locked = await lockEndpoints(tx, [...new Set(deliveries.map((one) => one.endpointId))]);
  const endpoints = new Map(locked.map((each) => [each.id, each]));
  const ours = await lockClaims(tx, deliveryWorkTable, deliveries);
  const over: number[] = [];
  const attempts: NewAttempt[] = [];
  const [again, untried]: [Delivery[], Delivery[]] = [[], []];
  const standings = new Map<string, EndpointStanding>();
  const unwanted = new Map<string, NonNullable<AttemptVerdict["disable"]>>();
  for (const result of results) {
    const { delivery, answer, withdrawn, generation } = result;
    const endpoint = endpoints.get(delivery.endpointId);
    if (!endpoint || !ours.has(delivery.id)) continue;
    const verdict = answer && judgeAttempt(answer, ctx.now());
    const counts = verdict && verdict.message !== "stopped" && generation === endpoint.generation;
    if (withdrawn) {
      over.push(delivery.id);
      // A delivery that was never attempted leaves no row.
      if (answer || delivery.attempts > 0)
        attempts.push(attemptOf(result, { outcome: "withdrawn", nextAt: null }));
    } else if (!answer) untried.push(delivery);
    else if (!counts) again.push(delivery);
    else {
      const nextAt = verdict.message === "failed" ? nextAfter(ctx, result) : undefined;
      const standing = standingAfter(endpoint, { result, verdict, nextAt, now: ctx.now() });
      endpoints.set(endpoint.id, { ...endpoint, ...standing });
      standings.set(endpoint.id, { ...standings.get(endpoint.id), ...standing });
      if (verdict.disable) unwanted.set(endpoint.id, verdict.disable);
      if (verdict.message === "paced") {
        again.push(delivery);
        attempts.push(
          attemptOf(result, { outcome: "failed", nextAt: standing.pacedUntil ?? null }),
        );
      } else if (nextAt) {
        again.push({
          ...delivery,
          nextAt,
          attempts: delivery.attempts + 1,
          firstAttemptAt: delivery.firstAttemptAt ?? result.begun,
        });
        attempts.push(attemptOf(result, { outcome: "failed", nextAt }));
      } else {
        over.push(delivery.id);
        const outcome = verdict.message === "failed" ? "exhausted" : verdict.message;
        attempts.push(attemptOf(result, { outcome, nextAt: null }));
      }
    }
  }
  const gone = await removeDeliveries(tx, over);
  for (const each of again) {
    const { body, attempts, firstAttemptAt, nextAt } = each;
    await finishClaims(tx, deliveryWorkTable, [each], { body, attempts, firstAttemptAt, nextAt });
  }
  await finishClaims(tx, deliveryWorkTable, untried);
  await insertAttempts(tx, attempts);
  for (const id of endpoints.keys()) {
    const { length } = gone.filter((endpointId) => endpointId === id);
    await saveStanding(tx, id, { standing: standings.get(id) ?? {}, gone: length });
  }
  await refreshDueAt(tx, [...endpoints.keys()]);
  for (const [id, reason] of unwanted) {
    const endpoint = endpoints.get(id);
    if (endpoint) await disableEndpoint(ctx, tx, endpoint, reason);
  }
  return attempts.map(({ outcome }) => outcome);
}

const drawBytes = 4;

function nextAfter(ctx: Context, { delivery, answer, begun }: DeliveryResult): Date | undefined {
  const random = () => Buffer.from(ctx.ids.bytes(drawBytes)).readUInt32BE() / 2 ** (8 * drawBytes);
  const retryAfter = answer && "status" in answer ? answer.retryAfter : null;
  const firstAttemptAt = delivery.firstAttemptAt ?? begun;
  const failed = { attempts: delivery.attempts + 1, firstAttemptAt, retryAfter };
  return nextAttemptAt(failed, ctx.now(), random);
}

function standingAfter(
  endpoint: WebhookEndpoint,
  of: { result: DeliveryResult; verdict: AttemptVerdict; nextAt: Date | undefined; now: Date },
): EndpointStanding {
  const { result, verdict, nextAt, now } = of;
  const { delivery, answer, begun } = result;
  const { paceMs, paced, pacedUntil, lastSuccessAt } = endpoint;
  const pace = { paceMs, paced, pacedUntil };
  const slow = answer ? answer.phases.total > slowMs : endpoint.slow;
  if (verdict.message === "paced")
    return { slow, ...slowedDown(pace, Number(verdict.slowDown), now) };
  // An answer that ends its message still shows that the endpoint works.
  if (verdict.message !== "failed") {
    const next = verdict.message === "delivered" ? speededUp(pace, begun) : pace;
    return { ...noFailures, ...next, slow, lastSuccessAt: now };
  }
  const busy = verdict.slowDown === "busy" ? withMinimumPace(pace) : pace;
  const rests = endpoint.failures >= failuresBeforeRest;
  // A message first tried before the endpoint's last success says nothing about the endpoint.
  const { firstAttemptAt: first } = delivery;
  if (!rests && first && lastSuccessAt && first < lastSuccessAt) return { ...busy, slow };
  const longest = attemptDelays.at(-1) ?? 0;
  return {
    ...busy,
    slow,
    failures: endpoint.failures + 1,
    firstFailureAt: endpoint.firstFailureAt ?? now,
    lastFailureAt: now,
    failedTypes: [...new Set([...endpoint.failedTypes, delivery.type])],
    probeAt: nextAt ?? new Date(now.getTime() + longest),
  };
}

function attemptOf(
  { delivery, begun, answer }: DeliveryResult,
  { outcome, nextAt }: { outcome: Outcome; nextAt: Date | null },
): NewAttempt {
  const { endpointId, messageId, seq, playerId, type, attempts } = delivery;
  return {
    endpointId,
    messageId,
    seq,
    playerId,
    type,
    outcome,
    nextAt,
    at: begun,
    attempt: answer ? attempts + 1 : attempts,
    ...(answer && attemptColumnsOf(answer)),
  };
}
