import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { eventTypes } from "#server/event-types";
import { exampleEvent } from "#server/events/event-documents";
import { GeneralError, UnknownElement } from "#server/failures";
import { exampleNoticeOf } from "#server/notices/notices";
import { noticeEventTypes } from "#server/notices/topics";
import {
  type AttemptView,
  attemptColumnsOf,
  describeRedirect,
  isSuccess,
  viewAttempt,
} from "./attempt";
import { insertAttempts } from "./delivery-store";
import { enableEndpoint } from "./endpoint-acts";
import {
  assertCanSign,
  chargeAttempt,
  type EndpointKey,
  lockOwnEndpoint,
  noteAct,
  readOwnEndpoint,
} from "./own-endpoint";
import { judgeAttempt } from "./retry";
import { forgeSignature, openSecrets, signWebhook, type WebhookHeaders } from "./signature";

const codeBytes = 18;

/**
 * Enables an endpoint that returns the code of a signed `endpoint.verify` and refuses a forged
 * request. An endpoint that was verified before resumes where it stopped.
 * @returns `why` says what to do
 * @throws UnknownOAuthClient · UnknownElement · TooManyRequests
 */
export async function verifyEndpoint(ctx: Context, by: PortalUser, key: EndpointKey) {
  const endpoint = await readOwnEndpoint(ctx, by, key);
  assertCanSign(ctx, endpoint);
  await chargeAttempt(ctx, by);
  const { url, version } = endpoint;
  const message = () => {
    const id = `evt_${ctx.ids.text(codeBytes)}`;
    const code = ctx.ids.text(codeBytes);
    const body = JSON.stringify({
      id,
      type: "endpoint.verify",
      timestamp: ctx.now().toISOString(),
      data: { code },
    });
    return { id, body, version, code };
  };
  const post = async (body: string, headers: () => WebhookHeaders) =>
    viewAttempt(await ctx.outgoing.send({ url, body, headers }));
  const real = message();
  const signed = await post(real.body, () =>
    signWebhook(real, ctx.now(), openSecrets(ctx, endpoint, ctx.now())),
  );
  const refuse = async (why: string, forged: AttemptView | null) => {
    const act = "webhook.not_verified" as const;
    await ctx.database.transaction((tx) =>
      noteAct(ctx, tx, by, key, { act, details: { url, why } }),
    );
    return { outcome: "refused", why, signed, forged } as const;
  };
  if (signed.failure !== null) return refuse(signed.failure, null);
  if (!isSuccess(signed.status))
    return refuse(
      describeRedirect(signed.status) ??
        `The signed request was answered with ${signed.status}. Answer it with 200.`,
      null,
    );
  if (!signed.excerpt?.includes(real.code))
    return refuse(
      "The answer did not contain the code. Send `data.code` back in the body of the answer.",
      null,
    );

  const fake = message();
  const forged = await post(fake.body, () => forgeSignature(fake, ctx.now(), ctx.ids.bytes));
  if (forged.failure !== null) return refuse(forged.failure, forged);
  if (isSuccess(forged.status))
    return refuse(
      "A request with a wrong signature was accepted. Check the signature, and answer 401 where it is wrong.",
      forged,
    );
  await ctx.database.transaction(async (tx) => {
    const now = await lockOwnEndpoint(tx, by, key);
    if (now.url !== url)
      throw GeneralError.because({ message: "The URL changed meanwhile. Verify it again." });
    if (now.state === "unverified")
      await enableEndpoint(ctx, tx, now, now.verifiedAt ? "stopped" : "now");
    await noteAct(ctx, tx, by, key, { act: "webhook.verified", details: { url } });
  });
  return { outcome: "verified", signed, forged } as const;
}

const testIdBytes = 16;

/**
 * Sends a signed example with `"test": true`, without retry or effect on the endpoint's health.
 * @throws UnknownOAuthClient · UnknownElement · GeneralError if the endpoint is not verified ·
 * TooManyRequests
 */
export async function sendTestEvent(
  ctx: Context,
  user: PortalUser,
  { type: name, ...key }: EndpointKey & { readonly type: string },
) {
  const endpoint = await readOwnEndpoint(ctx, user, key);
  const isNotice = endpoint.clientId === null && noticeEventTypes.includes(name);
  const type =
    endpoint.clientId === null ? undefined : eventTypes.find((each) => each.type === name);
  if (!type && !isNotice) throw UnknownElement.because({ message: "This is not a type of event." });
  if (endpoint.state === "unverified")
    throw GeneralError.because({ message: "Verify the endpoint first." });
  assertCanSign(ctx, endpoint);
  await chargeAttempt(ctx, user);
  const at = ctx.now();
  const messageId = `evt_test_${ctx.ids.text(testIdBytes)}`;
  const { baseUrl } = ctx.settings;
  const example = type ? exampleEvent(type, baseUrl) : exampleNoticeOf(name, user, baseUrl);
  const body = JSON.stringify({
    ...example,
    id: messageId,
    timestamp: at.toISOString(),
    test: true,
    data: { ...example.data, ...(type && { revision: at.getTime() * 1_000 }) },
  });
  const attempt = await ctx.outgoing.send({
    url: endpoint.url,
    body,
    headers: () =>
      signWebhook(
        { id: messageId, body, version: endpoint.version },
        ctx.now(),
        openSecrets(ctx, endpoint, ctx.now()),
      ),
  });
  const delivered = judgeAttempt(attempt, ctx.now()).message === "delivered";
  const view = viewAttempt(attempt);
  await insertAttempts(ctx.database.query, [
    {
      endpointId: endpoint.id,
      messageId,
      seq: null,
      playerId: null,
      type: name,
      at,
      attempt: 1,
      outcome: delivered ? "delivered" : "failed",
      nextAt: null,
      ...attemptColumnsOf(attempt),
    },
  ]);
  const failure = view.failure ?? describeRedirect(view.status);
  return { ...view, failure, delivered, messageId };
}
