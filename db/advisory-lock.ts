import { wrongSetting } from "#server/platform/start-fault";
import type { Driver } from "./connections";

export async function tryLock({ unsafe }: Pick<Driver, "unsafe">, lock: number): Promise<boolean> {
  const [row] = await unsafe<{ held: boolean }[]>(
    "select pg_try_advisory_lock($1::bigint) as held",
    [lock],
  );
  return row?.held === true;
}

/**
 * Checks that DATABASE_URL sees the lock in `pg_locks`: a lock belongs to one database of one
 * server. It must not try the lock, because that session may hold it.
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
