import {
  and,
  eq,
  gt,
  isNull,
  lte,
  or,
  type Placeholder,
  type SQL,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import type { Queryable } from "#db/client";
import { accounts } from "#db/schema/accounts";
import { factionAccess, wildcardClientId } from "#db/schema/faction";
import { applications, consents, grants } from "#db/schema/oauth";
import { players } from "#db/schema/players";
import { earlier } from "#server/platform/time";
import { covers, type ScopeName, scopeNames } from "#server/scopes";

/** Only `ended` is final. */
export type GrantState = "live" | "paused" | "suspended" | "banned" | "ended";

export const grantStateColumns = {
  grantRevokedAt: grants.revokedAt,
  absoluteExpiry: grants.absoluteExpiry,
};
export const consentStateColumns = {
  consentRevokedAt: consents.revokedAt,
  until: consents.until,
  pausedAt: consents.pausedAt,
};
export const applicationStateColumns = {
  deletedAt: applications.deletedAt,
  suspendedAt: applications.suspendedAt,
};
export const accountStateColumns = { bannedAt: accounts.bannedAt };

/** The strongest cause is first. A `mark` holds once it is set, an `end` from its instant on. */
const causes = [
  { column: "grantRevokedAt", kind: "mark", state: "ended" },
  { column: "consentRevokedAt", kind: "mark", state: "ended" },
  { column: "deletedAt", kind: "mark", state: "ended" },
  { column: "absoluteExpiry", kind: "end", state: "ended" },
  { column: "until", kind: "end", state: "ended" },
  { column: "bannedAt", kind: "mark", state: "banned" },
  { column: "suspendedAt", kind: "mark", state: "suspended" },
  { column: "pausedAt", kind: "mark", state: "paused" },
] as const;

type Cause = (typeof causes)[number];
type Column = Cause["column"];
type StateBy<C extends Column> = { [K in C]: Extract<Cause, { column: K }>["state"] }[C];

/**
 * If the query excluded states by `isNotInState`, name only the columns of the other states, as in
 * `grantState<"pausedAt">(row, now)`.
 */
export function grantState<C extends Column = Column>(
  row: Readonly<Record<C, Date | null>>,
  now: Date,
): StateBy<C> | "live";
export function grantState(
  row: Readonly<Partial<Record<Column, Date | null>>>,
  now: Date,
): GrantState {
  for (const { column, kind, state } of causes) {
    const at = row[column];
    if (at && (kind === "mark" || at <= now)) return state;
  }
  return "live";
}

type Columns = Partial<Readonly<Record<Column, SQLWrapper>>>;

const causesOf = (states: readonly GrantState[], columns: Columns) =>
  causes.flatMap(({ column, kind, state }) => {
    const at = columns[column];
    return at && states.includes(state) ? [{ at, kind }] : [];
  });

export type SqlInstant = Date | SQL | Placeholder;

export const isNotInState = (
  states: readonly GrantState[],
  columns: Columns,
  now: SqlInstant,
): SQL | undefined =>
  and(
    ...causesOf(states, columns).map(({ at, kind }) =>
      kind === "mark" ? isNull(at) : or(isNull(at), gt(at, now)),
    ),
  );

export const hadEnded = (columns: Columns, by: Date): SQL | undefined =>
  or(...causesOf(["ended"], columns).map(({ at }) => lte(at, by)));

/** No code or token of the grant outlives this end. */
export const grantEndOf = ({
  absoluteExpiry,
  until,
}: {
  readonly absoluteExpiry: Date;
  readonly until: Date | null;
}): Date => earlier(absoluteExpiry, until);

/** `grantEndOf` in SQL. */
export const grantEndSql = sql`least(${grants.absoluteExpiry}, ${consents.until})`;

/**
 * What of `scopes` consent and registration still cover. If they cover only parts of a held
 * `faction`, those parts take its place.
 */
export function effectiveScopes(
  { consented, registered }: Readonly<Record<"consented" | "registered", readonly ScopeName[]>>,
  scopes: readonly ScopeName[],
): ScopeName[] {
  const isEffective = (scope: ScopeName) => covers(consented, scope) && covers(registered, scope);
  return scopes.includes("faction") && !isEffective("faction")
    ? scopeNames.filter((scope) => covers(scopes, scope) && isEffective(scope))
    : scopes.filter(isEffective);
}

/** `covers` of server/scopes.ts in SQL. */
export const isScopeCovered = (scope: SQL, held: SQLWrapper): SQL =>
  sql`(${scope} = any(${held}) or (${scope} like 'faction:%' and 'faction' = any(${held})))`;

export const isScopeEffective = (scope: SQL): SQL | undefined =>
  and(isScopeCovered(scope, consents.scopes), isScopeCovered(scope, applications.scopes));

/** `effectiveScopes` in SQL. @param scopes text[] */
export function selectEffectiveScopes(scopes: SQL): SQL {
  const scope = sql.raw("known.scope");
  const isHeld = sql`${scope} = any(${scopes})`;
  const isPart = sql`(${isScopeCovered(scope, scopes)} and not (${isScopeEffective(sql`'faction'`)}))`;
  return sql`
    select ${scope} from unnest(${sql.raw(`'{${scopeNames.join()}}'::text[]`)}) with ordinality as known(scope, place)
    where (${isHeld} or ${isPart}) and ${isScopeEffective(scope)}
    order by known.place`;
}

/**
 * The faction's decision about the application, else its default. Needs a lateral join with
 * `players` and `applications`. A blocked application reads no faction data; its tokens stay.
 */
export const selectFactionDecision = (on: Queryable) =>
  on
    .select({ blocked: factionAccess.blocked, allowedSince: factionAccess.allowedSince })
    .from(factionAccess)
    .where(
      and(
        eq(factionAccess.factionId, players.factionId),
        sql`${factionAccess.clientId} in (${applications.clientId}, ${wildcardClientId})`,
      ),
    )
    .orderBy(eq(factionAccess.clientId, wildcardClientId))
    .limit(1)
    .as("faction_rule");
