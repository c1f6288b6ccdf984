import type { Context } from "#server/context";
import { secondMs } from "#server/platform/time";
import { type Result, saveResults, withdrawn } from "./attempt-result";
import { disableEndpoint } from "./disable-endpoint";
import { type DisabledReason, streakOf, type WebhookEndpoint } from "./endpoint";
import { type FailureStreak, failuresBeforeRest, streakAfter } from "./endpoint-health";
import { bounds, type Lease, readHeldEndpoint, saveHeldEndpoint, takePermits } from "./lease-store";
import { stillVisible } from "./messages";
import { createPendingMessages, type PendingMessages } from "./pending-messages";
import { attemptDelays, type Verdict } from "./retry";

/** An endpoint that this process claimed: what the database said of it, what is to be sent, and what came of it. */
export interface HeldEndpoint {
  readonly lease: Lease;
  readonly pending: PendingMessages;
  /** Aborted once the claim counts no more: everything under way is stopped, and nothing is written. */
  readonly lost: AbortSignal;
  lose(): void;
  /** As the database knew it when it was asked last; undefined before that. */
  endpoint(): WebhookEndpoint | undefined;
  /** Makes sure of the endpoint, and that what is to be sent, or under way, may still be told. Asks the database where that is long ago. */
  check(): Promise<void>;
  /** Makes the next check ask the database. */
  doubt(): void;
  /** Adds what is to be written. `verdict`: what the attempt says of the endpoint, where there was one. */
  add(result: Result, verdict?: Verdict): void;
  /** Writes what came of all attempts that ended, and how far the endpoint is. */
  save(): Promise<void>;
  /** Results that are not, or not all, in the database yet. */
  unsaved(): readonly Result[];
  /** Whether another request may begin beside those under way. Takes a permit for it where the worker has too few. */
  mayBegin(): Promise<boolean>;
  isResting(): boolean;
  /** When an endpoint that fails is tried again; undefined for one that works. */
  restUntil(): Date | undefined;
  /** The receiver wants nothing more: the endpoint is switched off with the next `save`. */
  isUnwanted(): boolean;
  /** Whether a message failed since the endpoint was claimed. */
  hasFailed(): boolean;
}

/** How long an answer about a consent is believed: nothing is sent a second after its end. */
const believedMs = secondMs / 2;
/** How long a permit that was refused is not asked for again. */
const refusedMs = secondMs;

export function createHeldEndpoint(ctx: Context, lease: Lease): HeldEndpoint {
  const { query: on } = ctx.database.background;
  const lost = new AbortController();
  const pending = createPendingMessages(0);
  let endpoint: WebhookEndpoint | undefined;
  let streak: FailureStreak | undefined;
  let lastSuccessAt: Date | undefined;
  let [results, writing]: [Result[], readonly Result[]] = [[], []];
  let disableReason: DisabledReason | undefined;
  let [permits, refusedAt] = [1, Number.NEGATIVE_INFINITY];
  let [slowed, hasFailed] = [false, false];
  let checkedAt = Number.NEGATIVE_INFINITY;
  let [doubts, answered] = [0, 0];
  const isResting = () => (streak?.failures ?? 0) >= failuresBeforeRest;
  const lose = () => {
    lost.abort();
    for (const { stop } of pending.underWay()) stop.abort();
  };

  const ask = async () => {
    const [start, doubtsThen] = [performance.now(), doubts];
    const found = await readHeldEndpoint(on, lease);
    if (!found) return lose();
    if (!endpoint) {
      pending.readTo(found.seq);
      streak = streakOf(found);
    }
    endpoint = found;
    const asked = pending.all();
    const visible = await stillVisible(ctx, on, { endpoint: found, messages: asked });
    const { queued, underWay } = pending.drop(
      asked.filter(({ messageId }) => !visible.has(messageId)),
    );
    results.push(
      ...queued.filter(({ isStored }) => isStored).map((message) => withdrawn(message, ctx.now())),
    );
    for (const inFlight of underWay) {
      inFlight.withdrawn = true;
      inFlight.stop.abort();
    }
    answered = doubtsThen;
    if (doubts === doubtsThen) checkedAt = start;
  };
  const askOnce = oneAtATime(ask);

  const write = async () => {
    if (!endpoint || lost.signal.aborted) return;
    const [found, batch, position] = [endpoint, results, pending.position()];
    if (batch.length === 0 && position <= found.seq) return;
    [results, writing] = [[], batch];
    const { failures = 0, firstAt = null, lastAt = null } = streak ?? {};
    const changes = {
      ...{
        failures,
        firstFailureAt: firstAt,
        lastFailureAt: lastAt,
        ...(!streak && { notice: null }),
      },
      ...(lastSuccessAt && { lastSuccessAt }),
      ...{ position, done: batch.filter(({ message }) => !message.isStored).length },
    };
    const saved = await ctx.database.background.transaction(async (tx) => {
      if (!(await saveHeldEndpoint(tx, lease, changes))) return false;
      await saveResults(tx, lease.id, batch);
      if (disableReason) await disableEndpoint(ctx, tx, found, disableReason);
      return true;
    });
    writing = [];
    if (!saved || disableReason) return lose();
    endpoint = { ...endpoint, seq: Math.max(endpoint.seq, position) };
  };

  return {
    ...{ lease, pending, lost: lost.signal, lose, isResting },
    endpoint: () => endpoint,
    check: async () => {
      if (lost.signal.aborted || performance.now() - checkedAt < believedMs) return;
      const doubted = doubts;
      await askOnce();
      // A check that was under way may have asked before the doubt.
      if (answered < doubted) await askOnce();
    },
    doubt: () => {
      doubts += 1;
      checkedAt = Number.NEGATIVE_INFINITY;
    },
    add: (result, verdict) => {
      results.push(result);
      if (!verdict) return;
      streak = streakAfter(streak, verdict.endpoint, ctx.now());
      if (verdict.endpoint === "alive") lastSuccessAt = ctx.now();
      hasFailed ||= verdict.message === "failed";
      slowed = verdict.slowDown || (slowed && verdict.message !== "delivered");
      disableReason = verdict.disable ?? disableReason;
      if (isResting() || disableReason) pending.forget();
    },
    save: oneAfterTheOther(write),
    unsaved: () => [...results, ...writing],
    mayBegin: async () => {
      const isFree = () => pending.underWay().length < permits;
      if (slowed || isResting()) return pending.underWay().length === 0;
      if (isFree() || permits === bounds.endpoint || performance.now() - refusedAt < refusedMs)
        return isFree();
      if (await takePermits(ctx.database.background, lease, ctx.now())) permits = bounds.endpoint;
      else refusedAt = performance.now();
      return isFree();
    },
    restUntil: () => {
      if (!streak) return undefined;
      const delay = attemptDelays[Math.min(streak.failures, attemptDelays.length - 1)] ?? 0;
      return new Date(streak.lastAt.getTime() + delay);
    },
    isUnwanted: () => disableReason !== undefined,
    hasFailed: () => hasFailed,
  };
}

/** A second call while the work is under way waits for the first one's. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let working: Promise<void> | undefined;
  return () => {
    working ??= work().finally(() => {
      working = undefined;
    });
    return working;
  };
}

/** Work that is wanted while it is under way is done once more afterwards, for all who wanted it. */
function oneAfterTheOther(work: () => Promise<void>): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  let isNext = false;
  return () => {
    if (isNext) return last;
    isNext = true;
    last = last.then(() => {
      isNext = false;
      return work();
    });
    return last;
  };
}
