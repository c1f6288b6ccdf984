import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeStream } from "node:stream/web";
import { z } from "zod";
import { collectLimited } from "#server/platform/limited-text";
import type { Simulator } from "./simulator";

const maxControlBytes = 64 * 1024;

const camelCase = (kebab: string) =>
  kebab.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

export const verbNames = (simulator: Simulator) =>
  Object.keys(simulator.control).map((name) =>
    name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  );

function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return "The input is wrong.";
  return error.name === "ZodError" ? z.prettifyError(error as z.ZodError) : error.message;
}

/** `POST /__sim/<verb>` with the verb's input as JSON. */
async function runVerb(
  simulator: Simulator,
  message: IncomingMessage,
  path: string,
): Promise<[number, unknown]> {
  const name = camelCase(path.slice("/__sim/".length));
  if (!Object.hasOwn(simulator.control, name))
    return [404, { error: "No such verb.", verbs: verbNames(simulator) }];
  if (message.method !== "POST") return [405, { error: "Verbs are posted." }];
  // A web page can post forms to a loopback port, but not JSON.
  if (!message.headers["content-type"]?.startsWith("application/json"))
    return [415, { error: "The body is JSON." }];
  // The verb parses its input itself.
  const run = simulator.control[name as keyof Simulator["control"]] as (given: never) => unknown;
  try {
    const body = await collectLimited(message, maxControlBytes);
    if (!body) throw new Error("The body is too large.");
    const given = body.length === 0 ? {} : JSON.parse(body.toString("utf8"));
    return [200, { ok: true, result: run(given as never) ?? null }];
  } catch (error) {
    return [400, { error: sentenceOf(error) }];
  }
}

async function answer(
  simulator: Simulator,
  message: IncomingMessage,
  reply: ServerResponse,
): Promise<void> {
  const path = message.url ?? "/";
  if (path.startsWith("/__sim/")) {
    const [status, body] = await runVerb(simulator, message, path);
    reply
      .writeHead(status, { "content-type": "application/json" })
      .end(`${JSON.stringify(body)}\n`);
    return;
  }
  const gone = new AbortController();
  reply.once("close", () => gone.abort());
  const headers = new Headers();
  if (message.headers.authorization) headers.set("authorization", message.headers.authorization);
  // Links of a paged answer use the host that the caller used.
  const request = new Request(
    new URL(`http://${message.headers.host ?? "simulator.invalid"}${path}`),
    {
      method: message.method,
      headers,
      signal: gone.signal,
    },
  );
  const response = await simulator.fetch(request, {
    address: message.socket.remoteAddress ?? "unknown",
  });
  reply.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body) await pipeline(Readable.fromWeb(response.body as NodeStream), reply);
  else reply.end();
}

/** Control verbs are under `/__sim`. Bind it to the loopback address only. */
export function createSimulatorServer(simulator: Simulator): Server {
  return createServer((message, reply) => {
    // A fault dropped the call, so the socket is cut without an answer.
    answer(simulator, message, reply).catch(() => message.socket.destroy());
  });
}
