import { and, desc, eq, isNull, lte, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { accounts } from "#db/schema/accounts";
import { applications, consents } from "#db/schema/oauth";
import { players } from "#db/schema/players";
import type { ScopeName } from "#server/scopes";
import {
  accountMarks,
  applicationMarks,
  consentMarks,
  type Instant,
  isNotIn,
} from "../grants/grant-status";
import { formatScopeList, knownScopes } from "../scope-list";
import { beginPeriod } from "./period-store";

/** An application as it was when a player approved it last. */
export interface ApprovedIdentity {
  readonly applicationName: string;
  readonly redirectHosts: readonly string[];
}

/** What a player allowed an application, and until when. */
interface LiveConsent extends ApprovedIdentity {
  readonly id: string;
  readonly scopes: readonly ScopeName[];
  readonly until: Date | null;
  readonly paused: boolean;
}

/** An application as a player knows it who let it in. */
export interface KnownApplication {
  readonly clientId: string;
  readonly name: string;
  readonly ownerName: string;
  readonly clientUri: string;
  readonly privacyUri: string;
  readonly verified: boolean;
  readonly suspended: boolean;
}

/** The same with the application, for the player. */
export interface ListedConsent extends LiveConsent {
  readonly application: KnownApplication;
  readonly since: Date;
}

/** The same with the application that it was given to. */
export interface OwnConsent extends LiveConsent {
  readonly clientId: string;
}

/** Whether a consent holds: not revoked, nor over. */
export const consentHolds = (now: Instant) => isNotIn(["ended"], consentMarks, now);

interface Pair {
  readonly accountId: string;
  readonly clientId: string;
}

const liveColumns = {
  id: consents.id,
  scopes: consents.scopes,
  until: consents.until,
  pausedAt: consents.pausedAt,
  applicationName: consents.applicationName,
  redirectHosts: consents.redirectHosts,
};
const selectLive = (on: Queryable, { accountId, clientId }: Pair, now: Date) =>
  on
    .select(liveColumns)
    .from(consents)
    .where(
      and(eq(consents.accountId, accountId), eq(consents.clientId, clientId), consentHolds(now)),
    );

const liveConsent = (row: Awaited<ReturnType<typeof selectLive>>[number]): LiveConsent => ({
  id: row.id,
  scopes: knownScopes(row.scopes),
  until: row.until,
  paused: row.pausedAt !== null,
  applicationName: row.applicationName,
  redirectHosts: row.redirectHosts,
});

/** The account's last consent to the application, even an expired one; undefined where it was revoked. */
export async function findUnrevoked(on: Queryable, { accountId, clientId }: Pair) {
  const { scopes, updatedAt, until, pausedAt, applicationName, redirectHosts } = consents;
  const [row] = await on
    .select({ scopes, updatedAt, until, pausedAt, applicationName, redirectHosts })
    .from(consents)
    .where(
      and(
        eq(consents.accountId, accountId),
        eq(consents.clientId, clientId),
        isNull(consents.revokedAt),
      ),
    );
  return row && { ...row, scopes: knownScopes(row.scopes) };
}

/** The live consent, locked until the end of the transaction. */
export async function lockLiveConsent(
  tx: Queryable,
  pair: Pair,
  now: Date,
): Promise<LiveConsent | undefined> {
  const [row] = await selectLive(tx, pair, now).for("update");
  return row && liveConsent(row);
}

/**
 * Locks account and application until the end of the transaction, so that a ban, a deletion or a suspension comes before or after
 * an approval and never between its parts. @returns whether the application may be approved by the account
 */
export async function lockParties(tx: Queryable, { accountId, clientId }: Pair): Promise<boolean> {
  const [row] = await tx
    .select({ ...accountMarks, ...applicationMarks })
    .from(accounts)
    .innerJoin(applications, eq(applications.clientId, clientId))
    .where(eq(accounts.id, accountId))
    .for("share", { of: [accounts, applications] });
  return row !== undefined && !row.bannedAt && !row.deletedAt && !row.suspendedAt;
}

/**
 * Stores what a player just approved: a new consent, or the live one with the scopes added, others taken away and a new end. There is one
 * live consent per account and application, which a unique index guards against two approvals at once.
 * @returns the id of the consent that now holds
 */
export async function saveConsent(
  tx: Queryable,
  consent: Pair &
    ApprovedIdentity & {
      readonly id: string;
      readonly scopes: readonly ScopeName[];
      /** What the player left out now, and what the live consent held and no longer does. */
      readonly without: readonly ScopeName[];
      readonly until: Date | null;
    },
  now: Date,
): Promise<string> {
  const { id, accountId, clientId, until, applicationName } = consent;
  const identity = { applicationName, redirectHosts: [...consent.redirectHosts] };
  const without = formatScopeList(consent.without);
  // An expired consent must not lend its scopes and grants to the new one.
  await tx
    .update(consents)
    .set({ revokedAt: now, updatedAt: now })
    .where(
      and(
        eq(consents.accountId, accountId),
        eq(consents.clientId, clientId),
        isNull(consents.revokedAt),
        lte(consents.until, now),
      ),
    );
  const [saved] = await tx
    .insert(consents)
    .values({
      id,
      accountId,
      clientId,
      scopes: [...consent.scopes],
      ...identity,
      until,
      createdAt: now,
      updatedAt: now,
    })
    .onConflictDoUpdate({
      target: [consents.accountId, consents.clientId],
      targetWhere: isNull(consents.revokedAt),
      set: {
        // Of two first approvals at once neither found a consent to lock: the second keeps what the first was given.
        scopes: sql`array(select unnest(${consents.scopes} || excluded.scopes) except select unnest(string_to_array(${without}, ' ')))`,
        ...identity,
        until,
        updatedAt: now,
        pausedAt: null,
      },
    })
    .returning({ id: consents.id, scopes: consents.scopes });
  if (!saved) throw new Error("The consent was not stored.");
  await beginPeriod(tx, saved, now);
  return saved.id;
}

const applicationColumns = {
  clientId: applications.clientId,
  name: applications.name,
  ownerName: players.name,
  clientUri: applications.clientUri,
  privacyUri: applications.privacyUri,
  verifiedAt: applications.verifiedAt,
  suspendedAt: applications.suspendedAt,
};

type ApplicationRow = Omit<KnownApplication, "verified" | "suspended"> &
  Pick<typeof applications.$inferSelect, "verifiedAt" | "suspendedAt">;

const knownApplication = ({
  verifiedAt,
  suspendedAt,
  ...row
}: ApplicationRow): KnownApplication => ({
  ...row,
  verified: verifiedAt !== null,
  suspended: suspendedAt !== null,
});

/** The live consents of an account to applications that still exist, newest first. */
export async function listLiveConsents(
  on: Queryable,
  accountId: string,
  now: Date,
): Promise<ListedConsent[]> {
  const rows = await on
    .select({
      ...liveColumns,
      since: consents.createdAt,
      application: applicationColumns,
    })
    .from(consents)
    .innerJoin(applications, eq(applications.clientId, consents.clientId))
    .innerJoin(accounts, eq(accounts.id, applications.ownerId))
    .innerJoin(players, eq(players.id, accounts.playerId))
    .where(
      and(
        eq(consents.accountId, accountId),
        isNotIn(["ended"], { ...consentMarks, ...applicationMarks }, now),
      ),
    )
    .orderBy(desc(consents.createdAt), desc(consents.id));
  return rows.map(({ since, application, ...row }) => ({
    ...liveConsent(row),
    since,
    application: knownApplication(application),
  }));
}

/** An application that the account let in at some time, be that over or the application deleted. */
export async function findOnceAllowed(
  on: Queryable,
  { accountId, clientId }: Pair,
): Promise<{ application: KnownApplication; deleted: boolean } | undefined> {
  const [row] = await on
    .select({ application: applicationColumns, deletedAt: applications.deletedAt })
    .from(consents)
    .innerJoin(applications, eq(applications.clientId, consents.clientId))
    .innerJoin(accounts, eq(accounts.id, applications.ownerId))
    .innerJoin(players, eq(players.id, accounts.playerId))
    .where(and(eq(consents.accountId, accountId), eq(consents.clientId, clientId)))
    .limit(1);
  return row && { application: knownApplication(row.application), deleted: row.deletedAt !== null };
}

/** A live consent of an account's own, held until the end of the transaction. */
export async function lockOwnConsent(
  tx: Queryable,
  key: { readonly id: string; readonly accountId: string },
  now: Date,
): Promise<OwnConsent | undefined> {
  const [row] = await tx
    .select({ ...liveColumns, clientId: consents.clientId })
    .from(consents)
    .where(and(eq(consents.id, key.id), eq(consents.accountId, key.accountId), consentHolds(now)))
    .for("update");
  return row && { ...liveConsent(row), clientId: row.clientId };
}

/** Pauses, resumes or narrows a consent that the transaction holds. */
export async function changeConsent(
  tx: Queryable,
  id: string,
  change: {
    readonly pausedAt?: Date | null;
    readonly scopes?: readonly ScopeName[];
    readonly updatedAt: Date;
  },
): Promise<void> {
  const { scopes, ...rest } = change;
  const [changed] = await tx
    .update(consents)
    .set({ ...rest, ...(scopes && { scopes: [...scopes] }) })
    .where(eq(consents.id, id))
    .returning({ scopes: consents.scopes, pausedAt: consents.pausedAt });
  if (changed)
    await beginPeriod(tx, { id, scopes: changed.pausedAt ? [] : changed.scopes }, change.updatedAt);
}

/** Ends the consents of an account, or one of them. @returns those that had not ended before */
export async function endConsents(
  on: Queryable,
  { accountId, id }: { readonly accountId: string; readonly id?: string },
  now: Date,
): Promise<{ id: string; clientId: string }[]> {
  return on
    .update(consents)
    .set({ revokedAt: now, updatedAt: now })
    .where(
      and(
        eq(consents.accountId, accountId),
        id === undefined ? undefined : eq(consents.id, id),
        isNull(consents.revokedAt),
      ),
    )
    .returning({ id: consents.id, clientId: consents.clientId });
}
