import { setTimeout as wait } from "node:timers/promises";
import DataLoader from "dataloader";
import type { Context } from "#server/context";
import { eventChannel } from "#server/event-log/sequencer";
import { revocationChannel } from "#server/oauth/tokens/authenticate";
import { serializeError } from "#server/platform/errors";
import { secondMs } from "#server/platform/time";
import { singleFlight } from "#server/platform/ttl-cache";
import { createWakeLoop } from "#server/work/wake-loop";
import { createWorker } from "#server/work/worker";
import { type Attempt, unsignedAttempt } from "./attempt";
import { claimDeliveries, processConcurrency } from "./claim-store";
import { type Delivery, deliveryWorkTable } from "./delivery-store";
import type { WebhookEndpoint } from "./endpoint";
import { listSendingEndpoints, markSlow } from "./endpoint-store";
import { fanOut, readVisibleBodies } from "./fan-out";
import { judgeAttempt } from "./retry";
import { type DeliveryResult, saveResults, slowMs } from "./save-results";
import { isSecretLost, openSecrets, signWebhook } from "./signature";

export type Deliverer = ReturnType<typeof createDeliverer>;

interface Sending extends Delivery {
  readonly lane: Lane;
  readonly stop: AbortController;
  begunAt: number | undefined;
  endpoint: WebhookEndpoint | undefined;
  checkedAt: number;
  withdrawn: boolean;
  /** Another process may own the delivery, so no result is written. */
  lost: boolean;
}

/** A consent check is trusted this long, so that sending ends within a second of the consent. */
const believedMs = secondMs / 2;
const lookMs = secondMs;

export function createDeliverer(ctx: Context) {
  const { query: on, transaction } = ctx.database.background;
  let stopped = false;
  let doubts = 0;

  const ask = async () => {
    const [asked, start, doubtsThen] = [worker.held(), performance.now(), doubts];
    const endpoints = await listSendingEndpoints(on, endpointsOf(asked));
    const mine = asked.flatMap((item) => {
      const endpoint = endpoints.get(item.endpointId);
      // An attempt stops if the endpoint's generation changes.
      const isSame = !item.endpoint || item.endpoint.generation === endpoint?.generation;
      if (endpoint && isSame) return [{ item, endpoint }];
      item.stop.abort();
      return [];
    });
    const bodies = await readVisibleBodies(
      ctx,
      on,
      mine.map(({ item, endpoint: { clientId, accountId } }) => ({ ...item, clientId, accountId })),
    );
    for (const { item, endpoint } of mine) {
      const body = bodies.get(item.id);
      item.endpoint = endpoint;
      item.body = body ?? item.body;
      item.withdrawn = body === undefined;
      if (item.withdrawn) item.stop.abort();
      // A doubt during the read only makes the next check read again, so that frequent doubts do
      // not stop all sending.
      item.checkedAt = doubts === doubtsThen ? start : start - believedMs;
    }
  };
  const askOnce = singleFlight(ask);
  const check = async (item: Sending) => {
    const isOlder = (most: number) =>
      !item.stop.signal.aborted && performance.now() - item.checkedAt >= most;
    if (!isOlder(believedMs)) return;
    // A read is repeated if it took longer than its result is trusted.
    do await askOnce();
    while (isOlder(2 * believedMs));
  };
  /** Makes the next send check again, because a consent or endpoint may have changed. */
  const doubt = () => {
    doubts += 1;
    const sending = worker.held();
    for (const item of sending) item.checkedAt = Number.NEGATIVE_INFINITY;
    // A failed read is ignored, because the next check reads again.
    if (sending.length > 0)
      askOnce()
        .then(askOnce)
        .catch(() => {});
  };

  /** @returns undefined if the consent or the endpoint has ended */
  const request = async (item: Sending): Promise<Attempt | undefined> => {
    const { endpoint, body, stop, messageId: id } = item;
    if (stop.signal.aborted || !endpoint || body === null) return undefined;
    if (isSecretLost(ctx, endpoint)) return unsignedAttempt;
    return ctx.outgoing.send({
      url: endpoint.url,
      body,
      signal: stop.signal,
      headers: async () => {
        await check(item);
        const now = ctx.now();
        const secrets = openSecrets(ctx, item.endpoint ?? endpoint, now);
        return signWebhook({ id, body, version: endpoint.version }, now, secrets);
      },
    });
  };
  const attempt = async (item: Sending): Promise<DeliveryResult> => {
    await check(item);
    // The clock starts after the check, so that a slow database does not make the receiver look
    // slow.
    item.begunAt = performance.now();
    const begun = ctx.now();
    const answer = await request(item);
    // An answered message counts as sent, even if its consent ended meanwhile.
    const withdrawn = item.withdrawn && !(answer && "status" in answer);
    return { delivery: item, begun, answer, generation: item.endpoint?.generation, withdrawn };
  };
  const attemptInTurn = async (item: Sending): Promise<DeliveryResult> => {
    const { lane, playerId } = item;
    if (!(await lane.turn(playerId))) {
      const unsent = { delivery: item, begun: ctx.now(), withdrawn: item.withdrawn };
      return { ...unsent, answer: undefined, generation: undefined };
    }
    let goesOn = false;
    try {
      const result = await attempt(item);
      goesOn = result.withdrawn || isAccepted(result, ctx.now());
      return result;
    } finally {
      lane.done(playerId, goesOn);
    }
  };
  let writing: Promise<unknown> = Promise.resolve();
  /** Batches results that arrive during a write into the next write. */
  const saved = new DataLoader(
    async (results: readonly DeliveryResult[]) => {
      const written = transaction((tx) => saveResults(ctx, tx, results));
      writing = written.catch(() => {});
      for (const outcome of await written) ctx.metrics.webhookAttempts.labels(outcome).inc();
      return results.map(() => true);
    },
    { cache: false, batchScheduleFn: (write) => void writing.then(write) },
  );
  /** Retries during a database outage, as long as this process holds the lease. */
  const keepSaving = async (item: Sending, result: DeliveryResult) => {
    while (!item.lost)
      try {
        return await saved.load(result);
      } catch (error) {
        ctx.log.warn({ error: serializeError(error) }, "results of webhooks could not be written");
        if (stopped) return;
        await wait(lookMs);
      }
  };

  /** Marks slow endpoints before their requests end, so that all processes count them as slow. */
  const markLate = (sending: readonly Sending[]) => {
    const late = sending.filter((item) => item.endpoint?.slow === false && isSlow(item));
    for (const item of late) if (item.endpoint) item.endpoint = { ...item.endpoint, slow: true };
    // A failed write is repeated, because the next check reads `slow` as false.
    markSlow(on, endpointsOf(late)).catch(() => {});
  };
  const worker = createWorker<Sending>(ctx, {
    name: "webhooks",
    table: deliveryWorkTable,
    claim: async (sending) => {
      markLate(sending);
      const claim = { now: ctx.now(), room: roomBeside(sending), held: sending.length };
      const { claimed, dueAt } = await claimDeliveries({ query: on, transaction }, claim);
      const items = claimed.flatMap(({ deliveries, requests }) => {
        const lane = createLane(requests);
        return deliveries.map((delivery) => sendingOf(delivery, lane));
      });
      return { items, dueAt };
    },
    perform: async (item) => {
      await keepSaving(item, await attemptInTurn(item));
    },
    // An endpoint is claimed again when its lane is empty.
    frees: ({ lane }): boolean => !worker.held().some((other) => other.lane === lane),
    lose: (item) => {
      item.lost = true;
      item.stop.abort();
    },
    stop: (item) => item.stop.abort(),
  });

  let fanned = 0;
  const fan = createWakeLoop({
    run: async () => {
      fanned = await fanOut(ctx);
      if (fanned > 0) worker.wake();
    },
    onFailure: (error) =>
      ctx.log.warn({ error: serializeError(error) }, "events could not be put up for webhooks"),
  });
  const wake = () => {
    worker.wake();
    fan.wake();
  };
  return {
    wake,
    start: async () => {
      fan.wakeEvery(lookMs);
      worker.start();
      const listening = [
        ctx.database.listen(eventChannel, wake, wake),
        ctx.database.listen(revocationChannel, doubt, doubt),
      ];
      fan.wake();
      await Promise.all(listening);
    },
    /** Resolves when nothing is due or in flight in this process. */
    run: async () => {
      do {
        await fan.run();
        await worker.run();
      } while (fanned > 0);
    },
    /** @param grace milliseconds for requests in flight */
    stop: async (grace: number) => {
      stopped = true;
      fan.stop();
      for (const { lane } of worker.held()) lane.close();
      await worker.stop(grace);
    },
  };
}

const endpointsOf = (sending: readonly Sending[]): string[] => [
  ...new Set(sending.map(({ endpointId }) => endpointId)),
];

const sendingOf = (delivery: Delivery, lane: Lane): Sending => ({
  ...delivery,
  lane,
  stop: new AbortController(),
  begunAt: undefined,
  endpoint: undefined,
  checkedAt: Number.NEGATIVE_INFINITY,
  withdrawn: false,
  lost: false,
});

const isAccepted = ({ answer }: DeliveryResult, now: Date): boolean => {
  const verdict = answer && judgeAttempt(answer, now);
  return verdict?.message === "delivered" && !verdict.disable;
};

const isSlow = ({ endpoint, begunAt }: Sending): boolean =>
  begunAt !== undefined && (endpoint?.slow === true || performance.now() - begunAt > slowMs);

function roomBeside(sending: readonly Sending[]): { fast: number; slow: number } {
  const requestsIn = (items: readonly Sending[]) =>
    [...new Set(items.map(({ lane }) => lane))].reduce((sum, { requests }) => sum + requests, 0);
  const [all, slow] = [requestsIn(sending), requestsIn(sending.filter(isSlow))];
  return {
    fast: Math.min(processConcurrency.fast - (all - slow), processConcurrency.all - all),
    slow: Math.min(processConcurrency.slow - slow, processConcurrency.all - all),
  };
}

/** The rest of a claim is returned after this time, so that other endpoints get a turn. */
const longestMs = 2 * secondMs;

type Lane = ReturnType<typeof createLane>;

/** Runs the deliveries of a claim in order: a limited number at once, one per player. */
function createLane(requests: number) {
  const waiting: { playerId: number | null; begin: (isOpen: boolean) => void }[] = [];
  const players = new Set<number>();
  let [isOpen, underWay] = [true, 0];
  const go = () => {
    for (let [first] = waiting; first; [first] = waiting) {
      const { playerId, begin } = first;
      const isBusy = underWay >= requests || (playerId !== null && players.has(playerId));
      if (isOpen && isBusy) return;
      waiting.shift();
      if (isOpen) underWay += 1;
      if (isOpen && playerId !== null) players.add(playerId);
      begin(isOpen);
    }
  };
  const close = () => {
    isOpen = false;
    go();
  };
  setTimeout(close, longestMs).unref();
  return {
    requests,
    /**
     * Resolves at the delivery's turn, with false if the lane is closed. Call it in delivery order.
     */
    turn: (playerId: number | null) =>
      new Promise<boolean>((begin) => {
        waiting.push({ playerId, begin });
        go();
      }),
    /** @param goesOn false closes the lane */
    done: (playerId: number | null, goesOn: boolean) => {
      underWay -= 1;
      if (playerId !== null) players.delete(playerId);
      isOpen &&= goesOn;
      go();
    },
    close,
  };
}
