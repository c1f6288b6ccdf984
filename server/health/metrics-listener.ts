import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { collectDefaultMetrics, type Gauge, Registry } from "prom-client";
import type { Context } from "#server/context";
import { openStreams } from "#server/events/accept-stream";
import { waitingCalls } from "#server/events/wait-for-events";
import { version } from "#server/platform/env";
import { describeError } from "#server/platform/errors";
import { listen } from "#server/platform/process";
import { secondMs } from "#server/platform/time";
import { type Health, readHealth } from "./read-health";

/** Prometheus polls every few seconds and needs no more. */
const limits = {
  maxHeaderSize: 8_192,
  headersTimeout: 5_000,
  requestTimeout: 5_000,
  keepAliveTimeout: 65_000,
};
const mostConnections = 20;

/**
 * Serves `/metrics` and `/health` for operators on METRICS_PORT, if set. Stays open until the
 * process ends, so that a drain can be observed.
 * @throws WrongSetting if it cannot listen
 */
export async function openMetricsListener(ctx: Context): Promise<Server | undefined> {
  const { metrics } = ctx.settings;
  if (!metrics) return undefined;
  const server = createMetricsListener(ctx);
  await listen(server, { ...metrics, settings: { port: "METRICS_PORT", host: "METRICS_HOST" } });
  ctx.log.info(metrics, "metrics are told here");
  server.unref();
  return server;
}

/** Without listening. */
export function createMetricsListener(ctx: Context): Server {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const metric of Object.values(ctx.metrics)) registry.registerMetric(metric);

  const documents: ReadonlyMap<string, Document> = new Map([
    [
      "/metrics",
      { type: registry.contentType, read: () => readGauges(ctx).then(() => registry.metrics()) },
    ],
    [
      "/health",
      {
        type: "application/json",
        read: async () => JSON.stringify(await readHealth(ctx), null, 2),
      },
    ],
  ]);
  const server = createServer(limits, (request, response) => {
    answer(documents, request, response).catch((error: unknown) => {
      ctx.log.error({ error: describeError(error) }, "metrics could not be told");
      if (response.headersSent) response.destroy();
      else end(response, 500, { text: "Something went wrong; the log says what.\n" });
    });
  });
  server.maxConnections = mostConnections;
  return server;
}

interface Document {
  readonly type: string;
  readonly read: () => Promise<string>;
}

async function answer(
  documents: ReadonlyMap<string, Document>,
  { method, url = "" }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const document = documents.get(url.split("?", 1)[0] ?? "");
  if (!document)
    return end(response, 404, { text: `There are ${[...documents.keys()].join(" and ")} here.\n` });
  if (method !== "GET")
    return end(response, 405, { text: "The method must be GET.\n", headers: { allow: "GET" } });
  end(response, 200, { text: await document.read(), headers: { "content-type": document.type } });
}

interface Said {
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function end(response: ServerResponse, status: number, { text, headers }: Said): void {
  response
    .writeHead(status, {
      "content-type": "text/plain; charset=utf-8",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      ...headers,
    })
    .end(text);
}

/** Sets the values that are read on demand. Unknown values are omitted. */
async function readGauges(ctx: Context): Promise<void> {
  const { metrics } = ctx;
  const health = await readHealth(ctx);
  metrics.build.labels(version).set(1);
  metrics.ready.set(health.status === "ready" ? 1 : 0);
  metrics.databaseUp.set(health.database.status === "ok" ? 1 : 0);
  metrics.limiterShared.set(health.limiter.shared ? 1 : 0);
  metrics.otherInstances.set(ctx.presence.others());
  metrics.eventSubscribers.labels("streams").set(openStreams(ctx));
  metrics.eventSubscribers.labels("calls").set(waitingCalls(ctx));
  for (const state of ["closed", "open", "half-open"])
    metrics.gameBreaker.labels(state).set(health.game.breaker === state ? 1 : 0);
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
  metrics.hintsFailed.reset();
  metrics.hintsFailed.inc(ctx.database.hints.failed());
  setKnown(metrics.notifyQueue, health.hints.queue);
  readJobs(ctx, health);
}

function setKnown(gauge: Gauge, value: number | null | undefined): void {
  if (value === null || value === undefined) gauge.remove();
  else gauge.set(value);
}

function readLogs({ metrics: { logPartitionsAhead, logStrays } }: Context, { logs }: Health): void {
  for (const gauge of [logPartitionsAhead, logStrays]) gauge.reset();
  for (const { table, aheadSeconds, strays } of logs) {
    logPartitionsAhead.labels(table).set(aheadSeconds);
    logStrays.labels(table).set(strays);
  }
}

function readChat({ metrics: { chatMessages } }: Context, { chat: { messages } }: Health): void {
  chatMessages.reset();
  if (!messages) return;
  chatMessages.labels("waiting").set(messages.waiting);
  chatMessages.labels("given-up").set(messages.givenUp);
}

function readPools({ metrics, database }: Context): void {
  for (const counter of [metrics.poolRefused, metrics.poolDeadlines]) counter.reset();
  for (const [pool, { size, inUse, waiting, refused, deadlines }] of Object.entries(
    database.pools(),
  )) {
    metrics.poolSize.labels(pool).set(size);
    metrics.poolInUse.labels(pool).set(inUse);
    metrics.poolWaiting.labels(pool).set(waiting);
    metrics.poolRefused.labels(pool).inc(refused);
    metrics.poolDeadlines.labels(pool).inc(deadlines);
  }
}

function readJobs({ metrics, now }: Context, { jobs }: Health): void {
  for (const gauge of [metrics.jobLate, metrics.jobLag, metrics.jobBacklog]) gauge.reset();
  for (const { name, status, lastDone, backlog } of jobs) {
    metrics.jobLate.labels(name).set(status === "late" ? 1 : 0);
    metrics.jobBacklog.labels(name).set(backlog.items);
    if (lastDone)
      metrics.jobLag
        .labels(name)
        .set(Math.max(0, (now().getTime() - lastDone.getTime()) / secondMs));
  }
}
