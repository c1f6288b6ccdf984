import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { UnknownOAuthClient } from "#server/failures";
import { dayMs } from "#server/platform/durations";
import { isClientId } from "../clients/client";
import { type ConsentSummary, listConsents } from "./list-consents";
import { findOnceAllowed, type KnownApplication } from "./store";
import { type DayOfCalls, listDaysOfCalls } from "./usage-store";

/** What an application did in a player's name, and what it may do now. */
export interface Ledger {
  readonly application: KnownApplication;
  /** Whether its developer deleted it. */
  readonly deleted: boolean;
  /** What it may do now; null when its access has ended. */
  readonly consent: ConsentSummary | null;
  /** The first instant of each day that the ledger covers, UTC, oldest first. The last one is today. */
  readonly days: readonly Date[];
  /** Newest day first, busiest endpoint first; days without a call are left out. */
  readonly calls: readonly DayOfCalls[];
}

/** As long as the request log is kept. */
const ledgerDays = 30;

/**
 * Shows what an application did in the user's name in the last 30 days, day by day and endpoint by endpoint.
 * @throws UnknownOAuthClient for an application that the user never let in, and for what is none
 */
export async function showLedger(ctx: Context, user: PortalUser, clientId: string): Promise<Ledger> {
  const { accountId } = user;
  const on = ctx.database.query;
  const known = isClientId(clientId) ? await findOnceAllowed(on, { accountId, clientId }) : undefined;
  if (!known) throw UnknownOAuthClient.because();
  const today = Math.floor(ctx.now().getTime() / dayMs) * dayMs;
  const days = Array.from({ length: ledgerDays }, (_, index) => new Date(today - (ledgerDays - 1 - index) * dayMs));
  const [first = ctx.now()] = days;
  const [consents, calls] = await Promise.all([
    listConsents(ctx, user),
    listDaysOfCalls(on, { accountId, clientId }, first),
  ]);
  const consent = consents.find(({ application }) => application.clientId === clientId) ?? null;
  return { ...known, consent, days, calls };
}
