import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { UnknownOAuthClient } from "#server/failures";
import { dayMs, weekMs } from "#server/platform/time";
import { scopes as catalogue } from "#server/scopes";
import { isClientId } from "../clients/client";
import {
  findOnceAllowed,
  type KnownApplication,
  type ListedConsent,
  listLiveConsents,
} from "./store";
import { type DayOfCalls, listDaysOfCalls, listUsage } from "./usage-store";

/** What a player allowed one application, in words, and how it was used. */
export interface ConsentSummary {
  readonly consentId: string;
  readonly application: ListedConsent["application"];
  readonly scopes: readonly (typeof catalogue)[number][];
  readonly since: Date;
  /** The last call of the past 30 days; null when there was none. */
  readonly lastUsed: Date | null;
  readonly callsThisWeek: number;
  /** Null: until revoked. */
  readonly until: Date | null;
  readonly paused: boolean;
}

/** The applications that the user allowed something, newest first. */
export async function listConsents(ctx: Context, user: PortalUser): Promise<ConsentSummary[]> {
  const { accountId } = user;
  const on = ctx.database.query;
  const consents = await listLiveConsents(on, accountId, ctx.now());
  const clientIds = consents.map(({ application }) => application.clientId);
  const usage = await listUsage(
    on,
    { accountId, clientIds },
    new Date(ctx.now().getTime() - weekMs),
  );
  return consents.map((consent) => {
    const used = usage.find(({ clientId }) => clientId === consent.application.clientId);
    return {
      consentId: consent.id,
      application: consent.application,
      scopes: catalogue.filter(({ name }) => consent.scopes.includes(name)),
      since: consent.since,
      lastUsed: used?.lastUsed ?? null,
      callsThisWeek: used?.calls ?? 0,
      until: consent.until,
      paused: consent.paused,
    };
  });
}

/** What an application did in a player's name, and what it may do now. */
export interface ApplicationActivity {
  readonly application: KnownApplication;
  /** Whether its developer deleted it. */
  readonly deleted: boolean;
  /** The live consent; null when its access has ended. */
  readonly consent: ConsentSummary | null;
  /** The first instant of each day that this covers, UTC, oldest first. The last one is today. */
  readonly days: readonly Date[];
  /** Newest day first, busiest endpoint first; days without a call are left out. */
  readonly calls: readonly DayOfCalls[];
}

/** As long as the request log is kept. */
const activityDays = 30;

/**
 * Shows what an application did in the user's name in the last 30 days, day by day and endpoint by endpoint.
 * @throws UnknownOAuthClient for an application that the user never let in, and for what is none
 */
export async function showApplicationActivity(
  ctx: Context,
  user: PortalUser,
  clientId: string,
): Promise<ApplicationActivity> {
  const { accountId } = user;
  const on = ctx.database.query;
  const known = isClientId(clientId)
    ? await findOnceAllowed(on, { accountId, clientId })
    : undefined;
  if (!known) throw UnknownOAuthClient.because();
  const today = Math.floor(ctx.now().getTime() / dayMs) * dayMs;
  const days = Array.from(
    { length: activityDays },
    (_, index) => new Date(today - (activityDays - 1 - index) * dayMs),
  );
  const [first = ctx.now()] = days;
  const [consents, calls] = await Promise.all([
    listConsents(ctx, user),
    listDaysOfCalls(on, { accountId, clientId }, first),
  ]);
  const consent = consents.find(({ application }) => application.clientId === clientId) ?? null;
  return { ...known, consent, days, calls };
}
