import { writeExact } from "#server/platform/exact-json";
import { answerBoardStream } from "./board-stream/board-stream";
import { answerInteraction } from "./chat/interactions";
import type { Context } from "./context";
import { eventTypes } from "./event-types";
import { asyncApiDocument, openApiWebhooks } from "./events/event-documents";
import { executeChatCommand } from "./faction/chat-commands/execute-chat-command";
import { failureOf, logFailure } from "./failure-of";
import type { Failure } from "./failures";
import { answerHealth } from "./health/read-health";
import { answerCron } from "./jobs/cron";
import { apiPrefix, type MachinePath } from "./machine-path";
import { answerIntrospection, answerMetadata, answerRevocation, answerToken } from "./oauth/http";
import { version } from "./platform/env";
import { jsonAnswer } from "./platform/json-answer";
import { retryAfterHeader } from "./platform/response-headers";
import { compileDispatch } from "./rest/dispatch";
import { openApiDocument } from "./rest/openapi";
import { postmanCollection } from "./rest/postman-collection";
import { type RequestOrigin, targetOf } from "./rest/request-context";
import { microsSince, observeRequest } from "./rest/request-log";
import { routes, tags } from "./routes";

type Handle = (ctx: Context, request: Request, peer: RequestOrigin) => Promise<Response>;

const dispatch: Handle = compileDispatch(routes, {
  prefix: apiPrefix,
  documents: new Map([
    ["/api/openapi.json", (ctx) => openApiText(ctx.settings.baseUrl)],
    ["/api/asyncapi.json", (ctx) => asyncApiText(ctx.settings.baseUrl)],
    ["/api/collection.json", (ctx) => collectionText(ctx.settings.baseUrl)],
  ]),
});

/** Observes handlers other than `dispatch`, which does so itself. */
const observed =
  (route: string, handle: Handle): Handle =>
  async (ctx, request, peer) => {
    const started = performance.now();
    const requestId = peer.requestId ?? ctx.ids.request();
    const said = await handle(ctx, request, { ...peer, requestId }).catch((thrown: unknown) =>
      answerThrown(ctx, request, { thrown, requestId, route }),
    );
    observeRequest(ctx, {
      requestId,
      method: request.method,
      route,
      status: said.status,
      clientId: null,
      micros: microsSince(started),
    });
    return said;
  };

const signedInteraction = observed("/chat/interactions", (ctx, request, peer) => {
  const publicKey = ctx.settings.chatPublicKey ?? "";
  return answerInteraction(ctx, { request, peer }, { publicKey, execute: executeChatCommand });
});

/** Without the chat's key no request can be authenticated. */
const chatInteraction: Handle = (ctx, request, peer) =>
  (ctx.settings.chatPublicKey ? signedInteraction : dispatch)(ctx, request, peer);

const timetable = observed("/cron/jobs", answerCron);
/** Exists on serverless installations only. */
const cron: Handle = (ctx, request, peer) =>
  (ctx.settings.serverless ? timetable : dispatch)(ctx, request, peer);

const boardStream = observed("/faction/events", answerBoardStream);
const metadata = observed("/.well-known/oauth-authorization-server", answerMetadata);
const pathnameOf = (request: Request, { target = targetOf(request.url) }: RequestOrigin): string =>
  target.pathname;
const healthPrefix = "/health/";
const health = observed("/health", (ctx, request, peer) =>
  answerHealth(ctx, request, pathnameOf(request, peer).slice(healthPrefix.length), peer.requestId),
);

const answers: Readonly<Record<MachinePath, Handle>> = {
  "/oauth/token": answerToken,
  "/oauth/revoke": answerRevocation,
  "/oauth/introspect": answerIntrospection,
  "/oauth/metadata": metadata,
  "/.well-known/oauth-authorization-server": metadata,
  "/chat/interactions": chatInteraction,
  "/cron/jobs": cron,
  "/faction/events": boardStream,
};
const fixed: ReadonlyMap<string, Handle> = new Map(Object.entries(answers));

export const openApiText = (baseUrl: string): string =>
  writeExact(
    openApiDocument(routes, {
      version,
      baseUrl,
      prefix: apiPrefix,
      tags,
      webhooks: openApiWebhooks(eventTypes, baseUrl),
    }),
  );

export const asyncApiText = (baseUrl: string): string =>
  writeExact(asyncApiDocument(eventTypes, { version, baseUrl }));

const collectionText = (baseUrl: string): string =>
  writeExact(postmanCollection(routes, { baseUrl, prefix: apiPrefix, tags }));

/** The front and Next's routes both call this. */
export const answer: Handle = (ctx, request, peer) => {
  const pathname = pathnameOf(request, peer);
  const handle = pathname.startsWith(healthPrefix) ? health : (fixed.get(pathname) ?? dispatch);
  return handle(ctx, request, peer);
};

interface Thrown {
  readonly thrown: unknown;
  readonly requestId: string;
  readonly route?: string;
}

function answerThrown(
  { settings, log }: Pick<Context, "settings" | "log">,
  request: Request,
  { thrown, requestId, route }: Thrown,
): Response {
  const failure = failureOf(thrown);
  logFailure(log, failure, { requestId, route });
  return answerFailure(request, settings, { failure, requestId });
}

export function answerFailure(
  request: Request,
  settings: Context["settings"],
  { failure, requestId }: { readonly failure: Failure; readonly requestId: string },
): Response {
  const { kind, message, details, retryAfter } = failure;
  const { code, name, status } = kind;
  const record = { code, name, message, details };
  return jsonAnswer(request, settings, {
    status,
    record,
    requestId,
    headers: retryAfterHeader(status, retryAfter),
  });
}
