import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { eventTypes } from "#server/event-types";
import { exampleEvent } from "#server/events/event-schema";
import { GeneralError, UnknownElement } from "#server/failures";
import { insertDeliveries } from "./deliveries-store";
import { openSecrets } from "./endpoint";
import { assertCanSign, type EndpointKey, findOwnEndpoint } from "./endpoint-acts";
import { chargeAttempt } from "./rate";
import { judgeAttempt } from "./retry";
import { signWebhook } from "./signature";
import { type AttemptView, viewAttempt } from "./verify-endpoint";

const idBytes = 16;

/**
 * Sends the example of a type to a verified endpoint at once, signed as any event and marked by `"test": true`. It is listed among
 * the deliveries, is not repeated, and says nothing of the endpoint's health.
 * @throws UnknownOAuthClient · UnknownElement · GeneralError where the endpoint is not verified · TooManyRequests
 */
export async function sendTestEvent(
  ctx: Context,
  user: PortalUser,
  { type: name, ...key }: EndpointKey & { readonly type: string },
): Promise<AttemptView & { readonly delivered: boolean; readonly messageId: string }> {
  const endpoint = await findOwnEndpoint(ctx, user, key);
  const type = eventTypes.find((each) => each.type === name);
  if (!type) throw UnknownElement.because({ message: "This is not a type of event." });
  if (endpoint.state === "unverified") throw GeneralError.because({ message: "Verify the endpoint first." });
  assertCanSign(ctx, endpoint);
  await chargeAttempt(ctx, user);
  const at = ctx.now();
  const messageId = `evt_test_${Buffer.from(ctx.ids.bytes(idBytes)).toString("base64url")}`;
  const example = exampleEvent(type, ctx.settings.baseUrl);
  const body = JSON.stringify({
    ...{ ...example, id: messageId, timestamp: at.toISOString(), test: true },
    data: { ...example.data, revision: at.getTime() * 1_000 },
  });
  const attempt = await ctx.sendWebhook({
    ...{ url: endpoint.url, body },
    headers: () => signWebhook({ id: messageId, body }, ctx.now(), openSecrets(ctx, endpoint, ctx.now())),
  });
  const delivered = judgeAttempt(attempt).message === "delivered";
  const view = viewAttempt(attempt);
  await insertDeliveries(ctx.database.query, [
    {
      ...{ endpointId: endpoint.id, messageId, seq: null, playerId: null, type: name, attempt: 1, at },
      ...{ outcome: delivered ? "delivered" : "failed", nextAt: null },
      ...{ status: view.status, failure: "failure" in attempt ? attempt.failure : null },
      ...{ phases: attempt.phases, excerpt: view.excerpt },
    },
  ]);
  return { ...view, delivered, messageId };
}
