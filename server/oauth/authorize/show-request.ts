import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { type CappedCount, noCount } from "#server/platform/paging";
import { dayMs } from "#server/platform/time";
import { scopes as catalogue, covers, type ScopeName } from "#server/scopes";
import type { ClientKind } from "../clients/client";
import type { PrivacyStatements } from "../clients/contract";
import { playerCountLimit } from "../clients/count-limits";
import { findApplication } from "../clients/store";
import { nameTeams } from "../clients/team/members-store";
import { countUsers } from "../clients/usage-store";
import { approvalDays } from "../consents/approval-days";
import { findUnrevoked } from "../consents/store";
import { readFactionBlock } from "../faction-access/show-access";
import { grantState } from "../grants/grant-status";
import { hostedCallback, reachesClientAlone } from "../redirect-uri";
import { type ChangedIdentity, changedSince, consentPromptOf } from "./consent-prompt";
import {
  authorizationFailure,
  bindToAccount,
  findPendingAuthorization,
  nullIfRefused,
} from "./pending-authorization";

export interface ConsentView {
  readonly requestId: string;
  readonly application: {
    readonly clientId: string;
    readonly name: string;
    readonly description: string;
    readonly emblemSign: string | null;
    readonly emblemColour: string | null;
    readonly kind: ClientKind;
    readonly ownerName: string;
    readonly team: readonly string[];
    readonly verified: boolean;
    /** Only its developers can be asked. */
    readonly inTest: boolean;
    readonly createdAt: Date;
    readonly clientUri: string;
    readonly tosUri: string;
    readonly privacyUri: string;
    readonly privacy: PrivacyStatements;
    readonly users: CappedCount;
  };
  readonly asked: readonly ScopeInWords[];
  readonly optional: readonly ScopeName[];
  readonly allowed: readonly ScopeInWords[];
  /** Null for the hosted callback, which shows a code to copy. */
  readonly redirectHost: string | null;
  /** Every request asks again, whatever the answer. */
  readonly asksEachTime: boolean;
  readonly earlier: {
    readonly scopes: readonly ScopeName[];
    readonly until: Date | null;
    readonly paused: boolean;
  } | null;
  /** Null if unchanged since the live consent. */
  readonly changed: ChangedIdentity | null;
  readonly lapsed: "day" | "month" | null;
  /** The player's faction, which refuses the application its data; null if it asks for none. */
  readonly blockedBy: string | null;
}

type ScopeInWords = (typeof catalogue)[number];

/**
 * Binds the request to this user.
 * @throws AuthorizationFailure
 */
export async function showRequest(
  ctx: Context,
  by: PortalUser,
  asked: { readonly requestId: string; readonly browserId: string | null },
): Promise<ConsentView> {
  const { request, client } = await findPendingAuthorization(ctx, { ...asked, user: by });
  const on = ctx.database.query;
  const { accountId } = by;
  const last = await findUnrevoked(on, { accountId, clientId: client.clientId });
  const consent =
    last && grantState<"until" | "pausedAt">(last, ctx.now()) !== "ended" ? last : undefined;
  await bindToAccount(ctx, { request, held: last?.scopes ?? [] }, by);
  ctx.defer(() => ctx.audit(on, by, "consent.shown", { clientId: client.clientId }));
  const application = await findApplication(on, client.clientId);
  if (!application) throw authorizationFailure("unknown");
  const question = consentPromptOf(request, client, consent, ctx.settings);
  const {
    clientId,
    name,
    description,
    emblemSign,
    emblemColour,
    kind,
    ownerName,
    verified,
    createdAt,
    clientUri,
    tosUri,
    privacyUri,
    privacy,
  } = application;
  const users =
    (await countUsers(on, { clientIds: [clientId], most: playerCountLimit }, ctx.now())).get(
      clientId,
    ) ?? noCount;
  const inTest = !client.open;
  const asksOfFaction = request.scopes.some((scope) => covers(["faction"], scope));
  const block = asksOfFaction ? await readFactionBlock(ctx, by.playerId, [clientId]) : null;
  const known = {
    clientId,
    name,
    description,
    emblemSign,
    emblemColour,
    kind,
    ownerName,
    verified,
    createdAt,
    clientUri,
    tosUri,
    privacyUri,
    privacy,
    inTest,
  };
  return {
    requestId: request.id,
    application: { ...known, users, team: (await nameTeams(on, [clientId])).get(clientId) ?? [] },
    asked: inWords(question.asked),
    optional: question.optional,
    allowed: inWords(question.allowed),
    redirectHost: redirectHostOf(ctx, request),
    asksEachTime: !reachesClientAlone(client.kind, request.redirectUri, ctx.settings.baseUrl),
    earlier: consent
      ? { scopes: consent.scopes, until: consent.until, paused: consent.pausedAt !== null }
      : null,
    changed: consent ? changedSince(consent, client) : null,
    lapsed: !consent && last?.until ? lengthOf(last.updatedAt, last.until) : null,
    blockedBy: block?.factionName ?? null,
  };
}

const redirectHostOf = (
  { settings }: Context,
  { redirectUri, clientId }: { readonly redirectUri: string; readonly clientId: string },
): string | null =>
  redirectUri === hostedCallback(settings.baseUrl, clientId) ? null : new URL(redirectUri).host;

const lengthOf = (from: Date, until: Date): "day" | "month" =>
  until.getTime() - from.getTime() <= approvalDays.day * dayMs ? "day" : "month";

const inWords = (names: readonly ScopeName[]): ScopeInWords[] =>
  catalogue.filter(({ name }) => names.includes(name));

export interface WaitingRequest {
  readonly applicationName: string;
  readonly scopeTitles: readonly string[];
  readonly redirectHost: string | null;
}

export async function describeWaiting(
  ctx: Context,
  asked: { readonly requestId: string; readonly browserId: string | null },
): Promise<WaitingRequest | null> {
  const pending = await findPendingAuthorization(ctx, asked).catch(nullIfRefused);
  return (
    pending && {
      applicationName: pending.client.name,
      scopeTitles: inWords(pending.request.scopes).map(({ title }) => title),
      redirectHost: redirectHostOf(ctx, pending.request),
    }
  );
}
