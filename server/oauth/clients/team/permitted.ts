import { and, eq, exists, inArray, isNotNull, isNull, or, type Placeholder } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import type { Queryable } from "#db/client";
import { accounts } from "#db/schema/accounts";
import { applicationMembers, applications, applicationTesters } from "#db/schema/oauth";
import { type ApplicationRight, rolesWithRight } from "./rights";

export interface Permission<Id = string> {
  readonly accountId: Id;
  readonly right: ApplicationRight;
}

/** An invitation gives no right. */
export const isMemberWithRight = (right: ApplicationRight) =>
  and(
    isNotNull(applicationMembers.joinedAt),
    inArray(applicationMembers.role, rolesWithRight(right)),
  );

/** An invited or banned member cannot succeed a deleted owner. */
export const isSuccessionCandidate = and(
  isNotNull(applicationMembers.joinedAt),
  isNull(accounts.bannedAt),
);

export function isPermittedApplication(
  on: Queryable,
  { accountId, right }: Permission<string | Placeholder>,
) {
  const owned = on
    .select({ clientId: applications.clientId })
    .from(applications)
    .where(eq(applications.ownerId, accountId));
  const joined = on
    .select({ clientId: applicationMembers.clientId })
    .from(applicationMembers)
    .where(and(eq(applicationMembers.accountId, accountId), isMemberWithRight(right)));
  return and(
    inArray(applications.clientId, unionAll(owned, joined)),
    isNull(applications.deletedAt),
  );
}

/** An open application may be approved by any player, others by their team and test players. */
export async function mayApprove(
  on: Queryable,
  { clientId, accountId }: { readonly clientId: string; readonly accountId: string },
): Promise<boolean> {
  const listed = (table: typeof applicationMembers | typeof applicationTesters) =>
    and(eq(table.clientId, applications.clientId), eq(table.accountId, accountId));
  const isMember = on
    .select({ role: applicationMembers.role })
    .from(applicationMembers)
    .where(and(listed(applicationMembers), isNotNull(applicationMembers.joinedAt)));
  const isTester = on
    .select({ addedAt: applicationTesters.addedAt })
    .from(applicationTesters)
    .where(listed(applicationTesters));
  const allowed = or(
    isNotNull(applications.openedAt),
    eq(applications.ownerId, accountId),
    exists(isMember),
    exists(isTester),
  );
  return (await on.$count(applications, and(eq(applications.clientId, clientId), allowed))) > 0;
}
