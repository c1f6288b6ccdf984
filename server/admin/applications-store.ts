import { and, asc, desc, eq, ilike, isNotNull, isNull, or, type SQL } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { accounts } from "#db/schema/accounts";
import { applicationDomains, applications, verificationRequests } from "#db/schema/oauth";
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

export type AdminListedApplication = Awaited<ReturnType<typeof listAllApplications>>[number];

const inState: Readonly<Record<ApplicationSearch["state"], SQL | undefined>> = {
  any: undefined,
  verified: isNotNull(applications.verifiedAt),
  unverified: isNull(applications.verifiedAt),
  requested: isNotNull(requestedAt),
  suspended: isNotNull(applications.suspendedAt),
};

/** A number is an owner's, 32 hexadecimal digits are a client id, other text is part of a name. */
function fits(search: string | undefined): SQL | undefined {
  if (!search) return undefined;
  if (/^\d{1,9}$/.test(search)) return eq(accounts.playerId, Number(search));
  if (/^[0-9a-f]{32}$/.test(search)) return eq(applications.clientId, search);
  const part = `%${search.replace(/[\\%_]/g, "\\$&")}%`;
  return or(ilike(applications.name, part), ilike(players.name, part));
}

/** Open ones. */
export const countVerificationRequests = (on: Queryable): Promise<number> =>
  on.$count(verificationRequests, isOpen);

export async function inspectApplication(on: Queryable, clientId: string) {
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
export async function findLockedApplication(tx: Queryable, clientId: string) {
  const alive = and(eq(applications.clientId, clientId), isNull(applications.deletedAt));
  // The owner's lock first, as in a ban, to avoid a deadlock.
  const [owner] = await tx
    .select({ bannedAt: accounts.bannedAt })
    .from(accounts)
    .innerJoin(applications, eq(applications.ownerId, accounts.id))
    .where(alive)
    .for("no key update", { of: accounts });
  const [row] = await tx
    .select(columnsOf(applications, ["name", "ownerId", "verifiedAt", "suspendedAt", "version"]))
    .from(applications)
    .where(alive)
    .for("update");
  if (!owner || !row) return undefined;
  const { name, ownerId, verifiedAt, suspendedAt, version } = row;
  const ownerBanned = owner.bannedAt !== null;
  const marks = { verified: verifiedAt !== null, suspended: suspendedAt !== null, ownerBanned };
  return { clientId, name, ownerId, version, ...marks };
}

export async function markApplication(
  tx: Queryable,
  clientId: string,
  mark:
    | {
        readonly verifiedAt: Date | null;
        readonly verifiedAs?: Readonly<Record<string, unknown>>;
        readonly version: number;
      }
    | { readonly version: number }
    | { readonly suspendedAt: Date | null; readonly suspendedFor: string | null },
): Promise<void> {
  await tx.update(applications).set(mark).where(eq(applications.clientId, clientId));
}

/** @returns those that were not suspended before */
export const suspendApplicationsOf = (
  tx: Queryable,
  ownerId: string,
  mark: { readonly suspendedAt: Date; readonly suspendedFor: string },
) =>
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

/** Only those suspended at this instant, by the ban. */
export const resumeApplicationsOf = (
  tx: Queryable,
  ownerId: string,
  mark: { readonly suspendedAt: Date; readonly suspendedFor: string },
) =>
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
