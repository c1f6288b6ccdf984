import { and, eq, gt, inArray, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import { afterCommit, type Queryable } from "#db/client";
import { accounts } from "#db/schema/accounts";
import { eventInbox } from "#db/schema/events";
import { consents, grants } from "#db/schema/oauth";
import type { Context } from "#server/context";
import { grantEnded } from "./events";
import { grantStateColumns, isNotInState } from "./grant-status";

export type EndReason = NonNullable<(typeof grants.$inferSelect)["revokedFor"]>;

interface GrantEnd {
  readonly reason: EndReason;
  readonly now: Date;
}

/** Only one of two concurrent acts ends a grant. Rows are locked in one order against deadlocks. */
export function grantEndQueries(tx: Queryable, which: SQL | undefined, { reason, now }: GrantEnd) {
  const at = sql`${now.toISOString()}::timestamptz`;
  const held = tx.$with("held").as(
    tx
      .select({
        grantId: grants.id,
        accountId: consents.accountId,
        clientId: grants.clientId,
        playerId: accounts.playerId,
      })
      .from(grants)
      .innerJoin(consents, eq(consents.id, grants.consentId))
      .innerJoin(accounts, eq(accounts.id, consents.accountId))
      .where(and(which, isNull(grants.revokedAt)))
      .orderBy(grants.id)
      .for("no key update", { of: grants }),
  );
  const ended = tx
    .$with("ended", {
      grantId: sql<string>`grant_id`.as("grant_id"),
      accountId: sql<string>`account_id`.as("account_id"),
      clientId: sql<string>`client_id`.as("client_id"),
    })
    .as(sql`
      update ${grants} set revoked_at = ${at}, revoked_for = ${reason}
      from (select id as grant_id, account_id, held.client_id as owner, player_id from held) as held
      where ${grants.id} = held.grant_id
      returning held.grant_id, account_id, owner as client_id, player_id`);
  const recorded = tx.$with("recorded", {}).as(sql`
    insert into ${eventInbox} (id, type, at, subject, player_id, client_id, grant_id, data)
    select gen_random_uuid(), ${grantEnded.type}::text, ${at}, grant_id, player_id, client_id, grant_id,
      jsonb_build_object('reason', ${reason.replaceAll("-", "_")}::text)
    from ended`);
  return { held, ended, recorded };
}

type EndedGrants =
  | { readonly grantId: string }
  | { readonly consentIds: readonly string[] }
  | { readonly accountId: string };

const isAmong = (of: EndedGrants) => {
  if ("grantId" in of) return eq(grants.id, of.grantId);
  if ("accountId" in of) return eq(consents.accountId, of.accountId);
  return inArray(grants.consentId, [...of.consentIds]);
};

async function endThose(
  ctx: Context,
  tx: Queryable,
  which: SQL | undefined,
  end: GrantEnd,
): Promise<number> {
  const { held, ended, recorded } = grantEndQueries(tx, which, end);
  const rows = await tx.with(held, ended, recorded).select({ grantId: ended.grantId }).from(ended);
  if (rows.length > 0) afterCommit(tx, ctx.events.sequencer.wake);
  return rows.length;
}

/**
 * The caller locks the consents or the account in an earlier statement, so that a concurrent
 * approval is seen.
 * @returns the number ended
 */
export const endGrants = (ctx: Context, tx: Queryable, of: EndedGrants, end: GrantEnd) => {
  const live = isNotInState(["ended"], { ...grantStateColumns, until: consents.until }, end.now);
  return endThose(ctx, tx, and(isAmong(of), live), end);
};

export async function endExpiredGrants(
  ctx: Context,
  tx: Queryable,
  { after, until }: { readonly after: Date; readonly until: Date },
): Promise<number> {
  // Must equal the expression of the index.
  const end = sql`(${grants.absoluteExpiry} at time zone 'UTC')`;
  const utc = (at: Date) => sql`(${at.toISOString()}::timestamptz at time zone 'UTC')`;
  const own = and(
    gt(end, utc(after)),
    lte(end, utc(until)),
    or(isNull(consents.until), gt(consents.until, after)),
  );
  const byConsent = and(
    gt(consents.until, after),
    lte(consents.until, until),
    gt(grants.absoluteExpiry, after),
  );
  const expiry: GrantEnd = { reason: "expired", now: until };
  return (await endThose(ctx, tx, own, expiry)) + (await endThose(ctx, tx, byConsent, expiry));
}
