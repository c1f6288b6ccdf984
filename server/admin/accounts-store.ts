import { and, desc, eq, gt, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { accounts, sessions } from "#db/schema/accounts";
import { applications, consents } from "#db/schema/oauth";
import { players } from "#db/schema/players";
import { consentMarks, isNotIn } from "#server/oauth/grants/grant-status";
import type { AccountSearch } from "./contract";

/** An account as an admin sees it. */
export interface ListedAccount {
  readonly accountId: string;
  readonly playerId: number;
  readonly name: string;
  readonly createdAt: Date;
  readonly lastSignInAt: Date | null;
  readonly bannedAt: Date | null;
  readonly bannedFor: string | null;
  /** Browsers that it is signed in on. */
  readonly sessions: number;
  /** Applications that it registered. */
  readonly applications: number;
  /** Applications that it allowed something. */
  readonly consents: number;
}

/** An account as an act on it needs it. */
export interface LockedAccount {
  readonly playerId: number;
  readonly name: string;
  readonly bannedAt: Date | null;
}

const columns = (now: Date) => ({
  accountId: accounts.id,
  playerId: accounts.playerId,
  name: players.name,
  createdAt: accounts.createdAt,
  lastSignInAt: accounts.lastSignInAt,
  bannedAt: accounts.bannedAt,
  bannedFor: accounts.bannedFor,
  sessions: counted(
    sql`${sessions} where ${and(eq(sessions.accountId, accounts.id), gt(sessions.expiresAt, now))}`,
  ),
  applications: counted(
    sql`${applications} where ${and(eq(applications.ownerId, accounts.id), isNull(applications.deletedAt))}`,
  ),
  consents: counted(
    sql`${consents} where ${and(eq(consents.accountId, accounts.id), isNotIn(["ended"], consentMarks, now))}`,
  ),
});

/** Counted for each row of a page, by an index: a page has few. */
const counted = (rows: SQL) => sql`(select count(*) from ${rows})`.mapWith(Number);

const select = (on: Queryable, now: Date) =>
  on.select(columns(now)).from(accounts).innerJoin(players, eq(players.id, accounts.playerId));

/** The accounts that an admin searches: of a player by number, of names that begin so, or of anybody. */
export type AccountFilter =
  | { readonly playerId: number }
  | { readonly nameStart: string }
  | "anybody";

/** Whether it is the name that must fit. */
export const isName = (who: AccountFilter): who is { readonly nameStart: string } =>
  who !== "anybody" && "nameStart" in who;

/** Accounts that fit, newest first; by name where it is the name that must fit, as names stand in their index. */
export async function listAccounts(
  on: Queryable,
  query: {
    readonly who: AccountFilter;
    readonly state: AccountSearch["state"];
    readonly limit: number;
    readonly offset: number;
  },
  now: Date,
): Promise<ListedAccount[]> {
  const { who, state, limit, offset } = query;
  const order = isName(who) ? [name, players.id] : [desc(accounts.createdAt), desc(accounts.id)];
  // Chosen before anything is counted: a page far behind would count for all rows before it as well.
  const chosen = on
    .select({ id: accounts.id })
    .from(accounts)
    .innerJoin(players, eq(players.id, accounts.playerId))
    .where(and(state === "banned" ? isNotNull(accounts.bannedAt) : undefined, fits(who)))
    .orderBy(...order)
    .limit(limit)
    .offset(offset)
    .as("chosen");
  return select(on, now)
    .innerJoin(chosen, eq(chosen.id, accounts.id))
    .orderBy(...order);
}

/** A name as it stands in its index: in small letters, byte by byte. */
const name = sql`lower(${players.name}) collate "C"`;
/** No letter comes after it. */
const lastLetter = "\u{10FFFF}";

function fits(who: AccountFilter): SQL | undefined {
  if (who === "anybody") return undefined;
  if ("playerId" in who) return eq(accounts.playerId, who.playerId);
  const start = sql`lower(${who.nameStart}::text)`;
  return sql`${name} >= ${start} and ${name} < ${start} || ${lastLetter}::text`;
}

export async function findListedAccount(
  on: Queryable,
  accountId: string,
  now: Date,
): Promise<ListedAccount | undefined> {
  const [row] = await select(on, now).where(eq(accounts.id, accountId));
  return row;
}

/** Locks an account, so that a ban and a sign-in, or two bans, happen one after the other. */
export async function findLockedAccount(
  tx: Queryable,
  accountId: string,
): Promise<LockedAccount | undefined> {
  const [row] = await tx
    .select({ playerId: accounts.playerId, name: players.name, bannedAt: accounts.bannedAt })
    .from(accounts)
    .innerJoin(players, eq(players.id, accounts.playerId))
    .where(eq(accounts.id, accountId))
    .for("no key update", { of: accounts });
  return row;
}

/** Bans an account, or lifts its ban. */
export async function markAccount(
  tx: Queryable,
  accountId: string,
  mark: { readonly bannedAt: Date | null; readonly bannedFor: string | null },
): Promise<void> {
  await tx.update(accounts).set(mark).where(eq(accounts.id, accountId));
}
