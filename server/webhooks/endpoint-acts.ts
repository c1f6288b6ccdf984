import type { Queryable } from "#db/client";
import type { PortalUser } from "#server/actor";
import type { AuditEvent, AuditedAct, Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import { readLogEnd } from "#server/event-log/read-log";
import { eventChannel } from "#server/event-log/sequencer";
import { GeneralError, UnknownElement } from "#server/failures";
import { requireOwnApplication } from "#server/oauth/clients/own-applications";
import { isUuid } from "#server/platform/ids";
import { currentVersion, type EndpointChanges, type EndpointInput, type ResumeInput } from "./contract";
import { isSecretLost, noFailures, sealSecret, type WebhookEndpoint } from "./endpoint";
import {
  countEndpoints,
  deleteEndpoint,
  deleteMessages,
  findEndpoint,
  insertEndpoint,
  lockApplication,
  lockEndpoint,
  updateEndpoint,
} from "./endpoint-store";
import { readEndpointUrl } from "./endpoint-url";
import { startingPoint } from "./gap";
import { mintWebhookSecret } from "./signature";

/** Each costs every event that the application may be told a request. */
export const mostEndpoints = 10;

/** Which endpoint of which application of the user. */
export interface EndpointKey {
  readonly clientId: string;
  readonly endpointId: string;
}

/** A date before all others: what is due then is due whatever the clock says. */
export const atOnce = new Date(0);

/**
 * The endpoint of the user's own application, held until the end of the transaction.
 * @throws UnknownOAuthClient · UnknownElement where the application has no such endpoint
 */
export async function requireOwnEndpoint(tx: Queryable, user: PortalUser, key: EndpointKey): Promise<WebhookEndpoint> {
  await requireOwnApplication(tx, user, key.clientId);
  const endpoint = isUuid(key.endpointId) ? await lockEndpoint(tx, key) : undefined;
  if (!endpoint) throw noSuchEndpoint();
  return endpoint;
}

const noSuchEndpoint = () => UnknownElement.because({ message: "The application has no such webhook endpoint." });

/** The same without holding it, for what only reads. @throws UnknownOAuthClient · UnknownElement */
export async function findOwnEndpoint(ctx: Context, user: PortalUser, key: EndpointKey): Promise<WebhookEndpoint> {
  const on = ctx.database.query;
  await requireOwnApplication(on, user, key.clientId);
  const endpoint = isUuid(key.endpointId) ? await findEndpoint(on, key) : undefined;
  if (!endpoint) throw noSuchEndpoint();
  return endpoint;
}

/** @throws GeneralError where nothing can be signed for the endpoint */
export function assertCanSign(ctx: Context, endpoint: WebhookEndpoint): void {
  if (isSecretLost(ctx, endpoint))
    throw GeneralError.because({ message: "The secret can no longer be read. Rotate it first." });
}

/** What an act on an endpoint leaves in the audit log, and what makes every worker look at the endpoint again. */
export async function noteAct(
  ctx: Context,
  tx: Queryable,
  {
    user,
    key,
    act,
    origin,
    details,
  }: {
    readonly user: PortalUser;
    readonly key: EndpointKey;
    readonly act: AuditedAct;
    readonly origin: Origin;
    readonly details?: AuditEvent["details"];
  },
): Promise<void> {
  const { accountId } = user;
  const { clientId, endpointId } = key;
  const actor = `account:${accountId}`;
  await ctx.audit(tx, { act, actor, accountId, clientId, origin, details: { endpointId, ...details } });
  await ctx.announceRevocation(tx, { clientId });
  await ctx.database.notify(tx, eventChannel, "");
}

function requireUrl(ctx: Context, text: string): string {
  const read = readEndpointUrl(text, ctx.settings);
  if ("why" in read)
    throw GeneralError.because({ message: read.why, details: { errors: [{ field: "url", message: read.why }] } });
  return read.url;
}

/**
 * Adds an endpoint to the user's application. Nothing is sent before it is verified. Wants a confirmation, which the caller checks.
 * @returns its secret, this once
 * @throws UnknownOAuthClient · GeneralError for a URL that can be none, and where the application has ten endpoints
 */
export async function addEndpoint(
  ctx: Context,
  user: PortalUser,
  input: EndpointInput & { readonly clientId: string },
  origin: Origin,
): Promise<{ readonly endpointId: string; readonly secret: string }> {
  const { clientId, description, types } = input;
  const url = requireUrl(ctx, input.url);
  return ctx.database.transaction(async (tx) => {
    await requireOwnApplication(tx, user, clientId);
    await lockApplication(tx, clientId);
    if ((await countEndpoints(tx, clientId)) >= mostEndpoints)
      throw GeneralError.because({ message: `An application can have at most ${mostEndpoints} webhook endpoints.` });
    const now = ctx.now();
    const id = ctx.ids.uuid();
    const secret = mintWebhookSecret(ctx.ids.bytes);
    const { seq } = await readLogEnd(tx);
    await insertEndpoint(tx, {
      ...{ id, clientId, url, description, types, version: currentVersion, state: "unverified", seq, counted: seq },
      ...{ secret: sealSecret(ctx, secret, id), secretSince: now, stateSince: now, createdAt: now },
    });
    const key = { clientId, endpointId: id };
    await noteAct(ctx, tx, { user, key, act: "webhook-added", origin, details: { url, types } });
    return { endpointId: id, secret };
  });
}

/**
 * Changes types, description or URL. Another URL has to be verified before anything more is sent; what happens until then waits.
 * A change of the URL wants a confirmation, which the caller checks.
 * @throws UnknownOAuthClient · UnknownElement · GeneralError for a URL that can be none
 */
export async function changeEndpoint(
  ctx: Context,
  user: PortalUser,
  change: EndpointKey & EndpointChanges,
  origin: Origin,
): Promise<void> {
  const url = change.url === undefined ? undefined : requireUrl(ctx, change.url);
  await ctx.database.transaction(async (tx) => {
    const endpoint = await requireOwnEndpoint(tx, user, change);
    const { description = endpoint.description, types = endpoint.types } = change;
    const isMoved = url !== undefined && url !== endpoint.url;
    const unverified = { url, state: "unverified", reason: null, stateSince: ctx.now(), ...noFailures } as const;
    await updateEndpoint(tx, endpoint.id, { description, types: [...types], ...(isMoved && unverified) });
    const details = { url: url ?? endpoint.url, types: [...types] };
    await noteAct(ctx, tx, { user, key: change, act: "webhook-changed", origin, details });
  });
}

/** Removes an endpoint with what waits for it and its deliveries. @throws UnknownOAuthClient · UnknownElement */
export async function removeEndpoint(ctx: Context, user: PortalUser, key: EndpointKey, origin: Origin): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    const { id, url } = await requireOwnEndpoint(tx, user, key);
    await deleteEndpoint(tx, id);
    await noteAct(ctx, tx, { user, key, act: "webhook-removed", origin, details: { url } });
  });
}

/**
 * Sends nothing to an enabled endpoint until it is resumed; what is under way is stopped. Pausing what is paused changes nothing.
 * @throws UnknownOAuthClient · UnknownElement · GeneralError where it is neither enabled nor paused
 */
export async function pauseEndpoint(ctx: Context, user: PortalUser, key: EndpointKey, origin: Origin): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    const { id, state } = await requireOwnEndpoint(tx, user, key);
    if (state === "paused") return;
    if (state !== "enabled") throw GeneralError.because({ message: "Only an enabled endpoint can be paused." });
    await updateEndpoint(tx, id, { state: "paused", reason: null, stateSince: ctx.now() });
    await noteAct(ctx, tx, { user, key, act: "webhook-paused", origin });
  });
}

/**
 * Lets a paused or disabled endpoint go on: from where it stopped, or from now, where what waits is dropped.
 * @throws UnknownOAuthClient · UnknownElement · GeneralError where it was not verified
 */
export async function resumeEndpoint(
  ctx: Context,
  user: PortalUser,
  { from, ...key }: EndpointKey & ResumeInput,
  origin: Origin,
): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    const endpoint = await requireOwnEndpoint(tx, user, key);
    if (endpoint.state === "enabled") return;
    if (endpoint.state === "unverified") throw GeneralError.because({ message: "Verify the endpoint first." });
    assertCanSign(ctx, endpoint);
    await enableEndpoint(ctx, tx, endpoint, from);
    await noteAct(ctx, tx, { user, key, act: "webhook-resumed", origin, details: { from } });
  });
}

/** Enables a verified endpoint, in the caller's transaction, which holds it. */
export async function enableEndpoint(
  ctx: Context,
  tx: Queryable,
  endpoint: WebhookEndpoint,
  from: ResumeInput["from"],
): Promise<void> {
  const now = ctx.now();
  if (from === "now") await deleteMessages(tx, endpoint.id);
  const seq = from === "now" ? (await readLogEnd(tx)).seq : await startingPoint(ctx, tx, endpoint);
  await updateEndpoint(tx, endpoint.id, {
    ...{ state: "enabled", reason: null, stateSince: now, verifiedAt: endpoint.verifiedAt ?? now, ...noFailures },
    ...{ seq, counted: seq, waiting: 0, dueAt: atOnce },
  });
}
