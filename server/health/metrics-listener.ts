import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { collectDefaultMetrics, type Metric, Registry } from "prom-client";
import type { Context } from "#server/context";
import { openStreams } from "#server/events/accept-stream";
import { waitingCalls } from "#server/events/wait-for-events";
import { version } from "#server/platform/env";
import { describeError } from "#server/platform/errors";
import type { GaugeFamily } from "#server/platform/metric-families";
import { listen } from "#server/platform/process";
import { secondMs } from "#server/platform/time";
import { type Health, readHealth } from "./read-health";

/** Prometheus asks every few seconds, and needs no more than this. */
const limits = {
  maxHeaderSize: 8_192,
  headersTimeout: 5_000,
  requestTimeout: 5_000,
  keepAliveTimeout: 65_000,
};
const mostConnections = 20;

/**
 * Opens the listener on which this process tells operators what it measures (`/metrics`) and how its parts are (`/health`), where
 * METRICS_PORT names one. It is open until the process ends, so that a drain can be watched.
 * @throws WrongSetting where it cannot listen there
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

/** The same, before it listens. */
export function createMetricsListener(ctx: Context): Server {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  // A family of ours is to a registry what one of its own classes is: it asks for the name, and `get` for the values.
  for (const family of Object.values(ctx.metrics))
    registry.registerMetric(family as unknown as Metric);

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

/** Sets what is not counted as it happens but looked at when somebody asks. What is not known now is not told. */
async function readGauges(ctx: Context): Promise<void> {
  const { metrics } = ctx;
  const health = await readHealth(ctx);
  metrics.build.set(1, version);
  metrics.ready.set(health.status === "ready" ? 1 : 0);
  metrics.databaseUp.set(health.database.status === "ok" ? 1 : 0);
  metrics.limiterShared.set(health.limiter.shared ? 1 : 0);
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
  metrics.hintsFailed.set(ctx.database.hints.failed());
  setKnown(metrics.notifyQueue, health.hints.queue);
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
  for (const [pool, { size, inUse, waiting, refused, deadlines }] of Object.entries(
    database.pools(),
  )) {
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
    if (lastDone)
      metrics.jobLag.set(Math.max(0, (now().getTime() - lastDone.getTime()) / secondMs), name);
  }
}
