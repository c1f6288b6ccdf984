import type { Queryable } from "#db/client";
import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { readLogEnd } from "#server/event-log/read-log";
import { GeneralError } from "#server/failures";
import { noticeEventType, noticeEventTypes } from "#server/notices/topics";
import { dayMs } from "#server/platform/time";
import {
  currentVersion,
  type EndpointChanges,
  type EndpointInput,
  type ResumeInput,
  type RotationInput,
} from "./contract";
import { dropDeliveries, expediteDeliveries } from "./delivery-store";
import { noFailures, type WebhookEndpoint } from "./endpoint";
import {
  countEndpoints,
  deleteEndpoint,
  insertEndpoint,
  listEndpointRows,
  lockEndpointById,
  updateEndpoint,
} from "./endpoint-store";
import { readEndpointUrl } from "./endpoint-url";
import { replaceExcessByGap } from "./fan-out";
import {
  assertCanSign,
  type EndpointKey,
  lockOwnEndpoint,
  lockOwningApplication,
  noteAct,
} from "./own-endpoint";
import { hasPreviousSecret, isSecretLost, mintWebhookSecret, sealSecret } from "./signature";

/** Low, because every event is sent once per endpoint. */
export const mostEndpoints = 10;

const tooMany = (clientId: string | null) =>
  GeneralError.because({
    message:
      clientId === null
        ? "Your account can have one webhook."
        : `An application can have at most ${mostEndpoints} webhook endpoints.`,
  });

/**
 * An account's own endpoint starts with every kind of notice. The caller checks the user's
 * confirmation.
 * @returns the endpoint's secret, shown once
 * @throws UnknownOAuthClient · GeneralError for an invalid URL, or at the limit
 */
export async function addEndpoint(
  ctx: Context,
  by: PortalUser,
  input: EndpointInput & Pick<EndpointKey, "clientId">,
): Promise<{ readonly endpointId: string; readonly secret: string }> {
  const { clientId, description } = input;
  const { accountId } = by;
  const types = clientId === null ? [...noticeEventTypes] : input.types;
  const url = requireUrl(ctx, input.url);
  return ctx.database.transaction(async (tx) => {
    await lockOwningApplication(tx, by, { clientId });
    if ((await countEndpoints(tx, { clientId, accountId })) >= mostEndpoints)
      throw tooMany(clientId);
    const now = ctx.now();
    const id = ctx.ids.uuid();
    const secret = mintWebhookSecret(ctx.ids.bytes);
    const { seq } = await readLogEnd(tx);
    const isInserted = await insertEndpoint(tx, {
      id,
      clientId,
      accountId: clientId === null ? accountId : null,
      url,
      description,
      types,
      version: currentVersion,
      state: "unverified",
      seq,
      urlBy: by.accountId,
      secretBy: by.accountId,
      secret: sealSecret(ctx, secret, id),
      secretSince: now,
      stateSince: now,
      createdAt: now,
    });
    if (!isInserted) throw tooMany(clientId);
    const key = { clientId, endpointId: id };
    await noteAct(ctx, tx, by, key, { act: "webhook.added", after: { ...input, types, url } });
    return { endpointId: id, secret };
  });
}

/**
 * Events wait until a new URL is verified. For a new URL, the caller checks the user's
 * confirmation.
 * @throws UnknownOAuthClient · UnknownElement · GeneralError for an invalid URL
 */
export async function changeEndpoint(
  ctx: Context,
  by: PortalUser,
  change: EndpointKey & EndpointChanges,
): Promise<void> {
  const url = change.url === undefined ? undefined : requireUrl(ctx, change.url);
  await ctx.database.transaction(async (tx) => {
    const endpoint = await lockOwnEndpoint(tx, by, change);
    const { description = endpoint.description } = change;
    // An account's own endpoint chooses its types in `chooseNotices`.
    const { types = endpoint.types } = change.clientId === null ? {} : change;
    const isMoved = url !== undefined && url !== endpoint.url;
    const unverified = {
      url,
      urlBy: by.accountId,
      state: "unverified",
      reason: null,
      stateSince: ctx.now(),
      ...noFailures,
    } as const;
    await updateEndpoint(tx, endpoint.id, {
      description,
      types: [...types],
      ...(isMoved && unverified),
    });
    await noteAct(ctx, tx, by, change, {
      act: "webhook.changed",
      details: { url: endpoint.url },
      before: endpoint,
      after: { url: url ?? endpoint.url, description, types },
    });
  });
}

/**
 * Changes the account's own endpoint; notices about notification settings always stay.
 * @returns the types before; undefined if the account has no endpoint
 */
export async function chooseNotices(
  tx: Queryable,
  by: PortalUser,
  chosen: readonly string[],
): Promise<readonly string[] | undefined> {
  const [known] = await listEndpointRows(tx, { clientId: null, accountId: by.accountId });
  if (!known) return undefined;
  const { id, types } = await lockOwnEndpoint(tx, by, { clientId: null, endpointId: known.id });
  const wanted = noticeEventTypes.filter(
    (type) => chosen.includes(type) || type === noticeEventType("settings"),
  );
  if (wanted.join() !== types.join()) await updateEndpoint(tx, id, { types: wanted });
  return types;
}

/** Must run before the account's row is locked: `saveResults` locks the endpoint first. */
export async function removeAccountEndpoint(tx: Queryable, accountId: string): Promise<void> {
  const [known] = await listEndpointRows(tx, { clientId: null, accountId });
  if (!known || !(await lockEndpointById(tx, known.id))) return;
  await dropDeliveries(tx, known.id);
  await deleteEndpoint(tx, known.id);
}

/** @throws UnknownOAuthClient · UnknownElement */
export async function removeEndpoint(
  ctx: Context,
  by: PortalUser,
  key: EndpointKey,
): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    const endpoint = await lockOwnEndpoint(tx, by, key);
    // Deliveries go first, because a cascade locks them in another order than lease extensions.
    await dropDeliveries(tx, endpoint.id);
    await deleteEndpoint(tx, endpoint.id);
    await noteAct(ctx, tx, by, key, { act: "webhook.removed", before: endpoint });
  });
}

/**
 * Stops requests in flight. Idempotent.
 * @throws UnknownOAuthClient · UnknownElement · GeneralError if the endpoint is unverified or
 * disabled
 */
export async function pauseEndpoint(ctx: Context, by: PortalUser, key: EndpointKey): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    const { id, state } = await lockOwnEndpoint(tx, by, key);
    if (state === "paused") return;
    if (state !== "enabled")
      throw GeneralError.because({ message: "Only an enabled endpoint can be paused." });
    await updateEndpoint(tx, id, { state: "paused", reason: null, stateSince: ctx.now() });
    await noteAct(ctx, tx, by, key, { act: "webhook.paused" });
  });
}

/**
 * `from: "now"` drops waiting deliveries.
 * @throws UnknownOAuthClient · UnknownElement · GeneralError if the endpoint is unverified
 */
export async function resumeEndpoint(
  ctx: Context,
  by: PortalUser,
  { from, ...key }: EndpointKey & ResumeInput,
): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    const endpoint = await lockOwnEndpoint(tx, by, key);
    if (endpoint.state === "enabled") return;
    if (endpoint.state === "unverified")
      throw GeneralError.because({ message: "Verify the endpoint first." });
    assertCanSign(ctx, endpoint);
    await enableEndpoint(ctx, tx, endpoint, from);
    await noteAct(ctx, tx, by, key, { act: "webhook.resumed", details: { from } });
  });
}

export async function enableEndpoint(
  ctx: Context,
  tx: Queryable,
  endpoint: WebhookEndpoint,
  from: ResumeInput["from"],
): Promise<void> {
  const now = ctx.now();
  if (from === "now") await dropDeliveries(tx, endpoint.id);
  else await replaceExcessByGap(ctx, tx, endpoint);
  await updateEndpoint(tx, endpoint.id, {
    state: "enabled",
    reason: null,
    stateSince: now,
    verifiedAt: endpoint.verifiedAt ?? now,
    ...noFailures,
    ...(from === "now" && { seq: (await readLogEnd(tx)).seq }),
  });
  await expediteDeliveries(tx, endpoint.id);
}

/**
 * The old secret also signs for `keepDays`, unless it leaked or cannot be read. The caller checks
 * the user's confirmation.
 * @returns the new secret, shown once, and the end of the old secret
 * @throws UnknownOAuthClient · UnknownElement · GeneralError while two secrets sign
 */
export async function rotateSecret(
  ctx: Context,
  by: PortalUser,
  rotation: EndpointKey & RotationInput,
): Promise<{ readonly secret: string; readonly previousUntil: Date | null }> {
  const { keepDays, leaked } = rotation;
  return ctx.database.transaction(async (tx) => {
    const endpoint = await lockOwnEndpoint(tx, by, rotation);
    const now = ctx.now();
    const lost = isSecretLost(ctx, endpoint);
    if (!leaked && !lost && hasPreviousSecret(endpoint, now))
      throw GeneralError.because({
        message:
          "Two secrets sign already. Wait until the old one ends, or end it at once because it leaked.",
      });
    const secret = mintWebhookSecret(ctx.ids.bytes);
    const keeps = !leaked && !lost && keepDays > 0;
    const previousUntil = keeps ? new Date(now.getTime() + keepDays * dayMs) : null;
    await updateEndpoint(tx, endpoint.id, {
      secret: sealSecret(ctx, secret, endpoint.id),
      secretSince: now,
      secretBy: by.accountId,
      previousSecret: keeps ? endpoint.secret : null,
      previousUntil,
      ...(lost && noFailures),
    });
    // Attempts without a secret failed whatever the receiver's health, so all are retried at once.
    if (lost) await expediteDeliveries(tx, endpoint.id);
    const details = { keepDays: keeps ? keepDays : 0, leaked };
    await noteAct(ctx, tx, by, rotation, { act: "webhook_secret.rotated", details });
    return { secret, previousUntil };
  });
}

function requireUrl(ctx: Context, text: string): string {
  const read = readEndpointUrl(text, ctx.settings);
  if ("why" in read)
    throw GeneralError.because({
      message: read.why,
      details: { errors: [{ field: "url", message: read.why }] },
    });
  return read.url;
}
