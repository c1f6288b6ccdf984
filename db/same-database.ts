import { wrongSetting } from "#server/platform/start-fault";
import type { Driver } from "./connections";

/**
 * Called while `lock` is held past the pooler: through it the lock is found taken, unless DATABASE_URL leads elsewhere. A lock
 * belongs to one database of one server, and asking for it needs no privilege.
 * @throws WrongSetting
 */
export async function assertSameDatabase({ unsafe }: Pick<Driver, "unsafe">, lock: number): Promise<void> {
  // Where it is free it is held until the end of this statement alone.
  const [row] = await unsafe<{ free: boolean }[]>("select pg_try_advisory_xact_lock($1::bigint) as free", [lock]);
  if (row?.free)
    throw wrongSetting(
      "DATABASE_DIRECT_URL is wrong: it leads to another database than DATABASE_URL. Both must name the same one, the first past the pooler.",
    );
}
