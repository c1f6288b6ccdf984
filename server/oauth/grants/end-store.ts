import { and, eq, gt, inArray, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import { afterCommit, type Queryable } from "#db/client";
import { accounts } from "#db/schema/accounts";
import { eventInbox } from "#db/schema/events";
import { consents, grants } from "#db/schema/oauth";
import type { Context } from "#server/context";
import { grantEnded } from "./events";
import { grantMarks, isNotIn } from "./grant-status";

/** A reason as the grant keeps it. */
export type EndReason = NonNullable<(typeof grants.$inferSelect)["revokedFor"]>;

/** Why and when: the instant at which the act ended what the grants hang on. */
interface GrantEnd {
  readonly reason: EndReason;
  readonly now: Date;
}

/**
 * The one statement that ends grants, as parts of a query: `ended` marks those that have not ended, `recorded` writes the event of
 * each. Of two acts that end a grant at once, one gets the row. Grants are locked in one order, so that the acts cannot deadlock.
 */
export function grantEnds(tx: Queryable, which: SQL | undefined, { reason, now }: GrantEnd) {
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

/** One grant, or those of consents or of an account. */
type EndedGrants =
  | { readonly grantId: string }
  | { readonly consentIds: readonly string[] }
  | { readonly accountId: string };

const isAmong = (of: EndedGrants) => {
  if ("grantId" in of) return eq(grants.id, of.grantId);
  if ("accountId" in of) return eq(consents.accountId, of.accountId);
  return inArray(grants.consentId, [...of.consentIds]);
};

/**
 * Ends grants with everything below them, and records the event of each. Lock their consents or their account in a statement before:
 * only then a grant that was approved meanwhile is seen.
 * @returns how many had not ended before
 */
export async function endGrants(
  ctx: Context,
  tx: Queryable,
  of: EndedGrants,
  { reason, now }: GrantEnd,
): Promise<number> {
  const live = isNotIn(["ended"], { ...grantMarks, until: consents.until }, now);
  const { held, ended, recorded } = grantEnds(tx, and(isAmong(of), live), { reason, now });
  const rows = await tx.with(held, ended, recorded).select({ grantId: ended.grantId }).from(ended);
  if (rows.length > 0) afterCommit(tx, ctx.sequencer.wake);
  return rows.length;
}

/** Ends grants whose own time, or whose consent's, ran out after the first instant and not after the second. */
export async function endExpiredGrants(
  ctx: Context,
  tx: Queryable,
  { after, until }: { readonly after: Date; readonly until: Date },
): Promise<number> {
  // Written as the index has it.
  const end = sql`(${grants.absoluteExpiry} at time zone 'UTC')`;
  const utc = (at: Date) => sql`(${at.toISOString()}::timestamptz at time zone 'UTC')`;
  const own = and(
    ...[gt(end, utc(after)), lte(end, utc(until))],
    or(isNull(consents.until), gt(consents.until, after)),
  );
  const byConsent = and(
    ...[gt(consents.until, after), lte(consents.until, until)],
    gt(grants.absoluteExpiry, after),
  );
  let expired = 0;
  for (const which of [own, byConsent]) {
    const { held, ended, recorded } = grantEnds(tx, which, {
      reason: "expired",
      now: until,
    });
    expired += (await tx.with(held, ended, recorded).select({ id: ended.grantId }).from(ended))
      .length;
  }
  if (expired > 0) afterCommit(tx, ctx.sequencer.wake);
  return expired;
}
