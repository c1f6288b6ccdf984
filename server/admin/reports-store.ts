import { and, count, countDistinct, desc, eq, isNull, lte, max, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { accounts } from "#db/schema/accounts";
import { applicationReports, applications } from "#db/schema/oauth";
import { players } from "#db/schema/players";
import { columnsOf } from "#db/select";

type Report = typeof applicationReports.$inferSelect;
export type ReportOutcome = NonNullable<Report["outcome"]>;

const isOpen = isNull(applicationReports.closedAt);
const isOpenOf = (clientId: string) => and(eq(applicationReports.clientId, clientId), isOpen);

const newest = <Column extends "reason" | "text">(column: Column) =>
  sql<Report[Column]>`(array_agg(${applicationReports[column]}
    order by ${applicationReports.reportedAt} desc, ${applicationReports.id}))[1]`;

const isReported = and(isOpen, isNull(applications.deletedAt));

export async function countReportedApplications(on: Queryable): Promise<number> {
  const [row] = await on
    .select({ reported: countDistinct(applicationReports.clientId) })
    .from(applicationReports)
    .innerJoin(applications, eq(applications.clientId, applicationReports.clientId))
    .where(isReported);
  return row?.reported ?? 0;
}

/** Applications with open reports, the most reported first. */
export const listReported = (
  on: Queryable,
  window: { readonly limit: number; readonly offset: number },
) =>
  on
    .select({
      ...columnsOf(applications, [
        "clientId",
        "name",
        "emblemSign",
        "emblemColour",
        "verifiedAt",
        "suspendedAt",
      ]),
      reporters: count(),
      reason: newest("reason"),
      text: newest("text"),
      reportedAt: sql<Date>`${max(applicationReports.reportedAt)}`.mapWith(
        applicationReports.reportedAt,
      ),
    })
    .from(applicationReports)
    .innerJoin(applications, eq(applications.clientId, applicationReports.clientId))
    .where(isReported)
    .groupBy(applications.clientId)
    .orderBy(desc(count()), desc(max(applicationReports.reportedAt)), applications.clientId)
    .limit(window.limit)
    .offset(window.offset);

/** Newest first. */
export const listOpenReports = (
  on: Queryable,
  clientId: string,
  window: { readonly limit: number; readonly offset: number },
) =>
  on
    .select({
      id: applicationReports.id,
      reporter: { accountId: accounts.id, playerId: accounts.playerId, name: players.name },
      ...columnsOf(applicationReports, ["reason", "text", "reportedAt"]),
    })
    .from(applicationReports)
    .innerJoin(accounts, eq(accounts.id, applicationReports.accountId))
    .innerJoin(players, eq(players.id, accounts.playerId))
    .where(isOpenOf(clientId))
    .orderBy(desc(applicationReports.reportedAt), applicationReports.id)
    .limit(window.limit)
    .offset(window.offset);

/** The most frequent reason first. */
export const countOpenReports = (on: Queryable, clientId: string) =>
  on
    .select({
      reason: applicationReports.reason,
      reports: count(),
      newest: max(applicationReports.reportedAt),
    })
    .from(applicationReports)
    .where(isOpenOf(clientId))
    .groupBy(applicationReports.reason)
    .orderBy(desc(count()), applicationReports.reason);

/**
 * Locks the reporters' accounts first, as the deletion of an account does, to avoid a deadlock.
 * @returns their ids
 */
export async function closeReportsUntil(
  tx: Queryable,
  { clientId, until }: { readonly clientId: string; readonly until: Date },
  close: { readonly closedAt: Date; readonly outcome: ReportOutcome },
): Promise<string[]> {
  await tx
    .select({ id: accounts.id })
    .from(accounts)
    .innerJoin(applicationReports, eq(applicationReports.accountId, accounts.id))
    .where(isOpenOf(clientId))
    .orderBy(accounts.id)
    .for("key share", { of: accounts });
  const closed = await tx
    .update(applicationReports)
    .set(close)
    .where(and(isOpenOf(clientId), lte(applicationReports.reportedAt, until)))
    .returning({ accountId: applicationReports.accountId });
  return closed.map(({ accountId }) => accountId);
}
