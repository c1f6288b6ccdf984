import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import type { PoolState } from "#db/connections";
import type { Context } from "#server/context";
import { version } from "#server/platform/env";
import { serializeError } from "#server/platform/errors";
import { listen } from "#server/platform/process";
import { secondMs } from "#server/platform/time";
import { type Health, readHealth } from "./read-health";

const limits = {
  maxHeaderSize: 8_192,
  headersTimeout: 5_000,
  requestTimeout: 5_000,
  keepAliveTimeout: 65_000,
};
const mostConnections = 20;

/** Stays open until the process ends, so that a drain can be observed. @throws WrongSetting */
export async function openMetricsListener(ctx: Context): Promise<Server | undefined> {
  const { metrics } = ctx.settings;
  if (!metrics) return undefined;
  const server = createMetricsListener(ctx);
  await listen(server, { ...metrics, settings: { port: "METRICS_PORT", host: "METRICS_HOST" } });
  ctx.log.info(metrics, "metrics are told here");
  server.unref();
  return server;
}

export function createMetricsListener(ctx: Context): Server {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const metric of Object.values(ctx.metrics)) registry.registerMetric(metric);
  const update = registerReadings(registry);

  async function answer({ method, url = "" }: IncomingMessage, response: ServerResponse) {
    const [path] = url.split("?", 1);
    if (path !== "/metrics" && path !== "/health")
      return end(response, { status: 404, text: "There are /metrics and /health here.\n" });
    if (method !== "GET") {
      response.setHeader("allow", "GET");
      return end(response, { status: 405, text: "The method must be GET.\n" });
    }
    const health = await readHealth(ctx);
    if (path === "/health")
      return end(response, { type: "application/json", text: JSON.stringify(health, null, 2) });
    update(ctx, health);
    end(response, { type: registry.contentType, text: await registry.metrics() });
  }
  const server = createServer(limits, (request, response) => {
    answer(request, response).catch((error: unknown) => {
      ctx.log.error({ error: serializeError(error) }, "metrics could not be told");
      if (response.headersSent) response.destroy();
      else end(response, { status: 500, text: "Something went wrong; the log says what.\n" });
    });
  });
  server.maxConnections = mostConnections;
  return server;
}

interface Said {
  readonly status?: number;
  readonly type?: string;
  readonly text: string;
}

const end = (
  response: ServerResponse,
  { status = 200, type = "text/plain; charset=utf-8", text }: Said,
): void =>
  void response
    .writeHead(status, {
      "content-type": type,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    })
    .end(text);

interface Reading {
  readonly name: string;
  readonly help: string;
  readonly label?: string;
  /** Null and undefined are omitted. */
  readonly read: (
    health: Health,
    ctx: Context,
  ) => number | null | undefined | readonly (readonly [label: string, value: number])[];
}

const ofPools =
  (value: (pool: PoolState) => number): Reading["read"] =>
  (_health, { database }) =>
    Object.entries(database.pools()).map(([name, pool]) => [name, value(pool)]);

export const metricReadings: readonly Reading[] = [
  {
    name: "adjutant_ready",
    help: "1 where the process wants requests.",
    read: ({ status }) => Number(status === "ready"),
  },
  {
    name: "adjutant_build_info",
    help: "Always 1; the label says the version.",
    label: "version",
    read: () => [[version, 1]],
  },
  {
    name: "adjutant_database_up",
    help: "1 where the database answered the last look.",
    read: ({ database }) => Number(database.status === "ok"),
  },
  {
    name: "adjutant_limiter_shared",
    help: "1 where all processes count together now.",
    read: ({ limiter }) => Number(limiter.shared),
  },
  {
    name: "adjutant_other_instances",
    help: "Other processes on the same database that were seen in the last seconds.",
    read: (_health, ctx) => ctx.presence.others(),
  },
  {
    name: "adjutant_event_subscribers",
    help: "Open streams of events, and calls that wait for one, in this process.",
    label: "kind",
    read: (_health, ctx) => [
      ["streams", ctx.events.feed.places.streams.size()],
      ["calls", ctx.events.feed.places.waits.size()],
    ],
  },
  {
    name: "adjutant_game_breaker",
    help: "1 for the state that the breaker is in: closed, open, half-open.",
    label: "state",
    read: ({ game }) =>
      ["closed", "open", "half-open"].map((state) => [state, Number(game.breaker === state)]),
  },
  {
    name: "adjutant_game_calls_left",
    help: "Calls that all processes together may still make within the last 60 seconds' limit (GAME_CALLS).",
    read: ({ game }) => game.callsLeft,
  },
  {
    name: "adjutant_game_owners_spent",
    help: "Players with whose keys nothing can be asked now.",
    read: ({ game }) => game.budgets?.spent,
  },
  {
    name: "adjutant_job_late",
    help: "1 where the last three slots of a job passed without a run that ended well, in any process.",
    label: "job_name",
    read: ({ jobs }) => jobs.map(({ name, status }) => [name, Number(status === "late")]),
  },
  {
    name: "adjutant_job_lag_seconds",
    help: "Seconds since a run of the job ended well, in any process.",
    label: "job_name",
    read: ({ jobs }, { now }) =>
      jobs.flatMap(({ name, lastDone }) =>
        lastDone ? [[name, Math.max(0, now().getTime() - lastDone.getTime()) / secondMs]] : [],
      ),
  },
  {
    name: "adjutant_job_backlog_items",
    help: "Items that the last run of the job left to the next ones.",
    label: "job_name",
    read: ({ jobs }) => jobs.map(({ name, backlog }) => [name, backlog.items]),
  },
  {
    name: "adjutant_sweeper_backlog_rows",
    help: "Expired rows that the sweeper has not come to; counted up to 10,000 a table.",
    read: ({ backlog }) => backlog?.rows,
  },
  {
    name: "adjutant_notify_queue_ratio",
    help: "The part of the database's NOTIFY queue that is in use, from 0 to 1.",
    read: ({ hints }) => hints.queue,
  },
  {
    name: "adjutant_hints_failed_total",
    help: "Messages to other processes (NOTIFY) that the database refused.",
    read: (_health, { database }) => database.hints.failed(),
  },
  {
    name: "adjutant_database_pool_connections_max",
    help: "Connections that a pool may open.",
    label: "pool",
    read: ofPools(({ size }) => size),
  },
  {
    name: "adjutant_database_pool_connections_in_use",
    help: "Connections of a pool with something under way.",
    label: "pool",
    read: ofPools(({ inUse }) => inUse),
  },
  {
    name: "adjutant_database_pool_waiting",
    help: "Statements and transactions that wait for a connection.",
    label: "pool",
    read: ofPools(({ waiting }) => waiting),
  },
  {
    name: "adjutant_database_pool_refused_total",
    help: "Statements and transactions that were sent away because no connection was free in time.",
    label: "pool",
    read: ofPools(({ refused }) => refused),
  },
  {
    name: "adjutant_database_pool_deadlines_total",
    help: "Connections that were destroyed because the database let a deadline pass.",
    label: "pool",
    read: ofPools(({ deadlines }) => deadlines),
  },
  {
    name: "adjutant_log_partitions_ahead_seconds",
    help: "For how long from now on a log has partitions.",
    label: "table",
    read: ({ logs }) => logs.map(({ table, aheadSeconds }) => [table, aheadSeconds]),
  },
  {
    name: "adjutant_log_stray_rows",
    help: "Rows of an hour that a log has no partition for but the default one; counted up to 10,000.",
    label: "table",
    read: ({ logs }) => logs.map(({ table, strays }) => [table, strays]),
  },
  {
    name: "adjutant_event_inbox_events",
    help: "Events that have happened and have no number yet; counted up to 10,000.",
    read: ({ events }) => events.inbox?.events,
  },
  {
    name: "adjutant_event_inbox_lag_seconds",
    help: "How long the oldest of them waits.",
    read: ({ events }) => events.inbox?.lagSeconds,
  },
  {
    name: "adjutant_webhook_messages_waiting",
    help: "Messages that wait for endpoints that are switched on.",
    read: ({ webhooks }) => webhooks?.messages,
  },
  {
    name: "adjutant_webhook_lag_seconds",
    help: "For how long the endpoint that is due longest has been due. Retries of an endpoint that fails are due later.",
    read: ({ webhooks }) => webhooks?.lagSeconds,
  },
  {
    name: "adjutant_webhook_endpoints_failing",
    help: "Endpoints that are switched on and answered the last attempt with a failure.",
    read: ({ webhooks }) => webhooks?.failing,
  },
  {
    name: "adjutant_chat_messages",
    help: "Messages that are not in the chat: waiting, or refused for good.",
    label: "state",
    read: ({ chat: { messages } }) =>
      messages && [
        ["waiting", messages.waiting],
        ["given-up", messages.givenUp],
      ],
  },
];

function registerReadings(registry: Registry): (ctx: Context, health: Health) => void {
  const registered = metricReadings.map(({ name, help, label, read }) => {
    const Metric = name.endsWith("_total") ? Counter : Gauge;
    const labelNames = label === undefined ? [] : [label];
    return { metric: new Metric({ name, help, labelNames, registers: [registry] }), label, read };
  });
  return (ctx, health) => {
    for (const { metric, label, read } of registered) {
      metric.reset();
      // A reset leaves a metric without labels at 0, so it is removed.
      if (label === undefined) metric.remove();
      const found = read(health, ctx) ?? [];
      if (typeof found === "number") metric.inc(found);
      else for (const [name, value] of found) metric.inc({ [label ?? ""]: name }, value);
    }
  };
}
