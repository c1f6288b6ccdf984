import { wrongSetting } from "#server/platform/start-fault";
import type { Driver } from "./connections";

/** Takes a session advisory lock on this connection if it is free. */
export async function tryLock({ unsafe }: Pick<Driver, "unsafe">, lock: number): Promise<boolean> {
  const [row] = await unsafe<{ held: boolean }[]>(
    "select pg_try_advisory_lock($1::bigint) as held",
    [lock],
  );
  return row?.held === true;
}

/**
 * Checks that DATABASE_URL sees the lock held past the pooler: a lock belongs to one database of
 * one server, and any session can read `pg_locks`. It must not try the lock itself, because that
 * session may already hold it.
 * @throws WrongSetting
 */
export async function assertSameDatabase(
  { unsafe }: Pick<Driver, "unsafe">,
  lock: number,
): Promise<void> {
  const [row] = await unsafe<{ held: boolean }[]>(
    `select exists (
       select from pg_locks
       where locktype = 'advisory' and objsubid = 1 and granted
         and database = (select oid from pg_database where datname = current_database())
         and (classid::bigint << 32) | objid::bigint = $1::bigint
     ) as held`,
    [lock],
  );
  if (!row?.held)
    throw wrongSetting(
      "DATABASE_DIRECT_URL is wrong: it leads to another database than DATABASE_URL. Both must name the same one, the first past the pooler.",
    );
}
