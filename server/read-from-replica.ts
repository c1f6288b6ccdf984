import type { Context } from "./context";
import { isConnectionLost } from "./platform/connection-lost";

/**
 * Makes a read that takes long and need not be made on the primary. It finds everything that was committed before.
 * @param read must write nothing: where the replica breaks it off, it is made again on the primary
 */
export async function readFromReplica<Ctx extends Pick<Context, "database" | "metrics">, Result>(
  ctx: Ctx,
  read: (ctx: Ctx) => Promise<Result>,
): Promise<Result> {
  const { database, metrics } = ctx;
  if (!database.replica) return read(ctx);
  const query = await database.replica.upToDate();
  if (query) {
    try {
      const result = await read({ ...ctx, database: { ...database, query } });
      metrics.replicaReads.of("replica").inc();
      return result;
    } catch (error) {
      // It fell silent, or ended a query that stood in the way of replay.
      if (!isConnectionLost(error)) throw error;
    }
  }
  metrics.replicaReads.of("primary").inc();
  return read(ctx);
}
