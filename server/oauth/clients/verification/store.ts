import { and, asc, eq, inArray, isNull, lte, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { applicationDomains, applications, verificationRequests } from "#db/schema/oauth";
import { webhookEndpoints } from "#db/schema/webhooks";
import { first, hasRows } from "#db/select";

export type ApplicationDomain = typeof applicationDomains.$inferSelect;
export type VerificationRequest = typeof verificationRequests.$inferSelect;

const ofApplication = (clientId: string) => eq(applicationDomains.clientId, clientId);

export const findDomain = (on: Queryable, clientId: string) =>
  first(on.select().from(applicationDomains).where(ofApplication(clientId)));

/** Drops the former domain with all its findings. */
export async function saveDomain(
  tx: Queryable,
  { clientId, domain }: Pick<ApplicationDomain, "clientId" | "domain">,
): Promise<void> {
  await deleteDomain(tx, clientId);
  await tx.insert(applicationDomains).values({ clientId, domain });
}

export async function updateDomain(
  tx: Queryable,
  clientId: string,
  changes: Partial<Omit<ApplicationDomain, "clientId" | "domain">>,
): Promise<void> {
  await tx.update(applicationDomains).set(changes).where(ofApplication(clientId));
}

export async function deleteDomain(tx: Queryable, clientId: string): Promise<void> {
  await tx.delete(applicationDomains).where(ofApplication(clientId));
}

export type DueDomain = Awaited<ReturnType<typeof claimDueDomains>>[number];

/** Sets the next check at once, so that no other instance claims the same domains. */
export async function claimDueDomains(
  on: Queryable,
  { now, next, limit }: { readonly now: Date; readonly next: Date; readonly limit: number },
) {
  const due = on
    .select({ clientId: applicationDomains.clientId })
    .from(applicationDomains)
    .where(lte(applicationDomains.checkAt, now))
    .orderBy(asc(applicationDomains.checkAt))
    .limit(limit)
    .for("update", { skipLocked: true });
  const { clientId, domain, checkedAt } = applicationDomains;
  return on
    .update(applicationDomains)
    .set({ checkAt: next })
    .from(applications)
    .where(and(sql`${clientId} = any(array(${due}))`, eq(applications.clientId, clientId)))
    .returning({ clientId, domain, checkedAt, ownerId: applications.ownerId });
}

export const findVerificationRequest = (on: Queryable, clientId: string) =>
  first(on.select().from(verificationRequests).where(eq(verificationRequests.clientId, clientId)));

export async function openVerificationRequest(
  tx: Queryable,
  request: Pick<VerificationRequest, "clientId" | "requestedAt">,
): Promise<void> {
  const fresh = { ...request, outcome: null, closedAt: null, reason: null };
  await tx
    .insert(verificationRequests)
    .values(fresh)
    .onConflictDoUpdate({ target: verificationRequests.clientId, set: fresh });
}

/** @returns false if no request is open */
export const closeVerificationRequest = (
  tx: Queryable,
  clientId: string,
  end: Pick<VerificationRequest, "outcome" | "closedAt" | "reason">,
) =>
  hasRows(
    tx
      .update(verificationRequests)
      .set(end)
      .where(and(eq(verificationRequests.clientId, clientId), isNull(verificationRequests.outcome)))
      .returning({ clientId: verificationRequests.clientId }),
  );

export async function deleteVerification(tx: Queryable, clientId: string): Promise<void> {
  await deleteDomain(tx, clientId);
  await tx.delete(verificationRequests).where(eq(verificationRequests.clientId, clientId));
}

export const countUnusableEndpoints = (on: Queryable, clientId: string): Promise<number> =>
  on.$count(
    webhookEndpoints,
    and(
      eq(webhookEndpoints.clientId, clientId),
      inArray(webhookEndpoints.state, ["unverified", "disabled"]),
    ),
  );

export const provenDomain = sql<string | null>`(
  select ${applicationDomains.domain} from ${applicationDomains}
  where ${applicationDomains.clientId} = ${applications.clientId}
    and ${applicationDomains.provenAt} is not null)`;
