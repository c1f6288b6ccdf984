import { and, desc, eq, gt, inArray, isNull, lte, ne, type SQLWrapper, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { accounts, notices } from "#db/schema/accounts";
import { accessTokens, applications, consents, grants, refreshTokens } from "#db/schema/oauth";
import { players } from "#db/schema/players";
import type { NewNotice } from "#server/context";
import type { Settings } from "#server/platform/env";
import { covers, type ScopeName } from "#server/scopes";
import {
  accountMarks,
  applicationMarks,
  consentMarks,
  type Instant,
  isNotIn,
} from "../grants/grant-status";
import { formatScopeList, knownScopes } from "../scope-list";
import { beginPeriod } from "./period-store";

export interface ApprovedIdentity {
  readonly applicationName: string;
  /** Null only in rows that no approval wrote. */
  readonly applicationOwner: string | null;
  readonly redirectHosts: readonly string[];
}

interface LiveConsent extends ApprovedIdentity {
  readonly id: string;
  readonly scopes: readonly ScopeName[];
  /** Once approved and taken away; a player may give them back. */
  readonly takenAway: readonly ScopeName[];
  readonly lastUsedAt: Date | null;
  readonly until: Date | null;
  readonly paused: boolean;
}

export interface KnownApplication {
  readonly clientId: string;
  readonly name: string;
  readonly ownerName: string;
  readonly description: string;
  readonly emblemSign: string | null;
  readonly emblemColour: string | null;
  readonly scopes: readonly ScopeName[];
  readonly clientUri: string;
  readonly privacyUri: string;
  readonly verified: boolean;
  readonly suspended: boolean;
}

export interface ListedConsent extends LiveConsent {
  readonly application: KnownApplication;
  readonly since: Date;
}

export interface OwnConsent extends LiveConsent {
  readonly clientId: string;
}

export const consentHolds = (now: Instant) => isNotIn(["ended"], consentMarks, now);

interface Pair {
  readonly accountId: string;
  readonly clientId: string;
}

const liveColumns = {
  id: consents.id,
  scopes: consents.scopes,
  approvedScopes: consents.approvedScopes,
  lastUsedAt: consents.lastUsedAt,
  until: consents.until,
  pausedAt: consents.pausedAt,
  applicationName: consents.applicationName,
  applicationOwner: consents.applicationOwner,
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
  takenAway: knownScopes(row.approvedScopes).filter(
    (scope) => !covers(knownScopes(row.scopes), scope),
  ),
  lastUsedAt: row.lastUsedAt,
  until: row.until,
  paused: row.pausedAt !== null,
  applicationName: row.applicationName,
  applicationOwner: row.applicationOwner,
  redirectHosts: row.redirectHosts,
});

/** Even if expired. */
export async function findUnrevoked(on: Queryable, { accountId, clientId }: Pair) {
  const { scopes, updatedAt, until, pausedAt } = consents;
  const { applicationName, applicationOwner, redirectHosts } = consents;
  const identity = { applicationName, applicationOwner, redirectHosts };
  const [row] = await on
    .select({ scopes, updatedAt, until, pausedAt, ...identity })
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

/** Locked until the end of the transaction. */
export async function lockLiveConsent(
  tx: Queryable,
  pair: Pair,
  now: Date,
): Promise<LiveConsent | undefined> {
  const [row] = await selectLive(tx, pair, now).for("update");
  return row && liveConsent(row);
}

/**
 * Locks both until the end of the transaction, so that a ban, deletion or suspension cannot fall
 * between the parts of an approval.
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

/** A unique index keeps one live consent per account and application. @returns its id */
export async function saveConsent(
  tx: Queryable,
  consent: Pair &
    ApprovedIdentity & {
      readonly id: string;
      readonly scopes: readonly ScopeName[];
      readonly without: readonly ScopeName[];
      readonly until: Date | null;
    },
  now: Date,
): Promise<string> {
  const { id, accountId, clientId, until, applicationName, applicationOwner } = consent;
  const redirectHosts = [...consent.redirectHosts];
  const identity = { applicationName, applicationOwner, redirectHosts };
  const without = formatScopeList(consent.without);
  // An expired consent must not pass its scopes and grants to the new one.
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
      approvedScopes: [...consent.scopes],
      ...identity,
      until,
      createdAt: now,
      updatedAt: now,
    })
    .onConflictDoUpdate({
      target: [consents.accountId, consents.clientId],
      targetWhere: isNull(consents.revokedAt),
      set: {
        // Neither of two concurrent first approvals finds a consent to lock, so the second keeps
        // the scopes of the first.
        scopes: sql`array(select unnest(${consents.scopes} || excluded.scopes) except select unnest(string_to_array(${without}, ' ')))`,
        approvedScopes: sql`array(select distinct unnest(${consents.approvedScopes} || excluded.scopes))`,
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
  description: applications.description,
  emblemSign: applications.emblemSign,
  emblemColour: applications.emblemColour,
  scopes: applications.scopes,
  clientUri: applications.clientUri,
  privacyUri: applications.privacyUri,
  verifiedAt: applications.verifiedAt,
  suspendedAt: applications.suspendedAt,
};

type ApplicationRow = Omit<KnownApplication, "verified" | "suspended" | "scopes"> &
  Pick<typeof applications.$inferSelect, "verifiedAt" | "suspendedAt" | "scopes">;

const knownApplication = ({
  verifiedAt,
  suspendedAt,
  ...row
}: ApplicationRow): KnownApplication => ({
  ...row,
  scopes: knownScopes(row.scopes),
  verified: verifiedAt !== null,
  suspended: suspendedAt !== null,
});

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

/** One statement: there may be many. */
export async function notifyPlayersOf(
  tx: Queryable,
  of: {
    readonly clientId: string;
    readonly except: string;
    readonly notice: Required<Omit<NewNotice, "accountId">>;
  },
  now: Date,
): Promise<void> {
  const { kind, text, path } = of.notice;
  const isPlayers = and(
    eq(consents.clientId, of.clientId),
    ne(consents.accountId, of.except),
    consentHolds(now),
  );
  await tx.execute(sql`
    insert into ${notices} (id, account_id, kind, text, path, created_at)
    select gen_random_uuid(), ${consents.accountId}, ${kind}::text, ${text}::text, ${path}::text,
      ${now.toISOString()}::timestamptz
    from ${consents} where ${isPlayers}`);
}

/** Includes expired consents and deleted applications. */
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

/** Locked until the end of the transaction. */
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

export async function changeConsent(
  tx: Queryable,
  id: string,
  change: {
    readonly pausedAt?: Date | null;
    readonly scopes?: readonly ScopeName[];
    readonly until?: Date | null;
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

/**
 * Grants follow their consent, and tokens their grant, within the lifetimes. A lifetime that was
 * shortened meanwhile ends nothing, because an end in the past would be reported to no application.
 */
export async function moveGrantEnds(
  tx: Queryable,
  consentId: string,
  moved: {
    readonly until: Date | null;
    readonly lifetimes: Settings["lifetimes"];
    readonly now: Date;
  },
): Promise<void> {
  const { until, lifetimes, now } = moved;
  const longest = sql`greatest(${grants.absoluteExpiry}, ${grants.createdAt} + make_interval(secs => ${lifetimes.refreshMax}))`;
  const end = until ? sql`least(${until.toISOString()}::timestamptz, ${longest})` : longest;
  const isLive = and(
    eq(grants.consentId, consentId),
    isNull(grants.revokedAt),
    gt(grants.absoluteExpiry, now),
  );
  await tx.update(grants).set({ absoluteExpiry: end }).where(isLive);
  const withinGrant = (
    token: typeof refreshTokens | typeof accessTokens,
    seconds: SQLWrapper | number,
  ) => {
    const own = sql`greatest(${token.expiresAt}, ${token.issuedAt} + make_interval(secs => ${seconds}))`;
    return sql`least(${own}, ${grants.absoluteExpiry})`;
  };
  await tx
    .update(refreshTokens)
    .set({ expiresAt: withinGrant(refreshTokens, lifetimes.refreshIdle) })
    .from(grants)
    .where(
      and(
        ...[isLive, eq(refreshTokens.grantId, grants.id)],
        ...[isNull(refreshTokens.consumedAt), gt(refreshTokens.expiresAt, now)],
      ),
    );
  const access = sql`case ${applications.kind} when 'public' then ${lifetimes.accessPublic}::integer else ${lifetimes.access}::integer end`;
  await tx
    .update(accessTokens)
    .set({ expiresAt: withinGrant(accessTokens, access) })
    .from(grants)
    .innerJoin(applications, eq(applications.clientId, grants.clientId))
    .where(
      and(
        ...[isLive, eq(accessTokens.grantId, grants.id)],
        ...[isNull(accessTokens.revokedAt), gt(accessTokens.expiresAt, now)],
      ),
    );
}

/** @returns those that had not ended before */
export async function endConsents(
  on: Queryable,
  { accountId, ids }: { readonly accountId: string; readonly ids?: readonly string[] | undefined },
  now: Date,
): Promise<{ id: string; clientId: string }[]> {
  return on
    .update(consents)
    .set({ revokedAt: now, updatedAt: now })
    .where(
      and(
        eq(consents.accountId, accountId),
        ids && inArray(consents.id, [...ids]),
        isNull(consents.revokedAt),
      ),
    )
    .returning({ id: consents.id, clientId: consents.clientId });
}
