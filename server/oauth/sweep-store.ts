import { and, eq, isNotNull, lt, lte, or, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Queryable } from "#db/client";
import {
  accessTokens,
  applicationReports,
  authorizationCodes,
  authorizationRequests,
  consents,
  grants,
  refreshTokens,
} from "#db/schema/oauth";
import { executeAndCount, type Sweep, secondsBefore, settlingSeconds } from "#db/sweep";
import { daySeconds } from "#server/platform/time";
import { consentStateColumns, grantStateColumns, hadEnded } from "./grants/grant-status";

/** A code that is reused within a day ends the grant. */
const codesKept = daySeconds;
/** A consent page that is opened again shows the outcome. */
const requestsKept = daySeconds;
/** The developer's log explains calls with an ended token. */
export const endedTokenRetention = daySeconds;
/** Closed reports are kept too, because operators compare repeated reports. */
const reportsKept = 180 * daySeconds;
/** The player's page shows ended consents. */
const endedConsentsKept = 90 * daySeconds;

export const oauthSweeps: readonly Sweep[] = [
  { table: authorizationCodes, column: authorizationCodes.expiresAt, keep: codesKept },
  { table: authorizationRequests, column: authorizationRequests.expiresAt, keep: requestsKept },
  { table: accessTokens, column: accessTokens.expiresAt, keep: endedTokenRetention },
  { table: applicationReports, column: applicationReports.reportedAt, keep: reportsKept },
];

export interface SweepTimes {
  readonly now: Date;
  readonly replayable: Date;
}

/** An index for deletions would slow each refresh, so grants and consents are walked by key. */
export interface PagedSweep {
  readonly table: PgTable & { readonly id: PgColumn };
  /** @returns the number of deleted rows; `limit` or more means that some are left */
  clear(on: Queryable, page: SQL, moment: SweepTimes, limit: number): Promise<number>;
}

/** `limit 1` forces a lookup by key, whatever the row estimate. */
const none = (table: PgTable, where: SQL | undefined) =>
  sql`(select true from ${table} where ${where} limit 1) is null`;

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
  return or(hadEnded({ ...grantStateColumns, ...consentStateColumns }, by), idle);
}

function wipeReplies(
  on: Queryable,
  page: SQL,
  { replayable }: SweepTimes,
  limit: number,
): Promise<number> {
  const unneeded = and(
    isNotNull(refreshTokens.sealedReply),
    lt(refreshTokens.consumedAt, replayable),
  );
  const chosen = sql`select ctid from ${refreshTokens}
    where ${refreshTokens.grantId} = any(${page}) and ${unneeded} limit ${limit}`;
  return executeAndCount(
    on,
    sql`update ${refreshTokens} set sealed_reply = null where ctid = any(array(${chosen})) returning 1 as one`,
  );
}

/**
 * Late reuse of a consumed refresh token must end a live grant, so a chain is kept until it can no
 * longer be continued.
 */
function deleteChains(
  on: Queryable,
  page: SQL,
  { now }: SweepTimes,
  limit: number,
): Promise<number> {
  const chosen = sql`
    select link.ctid
    from (
      select ${grants.id} from ${grants} join ${consents} on ${eq(consents.id, grants.consentId)}
      where ${grants.id} = any(${page}) and ${isOver(secondsBefore(now, settlingSeconds))} offset 0
    ) as finished
      cross join lateral (
        select ${refreshTokens}.ctid from ${refreshTokens} where ${refreshTokens.grantId} = finished.id limit ${limit}
      ) as link
    limit ${limit}`;
  return executeAndCount(
    on,
    sql`delete from ${refreshTokens} where ctid = any(array(${chosen})) returning 1 as one`,
  );
}

/** Nothing reads a grant without codes and tokens. */
const deleteEmptyGrants = (on: Queryable, page: SQL, { now }: SweepTimes): Promise<number> =>
  executeAndCount(
    on,
    sql`delete from ${grants} where ${and(
      sql`${grants.id} = any(${page})`,
      lte(grants.createdAt, secondsBefore(now, settlingSeconds)),
      none(refreshTokens, eq(refreshTokens.grantId, grants.id)),
      none(accessTokens, eq(accessTokens.grantId, grants.id)),
      none(authorizationCodes, eq(authorizationCodes.grantId, grants.id)),
    )} returning 1 as one`,
  );

export const oauthPagedSweeps: readonly PagedSweep[] = [
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
    // A live consent without grants still spares the player a question.
    clear: (on, page, { now }) =>
      executeAndCount(
        on,
        sql`delete from ${consents} where ${and(
          sql`${consents.id} = any(${page})`,
          hadEnded(consentStateColumns, secondsBefore(now, endedConsentsKept)),
          none(grants, eq(grants.consentId, consents.id)),
        )} returning 1 as one`,
      ),
  },
];
