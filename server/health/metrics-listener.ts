import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { collectDefaultMetrics, Registry } from "prom-client";
import type { Context } from "#server/context";
import { describeError } from "#server/platform/errors";
import { listen } from "#server/platform/process";
import { readHealth } from "./read-health";
import { registerReadings } from "./readings";

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

export function createMetricsListener(ctx: Context): Server {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const metric of Object.values(ctx.metrics)) registry.registerMetric(metric);
  const readAnew = registerReadings(registry);

  const documents: ReadonlyMap<string, Document> = new Map([
    [
      "/metrics",
      { type: registry.contentType, read: () => readAnew(ctx).then(() => registry.metrics()) },
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
