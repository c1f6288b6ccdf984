import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { noCount } from "#server/platform/paging";
import { dayMs } from "#server/platform/time";
import { scopes as catalogue, isFactionScope, type ScopeName } from "#server/scopes";
import { missingForPlayers } from "../clients/application-fields";
import { countUsersByClient } from "../clients/live-grants/store";
import { findApplication } from "../clients/store";
import { listMemberNames } from "../clients/team/store";
import { findUnrevoked } from "../consents/store";
import { findFactionBlock } from "../faction-access/show-access";
import { grantState } from "../grants/grant-status";
import { hostedCallbackUri, reachesClientAlone } from "../redirect-uri";
import { approvalDays, consentPromptOf, findIdentityChange } from "./consent-prompt";
import {
  authorizationFailure,
  bindToAccount,
  type RequestReference,
  refusalToNull,
  requirePendingRequest,
} from "./pending-authorization";

export type ConsentView = Awaited<ReturnType<typeof showRequest>>;

type ScopeInWords = (typeof catalogue)[number];

/**
 * Binds the request to this user.
 * @throws AuthorizationFailure
 */
export async function showRequest(ctx: Context, by: PortalUser, asked: RequestReference) {
  const { request, client } = await requirePendingRequest(ctx, { ...asked, user: by });
  const on = ctx.database.query;
  const { accountId } = by;
  const last = await findUnrevoked(on, { accountId, clientId: client.clientId });
  const consent =
    last && grantState<"until" | "pausedAt">(last, ctx.now()) !== "ended" ? last : undefined;
  await bindToAccount(ctx, { request, held: last?.scopes ?? [] }, by);
  ctx.defer(() => ctx.audit(on, by, "consent.shown", { clientId: client.clientId }));
  const application = await findApplication(on, client.clientId, accountId);
  if (!application) throw authorizationFailure("REQUEST_UNKNOWN");
  const question = consentPromptOf(request, client, consent, ctx.settings);
  const { clientId } = client;
  const users = await countUsersByClient(on, { clientIds: [clientId] }, ctx.now());
  const asksOfFaction = request.scopes.some(isFactionScope);
  const block = asksOfFaction ? await findFactionBlock(ctx, by.playerId, [clientId]) : null;
  return {
    requestId: request.id,
    application: {
      ...application,
      team: await listMemberNames(on, clientId),
      inTest: !client.open,
      isComplete: missingForPlayers(client.kind, application).length === 0,
      users: users.get(clientId) ?? noCount,
    },
    asked: inWords(question.asked),
    optional: question.optional,
    allowed: inWords(question.allowed),
    /** Null for the hosted callback, which shows a code to copy. */
    redirectHost: redirectHostOf(ctx, request),
    asksEachTime: !reachesClientAlone(client.kind, request.redirectUri, ctx.settings.baseUrl),
    earlier: consent
      ? { scopes: consent.scopes, until: consent.until, paused: consent.pausedAt !== null }
      : null,
    changed: consent ? findIdentityChange(consent, client) : null,
    lapsed: !consent && last?.until ? lengthOf(last.updatedAt, last.until) : null,
    blockedBy: block?.factionName ?? null,
  };
}

const redirectHostOf = (
  { settings }: Context,
  { redirectUri, clientId }: { readonly redirectUri: string; readonly clientId: string },
): string | null =>
  redirectUri === hostedCallbackUri(settings.baseUrl, clientId) ? null : new URL(redirectUri).host;

const lengthOf = (from: Date, until: Date): "day" | "month" =>
  until.getTime() - from.getTime() <= approvalDays.day * dayMs ? "day" : "month";

const inWords = (names: readonly ScopeName[]): ScopeInWords[] =>
  catalogue.filter(({ name }) => names.includes(name));

export async function showPendingRequest(ctx: Context, asked: RequestReference) {
  const pending = await requirePendingRequest(ctx, asked).catch(refusalToNull);
  const application =
    pending && (await findApplication(ctx.database.query, pending.client.clientId));
  if (!application) return null;
  const { clientId, name, emblemSign, emblemColour } = application;
  return {
    application: { clientId, name, emblemSign, emblemColour },
    scopes: pending.request.scopes,
    redirectHost: redirectHostOf(ctx, pending.request),
  };
}

export type PendingRequestView = NonNullable<Awaited<ReturnType<typeof showPendingRequest>>>;
