import type { Context } from "#server/context";
import { describeError } from "#server/platform/errors";
import { secondMs } from "#server/platform/time";
import { attemptMessage, loadMessages } from "./attempt-message";
import { endWaiting, mostWaiting } from "./backlog";
import type { WebhookEndpoint } from "./endpoint";
import { createHeldEndpoint, type HeldEndpoint } from "./held-endpoint";
import { bounds, type Lease, releaseEndpoint } from "./lease-store";
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

/** Then other endpoints of the application, and at the host, have their turn. */
const longestTurnMs = 10 * secondMs;
/** An event that was sent to some of its players is sent to the others first, for as long as this. */
const mostTurnMs = 60 * secondMs;

export function serveEndpoint(
  ctx: Context,
  { lease, slots }: { readonly lease: Lease; readonly slots: Slots },
): Worker {
  const held = createHeldEndpoint(ctx, lease);
  const bell = createBell();
  held.lost.addEventListener("abort", bell.ring, { once: true });
  const beginning = performance.now();
  const turn = { isOver: false };
  const fail = (error: unknown) => {
    ctx.log.warn(
      { endpointId: lease.id, error: describeError(error) },
      "a webhook endpoint could not be served",
    );
    held.lose();
  };

  const begin = async (endpoint: WebhookEndpoint) => {
    const release = await slots.take(endpoint.clientId, held.lost);
    if (!release) return;
    // The endpoint's state may have changed while the permit was waited for.
    await held.check().catch(fail);
    const message = held.pending.next();
    if (!message || held.lost.aborted || turn.isOver || held.pending.isBusy(message))
      return release();
    attemptMessage(ctx, held, { endpoint, inFlight: held.pending.begin(message) })
      .finally(() => {
        release();
        bell.ring();
      })
      .then(held.save)
      .catch(fail);
  };
  /** Begins the next attempt, or waits for what stands in its way. @returns whether there is anything left to do */
  const step = async (): Promise<boolean> => {
    const change = bell.next();
    await held.check();
    const endpoint = held.endpoint();
    if (!endpoint || held.lost.aborted) return false;
    const spent = performance.now() - beginning;
    const isLong = spent > longestTurnMs && (held.pending.isBetweenEvents() || spent > mostTurnMs);
    turn.isOver ||= held.isUnwanted() || isLong;
    const next = turn.isOver ? "none" : await nextStep(ctx, held, endpoint);
    if (next === "begin") await begin(endpoint);
    else if (next !== "look again") {
      if (held.pending.underWay().length === 0) return false;
      await change;
    }
    return true;
  };
  const serve = async () => {
    try {
      while (await step());
      await held.save();
      if (held.lost.aborted) return;
      const { query } = ctx.database.background;
      await releaseEndpoint(query, lease, { now: ctx.now(), restUntil: held.restUntil() });
      if (held.hasFailed()) await endWaiting(ctx, lease.id, mostWaiting);
    } catch (error) {
      fail(error);
    }
  };
  return {
    ...{ lease, done: serve(), nudge: bell.ring, lose: held.lose },
    doubt: () => {
      held.doubt();
      if (held.pending.underWay().length > 0) held.check().catch(fail);
    },
    drain: () => {
      turn.isOver = true;
      bell.ring();
    },
    stop: () => {
      for (const { stop } of held.pending.underWay()) stop.abort();
    },
  };
}

/** The next step of a worker whose turn is not over. "none": it waits for what is under way, and ends where nothing is. */
async function nextStep(
  ctx: Context,
  held: HeldEndpoint,
  endpoint: WebhookEndpoint,
): Promise<"begin" | "look again" | "none"> {
  const { pending } = held;
  const next = pending.next();
  if (next) return !pending.isBusy(next) && (await held.mayBegin()) ? "begin" : "none";
  if (pending.underWay().length >= bounds.endpoint) return "none";
  const more = await loadMessages(ctx, held, endpoint);
  return more || pending.next() ? "look again" : "none";
}

/** Something to wait for that happens again and again. */
function createBell() {
  let [ring, rung] = makeRing();
  return {
    /** Resolves with the next ring. */
    next: () => rung,
    ring: () => {
      const wake = ring;
      [ring, rung] = makeRing();
      wake();
    },
  };
}

function makeRing(): [ring: () => void, rung: Promise<void>] {
  let ring = () => {};
  const rung = new Promise<void>((resolve) => {
    ring = resolve;
  });
  return [ring, rung];
}
