import type { Context } from "#server/context";
import { eventChannel } from "#server/event-log/sequencer";
import { revocationChannel } from "#server/oauth/tokens/revocation-bus";
import { describeError } from "#server/platform/errors";
import { secondMs } from "#server/platform/time";
import { within } from "#server/platform/within";
import { countWaiting } from "./backlog";
import { claimEndpoints, extendLeases, type Lease } from "./lease-store";
import { serveEndpoint, type Worker } from "./serve-endpoint";
import { createSlots } from "./slots";

/** Sends events to webhook endpoints. Each process that runs jobs has one; of many each endpoint is served by one. */
export interface Deliverer {
  /** Looks by itself from now on: when the log goes on, and each second. */
  start(): Promise<void>;
  /** Says that there may be something to send. */
  wake(): void;
  /** Sends what is due; resolves when nothing is, and nothing is under way here. */
  run(): Promise<void>;
  /** Begins nothing more, and gives what is under way so many milliseconds. */
  stop(grace: number): Promise<void>;
}

const lookMs = secondMs;
/** A process that died keeps its endpoints for no longer. */
const leaseMs = 5 * secondMs;
/** Without a word of the database for so long a lease may have ended: what is under way is stopped before another begins it. */
const believedMs = 4 * secondMs;
const claimedAtOnce = 50;
const mostWorkers = 500;

export function createDeliverer(ctx: Context): Deliverer {
  const on = ctx.database.background.query;
  const owner = ctx.ids.uuid();
  const slots = createSlots();
  const workers = new Map<string, Worker>();
  let stopped = false;
  let wanted = false;
  let looking: Promise<void> | undefined;
  let extendedAt = performance.now();
  let timers: NodeJS.Timeout[] = [];

  const serve = (lease: Lease) => {
    const worker = serveEndpoint(ctx, { lease, slots });
    workers.set(lease.id, worker);
    void worker.done.then(() => {
      if (workers.get(lease.id) === worker) workers.delete(lease.id);
      wake();
    });
  };
  /** @returns whether anything was found */
  const look = async (): Promise<boolean> => {
    const more = await countWaiting(ctx);
    for (const worker of workers.values()) worker.nudge();
    const limit = Math.min(claimedAtOnce, mostWorkers - workers.size);
    if (limit <= 0 || stopped) return more;
    const now = ctx.now();
    const start = performance.now();
    const claimed = await claimEndpoints(ctx.database.background, {
      owner,
      now,
      until: new Date(now.getTime() + leaseMs),
      limit,
    });
    if (workers.size === 0) extendedAt = start;
    for (const lease of claimed) serve(lease);
    return more || claimed.length === limit;
  };
  const work = async () => {
    while (wanted && !stopped) {
      wanted = false;
      if (await look()) wanted = true;
    }
  };
  const wake = () => {
    wanted = true;
    if (looking || stopped) return;
    looking = work()
      .catch((error: unknown) => {
        // The next look finds it.
        ctx.log.warn({ error: describeError(error) }, "webhook endpoints could not be looked at");
      })
      .finally(() => {
        looking = undefined;
      });
  };
  const extend = async () => {
    const held = [...workers.values()];
    if (held.length === 0) return;
    const [start, now] = [performance.now(), ctx.now()];
    const leases = held.map(({ lease }) => lease);
    const ours = await extendLeases(on, leases, new Date(now.getTime() + leaseMs)).catch(
      () => undefined,
    );
    if (ours) {
      extendedAt = start;
      for (const worker of held) if (!ours.has(worker.lease.id)) worker.lose();
    }
  };
  const guard = () => {
    void extend();
    if (performance.now() - extendedAt < believedMs) return;
    for (const worker of workers.values()) worker.lose();
  };
  const doubt = () => {
    for (const worker of workers.values()) worker.doubt();
  };
  return {
    wake,
    start: async () => {
      timers = [setInterval(wake, lookMs).unref(), setInterval(guard, lookMs).unref()];
      // Each goes on trying by itself where the database is away.
      const listening = [
        ctx.database.listen(eventChannel, wake, wake),
        ctx.database.listen(revocationChannel, doubt, doubt),
      ];
      wake();
      await Promise.all(listening);
    },
    run: async () => {
      do {
        wake();
        await looking;
        await Promise.all([...workers.values()].map(({ done }) => done));
      } while (wanted || looking || workers.size > 0);
    },
    stop: async (grace) => {
      stopped = true;
      for (const worker of workers.values()) worker.drain();
      const idle = () => Promise.all([...workers.values()].map(({ done }) => done));
      await within(grace, idle()).catch(() => {});
      for (const worker of workers.values()) worker.stop();
      await within(lookMs, idle()).catch(() => {});
      for (const timer of timers) clearInterval(timer);
    },
  };
}
