import type { Context } from "#server/context";
import { resultOf, withdrawn } from "./attempt-result";
import { openSecrets, type WebhookEndpoint } from "./endpoint";
import type { HeldEndpoint } from "./held-endpoint";
import type { InFlight } from "./pending-messages";
import { judgeAttempt } from "./retry";
import { signWebhook } from "./signature";

const version = "webhook-version";

/** Sends a message once. What came of it is added to what is to be written; one that we stopped goes back to the front. */
export async function attemptMessage(
  ctx: Context,
  held: HeldEndpoint,
  { endpoint, inFlight }: { readonly endpoint: WebhookEndpoint; readonly inFlight: InFlight },
): Promise<void> {
  const { message, stop } = inFlight;
  const { messageId: id, body = "" } = message;
  const at = ctx.now();
  const answer = await ctx.sendWebhook({
    url: endpoint.url,
    body,
    signal: stop.signal,
    headers: async () => {
      await held.check();
      const now = ctx.now();
      const secrets = openSecrets(ctx, held.endpoint() ?? endpoint, now);
      return { ...signWebhook({ id, body }, now, secrets), [version]: endpoint.version };
    },
  });
  const verdict = judgeAttempt(answer);
  const isStopped = verdict.message === "stopped";
  held.pending.finish(inFlight, isStopped && !inFlight.withdrawn);
  if (!isStopped) {
    const result = resultOf(ctx, message, { at, answer, verdict });
    ctx.metrics.webhookAttempts.of(result.outcome).inc();
    held.add(result, verdict);
  } else if (inFlight.withdrawn) held.add({ ...withdrawn(message, at), attempt: message.attempts + 1, answer });
}
