import { answerInteraction } from "./chat/interactions/http";
import type { Context } from "./context";
import { eventTypes } from "./event-types";
import { asyncApiDocument } from "./events/asyncapi";
import { openApiWebhooks } from "./events/openapi-webhooks";
import { executeChatCommand } from "./faction/chat-commands/execute-chat-command";
import { answerHealth } from "./health/health";
import type { MachinePath } from "./machine-path";
import { apiPrefix } from "./machine-path";
import { answerIntrospection, answerMetadata, answerRevocation, answerToken } from "./oauth/http";
import { version } from "./platform/env";
import { compileDispatch } from "./rest/dispatch";
import { openApiDocument } from "./rest/openapi";
import { type Peer, targetOf } from "./rest/request-context";
import { writeJson } from "./rest/respond";
import { routes, tags } from "./routes";

type Answer = (ctx: Context, request: Request, peer: Peer) => Promise<Response>;

const dispatch: Answer = compileDispatch(routes, {
  prefix: apiPrefix,
  documents: new Map([
    ["/api/openapi.json", (ctx) => openApiText(ctx.settings.baseUrl)],
    ["/api/asyncapi.json", (ctx) => asyncApiText(ctx.settings.baseUrl)],
  ]),
});

/** Without the chat's key nothing it says can be believed, and the path is not there. */
const chatInteraction: Answer = (ctx, request, peer) => {
  const publicKey = ctx.settings.chatPublicKey;
  if (!publicKey) return dispatch(ctx, request, peer);
  return answerInteraction(ctx, { request, peer }, { publicKey, execute: executeChatCommand });
};

const answers: Readonly<Record<MachinePath, Answer>> = {
  "/oauth/token": answerToken,
  "/oauth/revoke": answerRevocation,
  "/oauth/introspect": answerIntrospection,
  "/oauth/metadata": answerMetadata,
  "/.well-known/oauth-authorization-server": answerMetadata,
  "/chat/interactions": chatInteraction,
};
const fixed: ReadonlyMap<string, Answer> = new Map(Object.entries(answers));

/** The OpenAPI document of the whole API, as text. */
export const openApiText = (baseUrl: string): string =>
  writeJson(
    openApiDocument(routes, {
      ...{ version, baseUrl, prefix: apiPrefix, tags },
      webhooks: openApiWebhooks(eventTypes, baseUrl),
    }),
  );

/** The AsyncAPI document of the events, as text. */
export const asyncApiText = (baseUrl: string): string => writeJson(asyncApiDocument(eventTypes, { version, baseUrl }));

/** Answers every machine path. Both mounts end here, so that they cannot differ. */
export const answer: Answer = (ctx, request, peer) => {
  const target = targetOf(request.url);
  const { pathname } = target;
  if (pathname.startsWith("/health/")) return answerHealth(ctx, request, pathname.slice("/health/".length));
  const { address, body, oversized, insecure, streams } = peer;
  // Written out: on Node 20 an object that several spreads make gets a hidden class of its own.
  return (fixed.get(pathname) ?? dispatch)(ctx, request, { target, address, body, oversized, insecure, streams });
};
