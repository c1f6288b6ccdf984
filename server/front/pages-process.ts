import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import {
  Agent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from "node:http";
import { pipeline } from "node:stream";
import type { Context } from "#server/context";
import { internalRequestHeader } from "#server/platform/peer-address";
import { startFault } from "#server/platform/start-fault";
import { minuteMs, secondMs } from "#server/platform/time";
import { within } from "#server/platform/within";
import type { PageHandler } from "./ask-pages";
import { pathnameOf, refusePage } from "./refuse";

/** The process that renders pages. */
export interface PagesProcess {
  readonly handle: PageHandler;
  /** Ends it once it has answered what it was asked. */
  end(): Promise<void>;
}

const restarting = {
  status: 503,
  retryAfter: 5,
  why: "Adjutant's pages are being started again.",
} as const;

/** Milliseconds until it is started again; longer each time, until it has lived for a minute. */
const firstRetry = 100;
const longestRetry = 30 * secondMs;
const longestEnd = 5 * secondMs;
/** It is asked each second whether it lives. Questions are counted, not seconds: after a pause of the whole machine only one is unanswered. */
const mostUnanswered = 10;

/**
 * Starts the process that renders pages, waits until it does, and starts it again where it ends. One that gives no sign of life for
 * ten seconds is ended. It holds on to this one by the channel between them: when that closes, because we are done or were killed,
 * it ends.
 * @param script what it runs
 * @throws StartFault where it ends before it has begun
 */
export async function startPagesProcess(ctx: Context, script: string): Promise<PagesProcess> {
  const { log, metrics, readiness } = ctx;
  let socket: string | undefined;
  let ending = false;
  let retry = firstRetry;

  const say = (listensAt: string | undefined) => {
    socket = listensAt;
    readiness.setPages(listensAt ? "ok" : "away");
  };

  function start(): ChildProcess {
    const began = performance.now();
    const started = fork(script);
    const { pid } = started;
    let watch: NodeJS.Timeout | undefined;
    started.once("message", (listensAt) => {
      say(String(listensAt));
      log.info({ pid }, "pages are rendered in a process of their own");
      watch = watchOver(started);
    });
    started.once("exit", (exitCode, signal) => {
      clearInterval(watch);
      say(undefined);
      if (ending) return;
      metrics.pagesEnds.of().inc();
      if (performance.now() - began > minuteMs) retry = firstRetry;
      log.error(
        { pid, exitCode, signal, retryMilliseconds: retry },
        "the process of the pages ended; it is started again",
      );
      setTimeout(() => {
        if (!ending) child = start();
      }, retry);
      retry = Math.min(retry * 2, longestRetry);
    });
    return started;
  }

  /** Requests that it had not answered get a 503 when it is gone. */
  function watchOver(started: ChildProcess): NodeJS.Timeout {
    let unanswered = 0;
    started.on("message", () => {
      unanswered = 0;
    });
    return setInterval(() => {
      if (ending) return;
      if (unanswered === mostUnanswered) {
        log.error(
          { pid: started.pid },
          "the process of the pages gives no sign of life; it is ended",
        );
        started.kill("SIGKILL");
      }
      unanswered += 1;
      if (started.connected) started.send("do you live?", () => {});
    }, secondMs);
  }

  say(undefined);
  let child = start();
  const isUp = await Promise.race([
    once(child, "message").then(() => true),
    once(child, "exit").then(() => false),
  ]);
  if (!isUp) {
    ending = true;
    throw startFault("NoPages", "The process of the pages ended at its start.");
  }
  return {
    handle: passOn(
      () => socket,
      (request, response) =>
        refusePage(response, restarting, {
          pathname: pathnameOf(request) ?? "/",
          requestId: String(request.headers[internalRequestHeader] ?? ""),
        }),
    ),
    end: async () => {
      ending = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      if (child.connected) child.disconnect();
      await within(longestEnd, ended).catch(() => child.kill("SIGKILL"));
    },
  };
}

/** They concern one connection (RFC 9110 section 7.6.1), and there are two of them. */
const ofConnection: ReadonlySet<string> = new Set([
  ...[
    "connection",
    "keep-alive",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
  ],
]);

const passed = (headers: IncomingHttpHeaders): OutgoingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !ofConnection.has(name)));

/**
 * Hands requests to another process over a Unix socket, and its answers back.
 * @param socket where it listens; undefined while nobody does
 * @param refuse answers in place of a process that cannot be reached or ends before it has answered
 */
export function passOn(
  socket: () => string | undefined,
  refuse: (...call: Parameters<PageHandler>) => void,
): PageHandler {
  const agent = new Agent({ keepAlive: true });
  return (request, response) =>
    new Promise((resolve) => {
      const socketPath = socket();
      const fail = () => {
        if (response.headersSent) response.destroy();
        else if (!response.closed) refuse(request, response);
        resolve();
      };
      if (socketPath === undefined) return fail();
      const { method, url: path, headers } = request;
      const sent = httpRequest(
        { socketPath, agent, method, path, headers: passed(headers) },
        (answer) => {
          response.writeHead(answer.statusCode ?? 502, passed(answer.headers));
          pipeline(answer, response, () => resolve());
        },
      );
      sent.once("error", fail);
      // Its reader left: nobody wants the rest.
      response.once("close", () => sent.destroy());
      request.pipe(sent);
    });
}
