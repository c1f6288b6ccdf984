import { and, eq, isNotNull, lt, lte, or, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Queryable } from "#db/client";
import {
  accessTokens,
  authorizationCodes,
  authorizationRequests,
  consents,
  grants,
  refreshTokens,
} from "#db/schema/oauth";
import { before, countChanged, type Sweep, settling } from "#db/sweep";
import { daySeconds } from "#server/platform/time";
import { consentMarks, grantMarks, hadEnded } from "./grants/grant-status";

/** Seconds. A code that comes back within a day of its use ends the grant. */
const codesKept = daySeconds;
/** A player who returns to an old page reads what became of the request. */
const requestsKept = daySeconds;
/** A developer is told of calls with a token that has ended, which is known by its row. */
export const endedTokensKept = daySeconds;
/** The page of an application shows the player what was allowed, and how it ended. */
const endedConsentsKept = 90 * daySeconds;

export const oauthSweeps: readonly Sweep[] = [
  { table: authorizationCodes, column: authorizationCodes.expiresAt, keep: codesKept },
  { table: authorizationRequests, column: authorizationRequests.expiresAt, keep: requestsKept },
  { table: accessTokens, column: accessTokens.expiresAt, keep: endedTokensKept },
];

/** The instants that decide what is over. */
export interface Moment {
  readonly now: Date;
  /** A refresh that was answered before is not answered from its row again. */
  readonly replayable: Date;
}

/** Rows that no index leads to: an index for them would cost every refresh. Their parents are walked by key, a page at a time. */
export interface Walk {
  readonly table: PgTable & { readonly id: PgColumn };
  /** Removes what these rows of the table, and what hangs on them, no longer need. @returns rows; `limit` or more: come again */
  clear(on: Queryable, page: SQL, moment: Moment, limit: number): Promise<number>;
}

/** Written so that the planner asks for each grant by its key, however many rows it believes there are. */
const none = (table: PgTable, where: SQL | undefined) =>
  sql`(select true from ${table} where ${where} limit 1) is null`;

/** Whether nothing can be issued under the grant any more, and nothing that was issued still opens anything. */
function isOver(by: Date): SQL | undefined {
  const alive = (expiresAt: PgColumn) => sql`${expiresAt} > ${by.toISOString()}::timestamptz`;
  const idle = and(
    none(refreshTokens, and(eq(refreshTokens.grantId, grants.id), alive(refreshTokens.expiresAt))),
    none(accessTokens, and(eq(accessTokens.grantId, grants.id), alive(accessTokens.expiresAt))),
    none(
      authorizationCodes,
      and(eq(authorizationCodes.grantId, grants.id), alive(authorizationCodes.expiresAt)),
    ),
  );
  return or(hadEnded({ ...grantMarks, ...consentMarks }, by), idle);
}

/** Past the reuse window a reply is not repeated to anybody. */
function wipeReplies(
  on: Queryable,
  page: SQL,
  { replayable }: Moment,
  limit: number,
): Promise<number> {
  const unneeded = and(
    isNotNull(refreshTokens.sealedReply),
    lt(refreshTokens.consumedAt, replayable),
  );
  const chosen = sql`select ctid from ${refreshTokens}
    where ${refreshTokens.grantId} = any(${page}) and ${unneeded} limit ${limit}`;
  return countChanged(
    on,
    sql`update ${refreshTokens} set sealed_reply = null where ctid = any(array(${chosen})) returning 1 as one`,
  );
}

/**
 * A consumed refresh token that comes back late is the sign of theft, and must end a grant that lives. So a chain is kept whole,
 * however old its first links are, until it can no longer be continued.
 */
function deleteChains(on: Queryable, page: SQL, { now }: Moment, limit: number): Promise<number> {
  const chosen = sql`
    select link.ctid
    from (
      select ${grants.id} from ${grants} join ${consents} on ${eq(consents.id, grants.consentId)}
      where ${grants.id} = any(${page}) and ${isOver(before(now, settling))} offset 0
    ) as finished
      cross join lateral (
        select ${refreshTokens}.ctid from ${refreshTokens} where ${refreshTokens.grantId} = finished.id limit ${limit}
      ) as link
    limit ${limit}`;
  return countChanged(
    on,
    sql`delete from ${refreshTokens} where ctid = any(array(${chosen})) returning 1 as one`,
  );
}

/** A grant is born with its code. When code and tokens are all gone, nothing asks for it any more. */
const deleteEmptyGrants = (on: Queryable, page: SQL, { now }: Moment): Promise<number> =>
  countChanged(
    on,
    sql`delete from ${grants} where ${and(
      sql`${grants.id} = any(${page})`,
      lte(grants.createdAt, before(now, settling)),
      none(refreshTokens, eq(refreshTokens.grantId, grants.id)),
      none(accessTokens, eq(accessTokens.grantId, grants.id)),
      none(authorizationCodes, eq(authorizationCodes.grantId, grants.id)),
    )} returning 1 as one`,
  );

export const oauthWalks: readonly Walk[] = [
  {
    table: grants,
    clear: async (on, page, moment, limit) => {
      const wiped = await wipeReplies(on, page, moment, limit);
      const deleted = await deleteChains(on, page, moment, limit);
      if (Math.max(wiped, deleted) === limit) return wiped + deleted;
      return wiped + deleted + (await deleteEmptyGrants(on, page, moment));
    },
  },
  {
    table: consents,
    // A consent that holds is kept without grants too: the player need not be asked again.
    clear: (on, page, { now }) =>
      countChanged(
        on,
        sql`delete from ${consents} where ${and(
          sql`${consents.id} = any(${page})`,
          hadEnded(consentMarks, before(now, endedConsentsKept)),
          none(grants, eq(grants.consentId, consents.id)),
        )} returning 1 as one`,
      ),
  },
];
