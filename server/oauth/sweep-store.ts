import { and, count, eq, isNotNull, lt, lte, or, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import {
  accessTokens,
  authorizationCodes,
  authorizationRequests,
  consents,
  grants,
  refreshTokens,
} from "#db/schema/oauth";
import {
  before,
  countChanged,
  countTablePages,
  deleteChosen,
  expiredBy,
  type Moment,
  onPages,
  type Scan,
  type Sweep,
  settled,
  sweepByIndex,
} from "#db/sweep";
import { daySeconds, earlier } from "#server/platform/time";
import { consentMarks, grantMarks, hadEnded } from "./grants/grant-status";

/** A code that comes back within a day of its use ends the grant. */
const codesKept = daySeconds;
/** A player who returns to an old page reads what became of the request. */
const requestsKept = daySeconds;
/** The page of an application shows the player what was allowed, and how it ended. */
const endedConsentsKept = 90 * daySeconds;

const codes = sweepByIndex("authorization_codes", (moment) =>
  expiredBy(authorizationCodes, authorizationCodes.expiresAt, before(moment, codesKept)),
);

const requests = sweepByIndex("authorization_requests", (moment) =>
  expiredBy(authorizationRequests, authorizationRequests.expiresAt, before(moment, requestsKept)),
);

/** A refresh that is repeated within the window is answered from the access token that the first one issued. */
const replayable = (moment: Moment) => before(moment, moment.lifetimes.refreshReuse);
/** A developer is told of calls with a token that has ended: it is known by its row. */
export const endedTokensKept = daySeconds;

const tokens = sweepByIndex("access_tokens", (moment) =>
  expiredBy(
    accessTokens,
    accessTokens.expiresAt,
    earlier(before(moment, endedTokensKept), replayable(moment)),
  ),
);

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

/**
 * A consumed refresh token that comes back late is the sign of theft, and must end a grant that lives. So a chain is kept whole,
 * however old its first links are, until it can no longer be continued.
 */
const chains: Scan = {
  name: "refresh_tokens",
  countTablePages: (on) => countTablePages(on, grants),
  remove: (on, moment, { limit, ...pages }) =>
    deleteChosen(
      on,
      refreshTokens,
      sql`
        select link.ctid
        from (
          select ${grants.id} from ${grants} join ${consents} on ${eq(consents.id, grants.consentId)}
          where ${onPages(grants, pages)} and ${isOver(settled(moment))} offset 0
        ) as finished
          cross join lateral (
            select ${refreshTokens}.ctid from ${refreshTokens} where ${refreshTokens.grantId} = finished.id limit ${limit}
          ) as link
        limit ${limit}`,
    ),
  // The last link of a chain is the one that was never used: those that expired last tell of chains that are over.
  countDue: async (on, moment, most) => {
    const newest = sql`select consumed_at from ${refreshTokens} where ${lte(refreshTokens.expiresAt, settled(moment))}
      order by ${refreshTokens.expiresAt} desc limit ${most}`;
    const [row] = await on
      .select({ due: count() })
      .from(sql`(${newest}) as newest`)
      .where(sql`newest.consumed_at is null`);
    return row?.due ?? 0;
  },
};

/** Past the reuse window the reply is not repeated to anybody. */
const sealedReplies: Scan = {
  name: "sealed_replies",
  countTablePages: (on) => countTablePages(on, refreshTokens),
  remove: (on, moment, { limit, ...pages }) => {
    const unneeded = and(
      isNotNull(refreshTokens.sealedReply),
      lt(refreshTokens.consumedAt, replayable(moment)),
    );
    const chosen = sql`select ctid from ${refreshTokens}
      where ${onPages(refreshTokens, pages)} and ${unneeded} limit ${limit}`;
    return countChanged(
      on,
      sql`update ${refreshTokens} set sealed_reply = null where ctid = any(array(${chosen})) returning 1 as one`,
    );
  },
};

/** A grant is born with its code. When code and tokens are all gone, nothing asks for it any more. */
const emptyGrants: Scan = {
  name: "grants",
  countTablePages: (on) => countTablePages(on, grants),
  remove: (on, moment, { limit, ...pages }) => {
    const empty = and(
      lte(grants.createdAt, settled(moment)),
      none(refreshTokens, eq(refreshTokens.grantId, grants.id)),
      none(accessTokens, eq(accessTokens.grantId, grants.id)),
      none(authorizationCodes, eq(authorizationCodes.grantId, grants.id)),
    );
    const chosen = sql`select ctid from ${grants}
      where ${onPages(grants, pages)} and ${empty} limit ${limit}`;
    return deleteChosen(on, grants, chosen);
  },
};

/** A consent that holds is kept without grants too: the player need not be asked again. */
const endedConsents: Scan = {
  name: "consents",
  countTablePages: (on) => countTablePages(on, consents),
  remove: (on, moment, { limit, ...pages }) => {
    const by = before(moment, endedConsentsKept);
    const unneeded = and(
      hadEnded(consentMarks, by),
      none(grants, eq(grants.consentId, consents.id)),
    );
    const chosen = sql`select ctid from ${consents}
      where ${onPages(consents, pages)} and ${unneeded} limit ${limit}`;
    return deleteChosen(on, consents, chosen);
  },
};

export const oauthSweeps: readonly Sweep[] = [codes, requests, tokens];
/** From the lowest rows to those that they hang on. */
export const oauthScans: readonly Scan[] = [sealedReplies, chains, emptyGrants, endedConsents];
