import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { collectDefaultMetrics, type Metric, Registry } from "prom-client";
import type { Context } from "#server/context";
import { describeError } from "#server/platform/describe-error";
import { listen } from "#server/platform/listen";
import { readGauges } from "./read-gauges";
import { readHealth } from "./read-health";

/** Prometheus asks every few seconds, and needs no more than this. */
const limits = { maxHeaderSize: 8_192, headersTimeout: 5_000, requestTimeout: 5_000, keepAliveTimeout: 65_000 };
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
  for (const family of Object.values(ctx.metrics)) registry.registerMetric(family as unknown as Metric);

  const documents: ReadonlyMap<string, Document> = new Map([
    ["/metrics", { type: registry.contentType, read: () => readGauges(ctx).then(() => registry.metrics()) }],
    ["/health", { type: "application/json", read: async () => JSON.stringify(await readHealth(ctx), null, 2) }],
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
  if (!document) return end(response, 404, { text: `There are ${[...documents.keys()].join(" and ")} here.\n` });
  if (method !== "GET") return end(response, 405, { text: "The method must be GET.\n", headers: { allow: "GET" } });
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
