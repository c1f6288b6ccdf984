import {
  and,
  asc,
  count,
  countDistinct,
  desc,
  eq,
  ilike,
  isNotNull,
  isNull,
  lte,
  max,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import type { Queryable } from "#db/client";
import { accounts } from "#db/schema/accounts";
import {
  applicationDomains,
  applicationReports,
  applications,
  verificationRequests,
} from "#db/schema/oauth";
import { players } from "#db/schema/players";
import { columnsOf } from "#db/select";
import type { ApplicationSearch } from "./contract";

const { requestedAt } = verificationRequests;
const isOpen = isNull(verificationRequests.outcome);
const openRequestOf = and(eq(verificationRequests.clientId, applications.clientId), isOpen);

const columns = {
  ...columnsOf(applications, ["clientId", "name", "kind", "emblemSign", "emblemColour"]),
  owner: { accountId: accounts.id, playerId: accounts.playerId, name: players.name },
  ...columnsOf(applications, ["createdAt", "verifiedAt", "suspendedAt", "suspendedFor"]),
};

export const listAllApplications = (
  on: Queryable,
  query: Omit<ApplicationSearch, "page"> & { readonly limit: number; readonly offset: number },
) =>
  on
    .select({ ...columns, requestedAt })
    .from(applications)
    .innerJoin(accounts, eq(accounts.id, applications.ownerId))
    .innerJoin(players, eq(players.id, accounts.playerId))
    .leftJoin(verificationRequests, openRequestOf)
    .where(and(isNull(applications.deletedAt), inState[query.state], fits(query.search)))
    .orderBy(
      // A queue: the longest wait first.
      ...(query.state === "requested" ? [asc(requestedAt)] : []),
      desc(applications.createdAt),
      desc(applications.clientId),
    )
    .limit(query.limit)
    .offset(query.offset);

const inState: Readonly<Record<ApplicationSearch["state"], SQL | undefined>> = {
  any: undefined,
  verified: isNotNull(applications.verifiedAt),
  unverified: isNull(applications.verifiedAt),
  requested: isNotNull(requestedAt),
  suspended: isNotNull(applications.suspendedAt),
};

/**
 * A number is an owner's player id, 32 hexadecimal digits a client id, other text part of a name.
 */
function fits(search: string | undefined): SQL | undefined {
  if (!search) return undefined;
  if (/^\d{1,9}$/.test(search)) return eq(accounts.playerId, Number(search));
  if (/^[0-9a-f]{32}$/.test(search)) return eq(applications.clientId, search);
  const part = `%${search.replace(/[\\%_]/g, "\\$&")}%`;
  return or(ilike(applications.name, part), ilike(players.name, part));
}

export const countVerificationRequests = (on: Queryable): Promise<number> =>
  on.$count(verificationRequests, isOpen);

export async function findApplicationDetails(on: Queryable, clientId: string) {
  const [row] = await on
    .select({
      ...columns,
      bannedAt: accounts.bannedAt,
      ...columnsOf(applications, [
        "description",
        "redirectUris",
        "scopes",
        "optionalScopes",
        "clientUri",
        "tosUri",
        "privacyUri",
        "privacy",
        "openedAt",
        "verifiedAs",
        "version",
      ]),
      domain: {
        name: applicationDomains.domain,
        ...columnsOf(applicationDomains, ["provenAt", "provenBy", "seenAt"]),
      },
      requestedAt,
    })
    .from(applications)
    .innerJoin(accounts, eq(accounts.id, applications.ownerId))
    .innerJoin(players, eq(players.id, accounts.playerId))
    .leftJoin(applicationDomains, eq(applicationDomains.clientId, applications.clientId))
    .leftJoin(verificationRequests, openRequestOf)
    .where(and(eq(applications.clientId, clientId), isNull(applications.deletedAt)));
  if (!row) return undefined;
  const { bannedAt, ...rest } = row;
  return { ...rest, ownerBanned: bannedAt !== null };
}

/** Serialises acts on one application. */
export async function lockAnyApplication(tx: Queryable, clientId: string) {
  const alive = and(eq(applications.clientId, clientId), isNull(applications.deletedAt));
  // Locks the owner first, as a ban does, to avoid a deadlock.
  const [owner] = await tx
    .select({ bannedAt: accounts.bannedAt })
    .from(accounts)
    .innerJoin(applications, eq(applications.ownerId, accounts.id))
    .where(alive)
    .for("no key update", { of: accounts });
  const [row] = await tx
    .select({
      ...columnsOf(applications, ["clientId", "name", "ownerId"]),
      ...columnsOf(applications, ["verifiedAt", "suspendedAt", "version"]),
    })
    .from(applications)
    .where(alive)
    .for("update");
  return owner && row && { ...row, ownerBanned: owner.bannedAt !== null };
}

type Marks = Pick<
  typeof applications.$inferInsert,
  "verifiedAt" | "verifiedAs" | "suspendedAt" | "suspendedFor" | "version"
>;

export async function saveApplicationMarks(
  tx: Queryable,
  clientId: string,
  mark: Partial<Marks>,
): Promise<void> {
  await tx.update(applications).set(mark).where(eq(applications.clientId, clientId));
}

type BanMark = { readonly suspendedAt: Date; readonly suspendedFor: string };

/** @returns those that were not suspended before */
export const suspendApplicationsOf = (tx: Queryable, ownerId: string, mark: BanMark) =>
  tx
    .update(applications)
    .set(mark)
    .where(
      and(
        eq(applications.ownerId, ownerId),
        isNull(applications.suspendedAt),
        isNull(applications.deletedAt),
      ),
    )
    .returning({ clientId: applications.clientId, name: applications.name });

/** Resumes only applications that the ban suspended, at this instant. */
export const resumeApplicationsOf = (tx: Queryable, ownerId: string, mark: BanMark) =>
  tx
    .update(applications)
    .set({ suspendedAt: null, suspendedFor: null })
    .where(
      and(
        eq(applications.ownerId, ownerId),
        eq(applications.suspendedAt, mark.suspendedAt),
        eq(applications.suspendedFor, mark.suspendedFor),
        isNull(applications.deletedAt),
      ),
    )
    .returning({ clientId: applications.clientId, name: applications.name });

type Report = typeof applicationReports.$inferSelect;
export type ReportOutcome = NonNullable<Report["outcome"]>;

const isOpenReport = isNull(applicationReports.closedAt);
const isOpenOf = (clientId: string) => and(eq(applicationReports.clientId, clientId), isOpenReport);

const newest = <Column extends "reason" | "text">(column: Column) =>
  sql<Report[Column]>`(array_agg(${applicationReports[column]}
    order by ${applicationReports.reportedAt} desc, ${applicationReports.id}))[1]`;

const isReported = and(isOpenReport, isNull(applications.deletedAt));

export async function countReportedApplications(on: Queryable): Promise<number> {
  const [row] = await on
    .select({ reported: countDistinct(applicationReports.clientId) })
    .from(applicationReports)
    .innerJoin(applications, eq(applications.clientId, applicationReports.clientId))
    .where(isReported);
  return row?.reported ?? 0;
}

/** Applications with open reports, the most reported first. */
export const listReported = (on: Queryable, window: { limit: number; offset: number }) =>
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

export const listOpenReports = (
  on: Queryable,
  clientId: string,
  window: { limit: number; offset: number },
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

export const countReportsByReason = (on: Queryable, clientId: string) =>
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
 * @returns the reporters' account ids
 */
export async function closeReportsUntil(
  tx: Queryable,
  { clientId, until }: { clientId: string; until: Date },
  close: { closedAt: Date; outcome: ReportOutcome },
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
