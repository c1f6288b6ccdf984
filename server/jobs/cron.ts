import type { Context } from "#server/context";
import { isSameSecret } from "#server/platform/crypto/constant-time";
import { jsonAnswer } from "#server/platform/json-answer";
import type { Peer } from "#server/rest/request-context";
import { runJobsFor } from "./run-jobs-for";

/**
 * `GET /cron/jobs`: runs jobs and sends webhooks for CRON_SECONDS, then answers. A platform that stops the process between two
 * calls asks for it every minute, with CRON_SECRET as its bearer token. Two at once share the work.
 */
export async function answerCron(ctx: Context, request: Request, peer: Peer): Promise<Response> {
  const requestId = peer.requestId ?? ctx.ids.request();
  const { serverless } = ctx.settings;
  const say = (status: number, record: object, headers: Readonly<Record<string, string>> = {}) =>
    jsonAnswer(request, ctx.settings, { status, record, requestId, headers });
  if (request.method !== "GET") return say(405, { message: "The method must be GET." }, { Allow: "GET" });
  if (!serverless || !isSameSecret(request.headers.get("authorization") ?? "", `Bearer ${serverless.cronSecret}`))
    return say(401, { message: "The bearer token must be CRON_SECRET." }, { "WWW-Authenticate": "Bearer" });
  await runJobsFor(ctx, serverless.cronSeconds * 1_000);
  return say(200, { status: "done" });
}
