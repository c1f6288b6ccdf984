import {
  and,
  desc,
  eq,
  gt,
  inArray,
  isNull,
  lte,
  ne,
  type SQL,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import type { Queryable } from "#db/client";
import { accounts, notices } from "#db/schema/accounts";
import { consentPeriods } from "#db/schema/events";
import { accessTokens, applications, consents, grants, refreshTokens } from "#db/schema/oauth";
import { players } from "#db/schema/players";
import { columnsOf } from "#db/select";
import type { NewNotice } from "#server/context";
import type { Settings } from "#server/platform/env";
import { missingScopes, type ScopeName } from "#server/scopes";
import { applicationColumns, applicationOf } from "../clients/store";
import { mayApprove } from "../clients/team/permitted";
import {
  accountStateColumns,
  applicationStateColumns,
  consentStateColumns,
  isNotInState,
  type SqlInstant,
} from "../grants/grant-status";
import { formatScopeList, knownScopesOf } from "../scope-list";

type Consent = typeof consents.$inferSelect;

export type ApprovedIdentity = Pick<
  Consent,
  "applicationName" | "applicationOwner" | "redirectHosts"
>;

export const consentHolds = (now: SqlInstant) => isNotInState(["ended"], consentStateColumns, now);

type Pair = Pick<Consent, "accountId" | "clientId">;

const isOf = ({ accountId, clientId }: Pair) =>
  and(eq(consents.accountId, accountId), eq(consents.clientId, clientId));

const liveColumns = {
  ...columnsOf(consents, ["id", "clientId", "scopes", "approvedScopes"]),
  ...columnsOf(consents, ["updatedAt", "lastUsedAt", "until", "pausedAt"]),
  ...columnsOf(consents, ["applicationName", "applicationOwner", "redirectHosts"]),
};

/** `takenAway`: scopes that were approved once; the player may give them back. */
function liveConsent({ approvedScopes, ...row }: Pick<Consent, keyof typeof liveColumns>) {
  const scopes = knownScopesOf(row.scopes);
  const takenAway = missingScopes(scopes, knownScopesOf(approvedScopes));
  return { ...row, scopes, takenAway, paused: row.pausedAt !== null };
}

export type LiveConsent = ReturnType<typeof liveConsent>;

/** Includes an expired consent. */
export async function findUnrevoked(on: Queryable, pair: Pair) {
  const [row] = await on
    .select(liveColumns)
    .from(consents)
    .where(and(isOf(pair), isNull(consents.revokedAt)));
  return row && liveConsent(row);
}

export const lockLiveConsent = (tx: Queryable, pair: Pair, now: Date) =>
  lockLive(tx, isOf(pair), now);

export const lockOwnConsent = (tx: Queryable, own: Pick<Consent, "id" | "accountId">, now: Date) =>
  lockLive(tx, and(eq(consents.id, own.id), eq(consents.accountId, own.accountId)), now);

async function lockLive(tx: Queryable, which: SQL | undefined, now: Date) {
  const [row] = await tx
    .select(liveColumns)
    .from(consents)
    .where(and(which, consentHolds(now)))
    .for("update");
  return row && liveConsent(row);
}

/**
 * Locks account and application, so that no ban, deletion, suspension, or removal from the team or
 * the test players falls between the parts of an approval.
 * @returns true if the account may approve the application
 */
export async function lockParties(tx: Queryable, { accountId, clientId }: Pair): Promise<boolean> {
  const [row] = await tx
    .select({ ...accountStateColumns, ...applicationStateColumns, openedAt: applications.openedAt })
    .from(accounts)
    .innerJoin(applications, eq(applications.clientId, clientId))
    .where(eq(accounts.id, accountId))
    .for("share", { of: [accounts, applications] });
  if (!row || row.bannedAt || row.deletedAt || row.suspendedAt) return false;
  // A separate statement, so that the check sees commits made during the wait for the lock.
  return row.openedAt !== null || mayApprove(tx, { accountId, clientId });
}

/** A unique index keeps one live consent per account and application. @returns its id */
export async function saveConsent(
  tx: Queryable,
  {
    without,
    ...consent
  }: Pick<Consent, "id" | "scopes" | "until"> &
    Pair &
    ApprovedIdentity & { readonly without: readonly ScopeName[] },
  now: Date,
): Promise<string> {
  const { until, applicationName, applicationOwner, redirectHosts } = consent;
  // An expired consent must not pass its scopes and grants to the new consent.
  await tx
    .update(consents)
    .set({ revokedAt: now, updatedAt: now })
    .where(and(isOf(consent), isNull(consents.revokedAt), lte(consents.until, now)));
  const [saved] = await tx
    .insert(consents)
    .values({ ...consent, approvedScopes: consent.scopes, createdAt: now, updatedAt: now })
    .onConflictDoUpdate({
      target: [consents.accountId, consents.clientId],
      targetWhere: isNull(consents.revokedAt),
      set: {
        // Neither of two concurrent first approvals finds a consent to lock, so the second keeps
        // the scopes of the first.
        scopes: sql`array(select unnest(${consents.scopes} || excluded.scopes) except select unnest(string_to_array(${formatScopeList(without)}, ' ')))`,
        approvedScopes: sql`array(select distinct unnest(${consents.approvedScopes} || excluded.scopes))`,
        applicationName,
        applicationOwner,
        redirectHosts,
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

export async function listLiveConsents(on: Queryable, accountId: string, now: Date) {
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
        isNotInState(["ended"], { ...consentStateColumns, ...applicationStateColumns }, now),
      ),
    )
    .orderBy(desc(consents.createdAt), desc(consents.id));
  return rows.map(({ since, application, ...row }) => ({
    ...liveConsent(row),
    since,
    application: asPlayersSee(application),
  }));
}

/** The reason of a suspension is for the team alone. */
function asPlayersSee(row: Parameters<typeof applicationOf>[0]) {
  const { suspendedFor: _, ...application } = applicationOf(row);
  return application;
}

/**
 * Notifies all players in one statement. The lock leaves out accounts that are deleted meanwhile.
 */
export async function notifyPlayersOf(
  tx: Queryable,
  of: {
    readonly clientId: string;
    readonly except: string;
    readonly notice: Required<Omit<NewNotice, "accountId" | "isRead">>;
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
    from ${consents} inner join ${accounts} on ${eq(accounts.id, consents.accountId)}
    where ${isPlayers} for key share of ${accounts}`);
}

/** Includes expired consents and deleted applications. */
export async function findApprovedApplication(on: Queryable, pair: Pair) {
  const [row] = await on
    .select({ application: applicationColumns, deletedAt: applications.deletedAt })
    .from(consents)
    .innerJoin(applications, eq(applications.clientId, consents.clientId))
    .innerJoin(accounts, eq(accounts.id, applications.ownerId))
    .innerJoin(players, eq(players.id, accounts.playerId))
    .where(isOf(pair))
    .limit(1);
  return row && { application: asPlayersSee(row.application), deleted: row.deletedAt !== null };
}

export async function changeConsent(
  tx: Queryable,
  id: string,
  change: Partial<Pick<Consent, "pausedAt" | "scopes" | "until">> & Pick<Consent, "updatedAt">,
): Promise<void> {
  const [changed] = await tx
    .update(consents)
    .set(change)
    .where(eq(consents.id, id))
    .returning({ scopes: consents.scopes, pausedAt: consents.pausedAt });
  if (changed)
    await beginPeriod(tx, { id, scopes: changed.pausedAt ? [] : changed.scopes }, change.updatedAt);
}

/** An event is visible if a period covers its time. A paused consent has no period. */
async function beginPeriod(
  tx: Queryable,
  { id, scopes }: Pick<Consent, "id" | "scopes">,
  at: Date,
): Promise<void> {
  const { consentId, ended } = consentPeriods;
  await tx
    .update(consentPeriods)
    .set({ ended: at })
    .where(and(eq(consentId, id), isNull(ended)));
  if (scopes.length > 0)
    await tx.insert(consentPeriods).values({ consentId: id, began: at, scopes });
}

/**
 * The ends of grants and tokens follow the consent's, within the lifetimes. A shortened lifetime
 * ends nothing, because an end in the past would be reported to no application.
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
  const isUsable = and(
    isLive,
    eq(refreshTokens.grantId, grants.id),
    isNull(refreshTokens.consumedAt),
    gt(refreshTokens.expiresAt, now),
  );
  // Locks in the order of concurrent rotations, to avoid deadlocks.
  await tx
    .select({ hash: refreshTokens.hash })
    .from(refreshTokens)
    .innerJoin(grants, eq(refreshTokens.grantId, grants.id))
    .where(isUsable)
    .orderBy(sql`${refreshTokens.hash} collate "C"`)
    .for("update", { of: refreshTokens });
  await tx
    .update(refreshTokens)
    .set({ expiresAt: withinGrant(refreshTokens, lifetimes.refreshIdle) })
    .from(grants)
    .where(isUsable);
  const access = sql`case ${applications.kind} when 'public' then ${lifetimes.accessPublic}::integer else ${lifetimes.access}::integer end`;
  await tx
    .update(accessTokens)
    .set({ expiresAt: withinGrant(accessTokens, access) })
    .from(grants)
    .innerJoin(applications, eq(applications.clientId, grants.clientId))
    .where(
      and(
        isLive,
        eq(accessTokens.grantId, grants.id),
        isNull(accessTokens.revokedAt),
        gt(accessTokens.expiresAt, now),
      ),
    );
}

export interface ConsentSelection {
  readonly accountId: string;
  readonly clientId?: string;
  readonly ids?: readonly string[] | undefined;
}

/** @returns the consents that had not ended before */
export const endConsents = (
  on: Queryable,
  { accountId, clientId, ids }: ConsentSelection,
  now: Date,
) =>
  on
    .update(consents)
    .set({ revokedAt: now, updatedAt: now })
    .where(
      and(
        eq(consents.accountId, accountId),
        clientId === undefined ? undefined : eq(consents.clientId, clientId),
        ids && inArray(consents.id, [...ids]),
        isNull(consents.revokedAt),
      ),
    )
    .returning({ id: consents.id, clientId: consents.clientId });
