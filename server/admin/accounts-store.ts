import { and, desc, eq, gt, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { nameKey, nameStarts } from "#db/expressions";
import { accounts, sessions } from "#db/schema/accounts";
import { applications, consents } from "#db/schema/oauth";
import { players } from "#db/schema/players";
import { columnsOf, first } from "#db/select";
import { consentStateColumns, isNotInState } from "#server/oauth/grants/grant-status";
import type { AccountSearch } from "./contract";

const columns = (now: Date) => ({
  accountId: accounts.id,
  playerId: accounts.playerId,
  name: players.name,
  ...columnsOf(accounts, ["createdAt", "lastSignInAt", "bannedAt", "bannedFor"]),
  sessions: counted(
    sql`${sessions} where ${and(eq(sessions.accountId, accounts.id), gt(sessions.expiresAt, now))}`,
  ),
  applications: counted(
    sql`${applications} where ${and(eq(applications.ownerId, accounts.id), isNull(applications.deletedAt))}`,
  ),
  consents: counted(
    sql`${consents} where ${and(eq(consents.accountId, accounts.id), isNotInState(["ended"], consentStateColumns, now))}`,
  ),
});

/** One index count per row of a page. */
const counted = (rows: SQL) => sql`(select count(*) from ${rows})`.mapWith(Number);

const select = (on: Queryable, now: Date) =>
  on.select(columns(now)).from(accounts).innerJoin(players, eq(players.id, accounts.playerId));

export type ListedAccount = Awaited<ReturnType<typeof select>>[number];

const isNumber = /^\d{1,9}$/;

/** A number is a player's id, other text the start of a name. */
export const isNameSearch = (search: string | undefined): boolean =>
  Boolean(search) && !isNumber.test(search ?? "");

/** Newest first; a name search lists by name, in index order. */
export function listAccounts(
  on: Queryable,
  query: Omit<AccountSearch, "page"> & { readonly limit: number; readonly offset: number },
  now: Date,
): Promise<ListedAccount[]> {
  const { search, state, limit, offset } = query;
  const order = isNameSearch(search)
    ? [nameKey(players.name), players.id]
    : [desc(accounts.createdAt), desc(accounts.id)];
  // Chooses rows before counting, because a late page would also count for all rows before it.
  const chosen = on
    .select({ id: accounts.id })
    .from(accounts)
    .innerJoin(players, eq(players.id, accounts.playerId))
    .where(and(state === "banned" ? isNotNull(accounts.bannedAt) : undefined, fits(search)))
    .orderBy(...order)
    .limit(limit)
    .offset(offset)
    .as("chosen");
  return select(on, now)
    .innerJoin(chosen, eq(chosen.id, accounts.id))
    .orderBy(...order);
}

function fits(search: string | undefined): SQL | undefined {
  if (!search) return undefined;
  return isNumber.test(search)
    ? eq(accounts.playerId, Number(search))
    : nameStarts(players.name, search);
}

export const findListedAccount = (on: Queryable, accountId: string, now: Date) =>
  first(select(on, now).where(eq(accounts.id, accountId)));

/** Serialises bans and sign-ins of an account. */
export const lockAccountForBan = (tx: Queryable, accountId: string) =>
  first(
    tx
      .select({ playerId: accounts.playerId, name: players.name, bannedAt: accounts.bannedAt })
      .from(accounts)
      .innerJoin(players, eq(players.id, accounts.playerId))
      .where(eq(accounts.id, accountId))
      .for("no key update", { of: accounts }),
  );

export async function setAccountBan(
  tx: Queryable,
  accountId: string,
  mark: { bannedAt: Date | null; bannedFor: string | null },
): Promise<void> {
  await tx.update(accounts).set(mark).where(eq(accounts.id, accountId));
}
