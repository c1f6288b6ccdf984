import type { Context } from "#server/context";
import { openStreams } from "#server/events/accept-stream";
import { waitingCalls } from "#server/events/wait-for-events";
import { secondMs } from "#server/platform/durations";
import { version } from "#server/platform/env";
import type { GaugeFamily } from "#server/platform/metrics/families";
import { type Health, readHealth } from "./read-health";

/** Sets what is not counted as it happens but looked at when somebody asks. What is not known now is not told. */
export async function readGauges(ctx: Context): Promise<void> {
  const { metrics } = ctx;
  const health = await readHealth(ctx);
  metrics.build.set(1, version);
  metrics.ready.set(health.status === "ready" ? 1 : 0);
  metrics.databaseUp.set(health.database.status === "ok" ? 1 : 0);
  metrics.limiterShared.set(health.limiter.shared ? 1 : 0);
  metrics.pagesUp.set(health.pages?.status === "away" ? 0 : 1);
  metrics.otherInstances.set(ctx.presence.others());
  metrics.eventSubscribers.set(openStreams(ctx), "streams");
  metrics.eventSubscribers.set(waitingCalls(ctx), "calls");
  for (const state of ["closed", "open", "half-open"])
    metrics.gameBreaker.set(health.game.breaker === state ? 1 : 0, state);
  setKnown(metrics.gameCallsLeft, health.game.callsLeft);
  setKnown(metrics.gameOwnersSpent, health.game.budgets?.spent);
  setKnown(metrics.eventInbox, health.events.inbox?.events);
  setKnown(metrics.eventInboxLag, health.events.inbox?.lagSeconds);
  setKnown(metrics.webhooksWaiting, health.webhooks?.messages);
  setKnown(metrics.webhooksFailing, health.webhooks?.failing);
  setKnown(metrics.webhookLag, health.webhooks?.lagSeconds);
  setKnown(metrics.sweeperBacklog, health.backlog?.rows);
  readLogs(ctx, health);
  readChat(ctx, health);
  readPools(ctx);
  const { replica } = ctx.database;
  // Asked as a reader would: where nobody reads, nobody else looks at it.
  await replica?.upToDate().catch(() => {});
  setKnown(metrics.replicaUp, replica && Number(replica.status() === "used"));
  readJobs(ctx, health);
}

function setKnown(gauge: GaugeFamily<readonly []>, value: number | null | undefined): void {
  if (value === null || value === undefined) gauge.clear();
  else gauge.set(value);
}

function readLogs({ metrics: { logPartitionsAhead, logStrays } }: Context, { logs }: Health): void {
  for (const gauge of [logPartitionsAhead, logStrays]) gauge.clear();
  for (const { table, aheadSeconds, strays } of logs) {
    logPartitionsAhead.set(aheadSeconds, table);
    logStrays.set(strays, table);
  }
}

function readChat({ metrics: { chatMessages } }: Context, { chat: { messages } }: Health): void {
  chatMessages.clear();
  if (!messages) return;
  chatMessages.set(messages.waiting, "waiting");
  chatMessages.set(messages.givenUp, "given-up");
}

function readPools({ metrics, database }: Context): void {
  for (const [pool, { size, inUse, waiting, refused, deadlines }] of Object.entries(database.pools())) {
    metrics.poolSize.set(size, pool);
    metrics.poolInUse.set(inUse, pool);
    metrics.poolWaiting.set(waiting, pool);
    metrics.poolRefused.set(refused, pool);
    metrics.poolDeadlines.set(deadlines, pool);
  }
}

function readJobs({ metrics, now }: Context, { jobs }: Health): void {
  for (const gauge of [metrics.jobLate, metrics.jobLag, metrics.jobBacklog]) gauge.clear();
  for (const { name, status, lastDone, backlog } of jobs) {
    metrics.jobLate.set(status === "late" ? 1 : 0, name);
    metrics.jobBacklog.set(backlog.items, name);
    if (lastDone) metrics.jobLag.set(Math.max(0, (now().getTime() - lastDone.getTime()) / secondMs), name);
  }
}
