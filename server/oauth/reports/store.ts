import { and, eq, gt, isNull } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import type { Queryable } from "#db/client";
import { applicationReports, authorizationRequests, consents } from "#db/schema/oauth";
import { first, hasRows } from "#db/select";

export type Report = typeof applicationReports.$inferSelect;
export type ReportReason = Report["reason"];

type Pair = Pick<Report, "clientId" | "accountId">;

const isOpen = isNull(applicationReports.closedAt);

/** True if the player allowed the application once, or saw its consent page within a day. */
export async function hasMetApplication(
  on: Queryable,
  { clientId, accountId }: Pair,
): Promise<boolean> {
  const [met] = await unionAll(
    on
      .select({ clientId: consents.clientId })
      .from(consents)
      .where(and(eq(consents.accountId, accountId), eq(consents.clientId, clientId))),
    on
      .select({ clientId: authorizationRequests.clientId })
      .from(authorizationRequests)
      .where(
        and(
          eq(authorizationRequests.accountId, accountId),
          eq(authorizationRequests.clientId, clientId),
        ),
      ),
  ).limit(1);
  return met !== undefined;
}

export const findOpenReport = (on: Queryable, { clientId, accountId }: Pair) =>
  first(
    on
      .select()
      .from(applicationReports)
      .where(
        and(
          isOpen,
          eq(applicationReports.clientId, clientId),
          eq(applicationReports.accountId, accountId),
        ),
      ),
  );

export const countReports = (on: Queryable, accountId: string, since: Date): Promise<number> =>
  on.$count(
    applicationReports,
    and(eq(applicationReports.accountId, accountId), gt(applicationReports.createdAt, since)),
  );

export async function insertReport(
  tx: Queryable,
  report: typeof applicationReports.$inferInsert,
): Promise<void> {
  await tx.insert(applicationReports).values(report);
}

/** @returns false if the report was closed meanwhile */
export const changeOpenReport = (
  tx: Queryable,
  id: string,
  change: Pick<Report, "reason" | "text" | "reportedAt">,
): Promise<boolean> =>
  hasRows(
    tx
      .update(applicationReports)
      .set(change)
      .where(and(eq(applicationReports.id, id), isOpen))
      .returning({ id: applicationReports.id }),
  );
