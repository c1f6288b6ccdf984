import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { UnknownOAuthClient } from "#server/failures";
import { dayMs, weekMs } from "#server/platform/time";
import { scopes as catalogue, covers, isFactionScope } from "#server/scopes";
import { countUseByDay, countUseByEndpoint } from "../clients/calls/store";
import { isClientId } from "../clients/client";
import { listMemberNames } from "../clients/team/store";
import { findFactionBlock } from "../faction-access/show-access";
import { findApprovedApplication, listLiveConsents } from "./store";

export async function listConsents(ctx: Context, user: PortalUser) {
  const { accountId } = user;
  const on = ctx.database.query;
  const consents = await listLiveConsents(on, accountId, ctx.now());
  const clientIds = consents.map(({ application }) => application.clientId);
  const week = new Date(ctx.now().getTime() - weekMs);
  const usage = await countUseByEndpoint(on, { accountIds: [accountId], clientIds }, week);
  const ofFaction = consents
    .filter(({ scopes }) => scopes.some(isFactionScope))
    .map(({ application }) => application.clientId);
  const block = await findFactionBlock(ctx, user.playerId, ofFaction);
  return consents.map((consent) => {
    const used = usage.filter(({ clientId }) => clientId === consent.application.clientId);
    const last = Math.max(...used.map((each) => each.last.getTime()));
    return {
      consentId: consent.id,
      application: consent.application,
      scopes: catalogue.filter(({ name }) => consent.scopes.includes(name)),
      since: consent.since,
      /** Scopes that were taken away and that the application still asks for. */
      takenAway: catalogue.filter(
        ({ name }) => consent.takenAway.includes(name) && covers(consent.application.scopes, name),
      ),
      /** A last use older than a week comes from this consent's row, which may lag by an hour. */
      lastUsed: used.length > 0 ? new Date(last) : consent.lastUsedAt,
      /** Calls of the last seven days. */
      calls: used.map(({ method, route, calls }) => ({ method, route, calls })),
      until: consent.until,
      paused: consent.paused,
      blockedBy: block?.clientIds.includes(consent.application.clientId) ? block.factionName : null,
    };
  });
}

export type ConsentSummary = Awaited<ReturnType<typeof listConsents>>[number];

export type ApplicationActivity = Awaited<ReturnType<typeof showApplicationActivity>>;

/** The retention of the request log. */
const activityDays = 30;

export async function showApplicationActivity(ctx: Context, user: PortalUser, clientId: string) {
  const { accountId } = user;
  const on = ctx.database.query;
  const known = isClientId(clientId)
    ? await findApprovedApplication(on, { accountId, clientId })
    : undefined;
  if (!known) throw UnknownOAuthClient.because();
  const today = Math.floor(ctx.now().getTime() / dayMs) * dayMs;
  // First instants of the UTC days.
  const days = Array.from(
    { length: activityDays },
    (_, index) => new Date(today - (activityDays - 1 - index) * dayMs),
  );
  const [first = ctx.now()] = days;
  const [consents, team, calls] = await Promise.all([
    listConsents(ctx, user),
    listMemberNames(on, clientId),
    countUseByDay(on, { accountIds: [accountId], clientIds: [clientId] }, first),
  ]);
  const consent = consents.find(({ application }) => application.clientId === clientId) ?? null;
  return { ...known, team, consent, days, calls };
}
