import { setTimeout as wait } from "node:timers/promises";
import { backgroundContextOf, type Context } from "#server/context";
import { createJsonResponder } from "#server/platform/json-answer";
import { secondMs } from "#server/platform/time";
import type { RequestOrigin } from "#server/rest/request-context";
import { resealStoredSecrets } from "#server/server-secret/server-secret";
import { createDeliverer } from "#server/webhooks/deliverer";
import { isSameSecret } from "../platform/keyring";
import { startJobs } from "./runner";

/**
 * `GET /cron/jobs`: acts as a worker for CRON_SECONDS, on platforms that freeze the process between
 * calls. Concurrent calls share the work.
 */
export async function answerCron(
  ctx: Context,
  request: Request,
  peer: RequestOrigin,
): Promise<Response> {
  const { serverless } = ctx.settings;
  const { say } = createJsonResponder(ctx, request, peer);
  if (request.method !== "GET")
    return say(405, { message: "The method must be GET." }, { Allow: "GET" });
  if (
    !serverless ||
    !isSameSecret(request.headers.get("authorization") ?? "", `Bearer ${serverless.cronSecret}`)
  )
    return say(
      401,
      { message: "The bearer token must be CRON_SECRET." },
      { "WWW-Authenticate": "Bearer" },
    );
  await runJobsFor(ctx, serverless.cronSeconds * secondMs);
  return say(200, { status: "done" });
}

/** Milliseconds. */
const grace = 8 * secondMs;

async function runJobsFor(ctx: Context, milliseconds: number): Promise<void> {
  const runner = startJobs(ctx);
  const deliverer = createDeliverer(ctx);
  // Numbers events of processes that were frozen after a commit.
  const numbering = setInterval(ctx.events.sequencer.wake, secondMs);
  try {
    await deliverer.start();
    await resealStoredSecrets(backgroundContextOf(ctx));
    await wait(milliseconds);
  } finally {
    clearInterval(numbering);
    await Promise.all([runner.stop(grace), deliverer.stop(grace)]);
    await ctx.settled();
  }
}
