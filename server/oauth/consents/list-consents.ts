import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { weekMs } from "#server/platform/durations";
import { scopes as catalogue } from "#server/scopes";
import { type ListedConsent, listLiveConsents } from "./store";
import { listUsage } from "./usage-store";

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
  const usage = await listUsage(on, { accountId, clientIds }, new Date(ctx.now().getTime() - weekMs));
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
