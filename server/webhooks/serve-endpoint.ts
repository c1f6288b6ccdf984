import type { Context } from "#server/context";
import { describeError } from "#server/platform/describe-error";
import { secondMs } from "#server/platform/durations";
import { type Result, resultOf, saveResults, withdrawn } from "./attempt-result";
import { mostWaiting } from "./count-waiting";
import { disableEndpoint } from "./disable-endpoint";
import { endWaiting } from "./end-waiting";
import { type Endpoint, openSecrets, streakOf } from "./endpoint";
import { type FailureStreak, failuresBeforeRest, streakAfter } from "./endpoint-health";
import { type Lease, readHeldEndpoint, releaseEndpoint, saveHeldEndpoint } from "./lease-store";
import { findOldestMessage, listDueMessages, listStoredIds } from "./message-store";
import { findMessages, messageOf, stillVisible } from "./messages";
import { createPendingMessages, type InFlight, type PendingMessages } from "./pending-messages";
import { attemptDelays, judgeAttempt } from "./retry";
import { signWebhook } from "./signature";
import type { Slots } from "./slots";

/** Brings an endpoint that this process claimed what waits for it. */
export interface Worker {
  readonly lease: Lease;
  /** Resolves when it has given the endpoint back, or lost it. Never rejects. */
  readonly done: Promise<void>;
  /** Says that there may be more to send. */
  nudge(): void;
  /** Says that a consent, or the endpoint, may have changed: nothing is sent before the database was asked. */
  doubt(): void;
  /** The claim counts no more: everything under way is stopped, and nothing is written. */
  lose(): void;
  /** Begins nothing more. */
  drain(): void;
  /** Stops what is under way; it is sent again by the next worker. */
  stop(): void;
}

const mostAtOnce = 2;
const eventsAtOnce = 50;
/** What the database said of a consent is believed for so long: nothing is sent a second after its end. */
const believedMs = secondMs / 2;
/** Then other endpoints have their turn. */
const longestTurnMs = 30 * secondMs;
const version = "webhook-version";

export function serveEndpoint(
  ctx: Context,
  { lease, slots }: { readonly lease: Lease; readonly slots: Slots },
): Worker {
  const on = ctx.database.background.query;
  const lost = new AbortController();
  const beginning = performance.now();
  let endpoint: Endpoint | undefined;
  let pending: PendingMessages = createPendingMessages(0);
  let streak: FailureStreak | undefined;
  let lastSuccessAt: Date | undefined;
  let results: Result[] = [];
  let writing: readonly Result[] = [];
  let disableReason: "gone" | "asked" | undefined;
  let [draining, slowed, hasFailed] = [false, false, false];
  let checkedAt = Number.NEGATIVE_INFINITY;
  let doubts = 0;
  let waking = () => {};
  let changed = new Promise<void>((resolve) => {
    waking = resolve;
  });
  const nudge = () => {
    const wake = waking;
    changed = new Promise((resolve) => {
      waking = resolve;
    });
    wake();
  };
  const lose = () => {
    lost.abort();
    for (const { stop } of pending.underWay()) stop.abort();
    nudge();
  };
  const isFresh = () => performance.now() - checkedAt < believedMs;
  const isResting = () => (streak?.failures ?? 0) >= failuresBeforeRest;

  /** Asks the database for the endpoint, and whether what is to be sent, or under way, may still be told. */
  const ask = async () => {
    const [start, doubtsThen] = [performance.now(), doubts];
    const found = await readHeldEndpoint(on, lease);
    if (!found) return lose();
    if (!endpoint) {
      pending = createPendingMessages(found.seq);
      streak = streakOf(found);
    }
    endpoint = found;
    const visible = await stillVisible(ctx, on, { endpoint, messages: pending.all() });
    const { queued, underWay } = pending.keep(visible);
    results.push(...queued.filter(({ isStored }) => isStored).map((message) => withdrawn(message, ctx.now())));
    for (const inFlight of underWay) {
      inFlight.withdrawn = true;
      inFlight.stop.abort();
    }
    if (doubts === doubtsThen) checkedAt = start;
  };
  let asking: Promise<void> | undefined;
  const check = () => {
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  };

  const save = async () => {
    if (!endpoint || lost.signal.aborted) return;
    const [batch, position] = [results, pending.position()];
    if (batch.length === 0 && position <= endpoint.seq) return;
    [results, writing] = [[], batch];
    const done = batch.filter(({ message }) => !message.isStored).length;
    const found = endpoint;
    const saved = await ctx.database.background.transaction(async (tx) => {
      const { failures = 0, firstAt = null, lastAt = null } = streak ?? {};
      const columns = { failures, firstFailureAt: firstAt, lastFailureAt: lastAt, ...(!streak && { notice: null }) };
      const changes = { ...columns, ...(lastSuccessAt && { lastSuccessAt }), position, done };
      if (!(await saveHeldEndpoint(tx, lease, changes))) return false;
      await saveResults(tx, lease.id, batch);
      if (disableReason) await disableEndpoint(ctx, tx, found, disableReason);
      return true;
    });
    writing = [];
    if (!saved || disableReason) return lose();
    endpoint = { ...endpoint, seq: Math.max(endpoint.seq, position) };
  };
  let saving: Promise<void> = Promise.resolve();
  let isNext = false;
  /** One after the other: each writes what came of all attempts that ended since the one before. */
  const saveNext = () => {
    if (isNext) return saving;
    isNext = true;
    saving = saving.then(() => {
      isNext = false;
      return save();
    });
    return saving;
  };

  /** Reads what is to be sent next. @returns whether there may be more */
  const load = async (found: Endpoint): Promise<boolean> => {
    await saveNext();
    // What became of these is not, or not all, in the database yet.
    const open = [...pending.underWay(), ...results, ...writing];
    const openIds = new Set(open.map(({ message }) => message.messageId));
    const key = { endpointId: lease.id, now: ctx.now() };
    const rows = isResting()
      ? [await findOldestMessage(on, lease.id)].filter((row) => row !== undefined)
      : await listDueMessages(on, { ...key, limit: eventsAtOnce });
    const due = rows.filter(({ nextAt, messageId }) => nextAt <= key.now && !openIds.has(messageId)).map(messageOf);
    const visible = await stillVisible(ctx, on, { endpoint: found, messages: due });
    for (const message of due) {
      const body = message.body ?? visible.get(message.messageId)?.body;
      if (visible.has(message.messageId)) pending.add([{ ...message, body }]);
      else results.push(withdrawn(message, key.now));
    }
    if (isResting() && (rows.length > 0 || key.now < restUntil())) return false;
    if (found.waiting === 0 || pending.reached() >= found.counted) return rows.length === eventsAtOnce;
    const after = pending.reached();
    const page = await findMessages(ctx, on, { endpoint: found, after, until: found.counted, limit: eventsAtOnce });
    const stored = await listStoredIds(on, { endpointId: lease.id, after, until: page.reached });
    const fresh = page.messages.filter((message) => !stored.has(message.messageId) && !pending.isDone(message));
    pending.readTo(page.reached);
    pending.add(fresh);
    return true;
  };
  const restUntil = () => {
    const { failures = 0, lastAt = new Date(0) } = streak ?? {};
    return new Date(lastAt.getTime() + (attemptDelays[Math.min(failures, attemptDelays.length - 1)] ?? 0));
  };

  const attempt = async (found: Endpoint, inFlight: InFlight): Promise<void> => {
    const { message, stop } = inFlight;
    const { messageId, body = "" } = message;
    const at = ctx.now();
    const answer = await ctx.sendWebhook({
      url: found.url,
      body,
      signal: stop.signal,
      headers: async () => {
        if (!isFresh()) await check();
        const now = ctx.now();
        return {
          ...signWebhook({ id: messageId, body }, now, openSecrets(ctx, endpoint ?? found, now)),
          [version]: found.version,
        };
      },
    });
    const verdict = judgeAttempt(answer);
    const isStopped = verdict.message === "stopped" && !inFlight.withdrawn;
    pending.finish(inFlight, isStopped);
    if (isStopped) return;
    if (verdict.message === "stopped") {
      results.push({ ...withdrawn(message, at), attempt: message.attempts + 1, answer });
      return;
    }
    results.push(resultOf(ctx, message, { at, answer, verdict }));
    streak = streakAfter(streak, verdict.endpoint, ctx.now());
    if (verdict.endpoint === "alive") lastSuccessAt = ctx.now();
    hasFailed ||= verdict.message === "failed";
    slowed = verdict.slowDown || (slowed && verdict.message !== "delivered");
    if (verdict.disable) disableReason = "failure" in answer || answer.status !== 410 ? "asked" : "gone";
    if (isResting() || disableReason) pending.drop();
  };

  /** Begins the next attempt, or waits for what stands in its way. @returns whether there is anything left to do */
  const step = async (): Promise<boolean> => {
    if (!isFresh()) await check();
    const found = endpoint;
    if (!found || lost.signal.aborted) return false;
    const limit = slowed || isResting() ? 1 : mostAtOnce;
    const isOver = draining || disableReason !== undefined || performance.now() - beginning > longestTurnMs;
    const underWay = pending.underWay().length;
    const change = changed;
    if (isOver && underWay === 0) return false;
    if (!isOver && underWay < limit && !pending.next()) {
      const more = await load(found);
      if (!pending.next() && pending.underWay().length === 0) return more;
      if (pending.next() || more) return true;
    }
    const next = isOver || underWay >= limit ? undefined : pending.next();
    if (!next || pending.isBusy(next)) {
      await change;
      return true;
    }
    const release = await slots.take({ clientId: found.clientId, host: new URL(found.url).hostname }, lost.signal);
    if (!release) return false;
    // What was known when the permit was asked for may be old by now.
    if (!isFresh()) await check().catch(() => lose());
    const message = pending.next();
    if (!message || lost.signal.aborted || draining || pending.isBusy(message)) release();
    else
      attempt(found, pending.begin(message))
        .finally(() => {
          release();
          nudge();
        })
        .then(saveNext)
        .catch(fail);
    return true;
  };
  const fail = (error: unknown) => {
    ctx.log.warn({ endpointId: lease.id, error: describeError(error) }, "a webhook endpoint could not be served");
    lose();
  };

  const serve = async () => {
    try {
      while (await step());
      await saveNext();
      if (lost.signal.aborted) return;
      await releaseEndpoint(on, lease, { now: ctx.now(), restUntil: streak && restUntil() });
      if (hasFailed) await endWaiting(ctx, lease.id, mostWaiting);
    } catch (error) {
      fail(error);
    }
  };
  return {
    lease,
    done: serve(),
    nudge,
    lose,
    doubt: () => {
      doubts += 1;
      checkedAt = Number.NEGATIVE_INFINITY;
      if (pending.underWay().length > 0) check().catch(fail);
    },
    drain: () => {
      draining = true;
      nudge();
    },
    stop: () => {
      for (const { stop } of pending.underWay()) stop.abort();
    },
  };
}
