import { setTimeout as wait } from "node:timers/promises";
import type postgres from "postgres";
import { secondMs } from "#server/platform/time";
import { within } from "#server/platform/within";
import { parseAddress } from "./address";
import { type Connections, type Driver, openConnections } from "./connections";
import { openOutages } from "./outages";
import { parametersFor } from "./pool-settings";

/** "behind": it has not replayed what the primary holds; "promoted": it is a primary of its own by now; "foreign": of another one. */
export type ReplicaStatus = "used" | "behind" | "silent" | "promoted" | "foreign";

/** A streaming replica, for reads that take long and write nothing. */
export interface Replica<Query> {
  /**
   * Where to read: the replica, once it holds all that the primary had committed when this was called, so that everybody reads what
   * anybody wrote before, through whichever instance. Undefined where that takes too long: then the primary is read.
   * @throws what the primary throws
   */
  upToDate(): Promise<Query | undefined>;
  status(): ReplicaStatus;
}

export interface ReplicaOptions<Query> {
  readonly query: Query;
  /** Connections to the primary and to the replica that slow lists do not hold up. */
  readonly primary: Pick<Driver, "unsafe">;
  readonly replica: Pick<Driver, "unsafe">;
}

/** Milliseconds that a reader waits for the replica. It replays within a few, where nothing is wrong. */
const catchUpTimeout = secondMs / 10;
/** How often it is looked at again while it is not used: nobody waits for that. */
const lookPause = secondMs;
const replayPause = 3;
/** Looks are shared: few are under way at once. */
const mostAtOnce = 16;
/** What others see is flushed, and what is not flushed is not sent; but with synchronous_commit=off it is seen before. */
const position = `select (case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn()
  else pg_current_wal_flush_lsn() end)::text as lsn`;

async function identify(on: Pick<Driver, "unsafe">): Promise<string | undefined> {
  const [row] = await on.unsafe<{ id: string }[]>(
    "select system_identifier::text as id from pg_control_system()",
  );
  return row?.id;
}

/** The pools of a replica: for reads, and for asking how far it is. Its silence is no outage of the database. */
export function openReplicaPools(
  url: string,
  { deadline, size }: { readonly deadline: number; readonly size: number },
  template: postgres.Sql,
): readonly [Connections, Connections] {
  // A read that it leaves unanswered has to be made on the primary within the time of the call.
  const half = deadline / 2;
  const servers = {
    address: parseAddress(url, "DATABASE_REPLICA_URL"),
    preferred: 0,
    pooled: false,
  };
  const usual = {
    servers,
    outages: openOutages(),
    deadline: half,
    parameters: parametersFor(half),
  };
  return [
    openConnections({ ...usual, size }, template),
    openConnections({ ...usual, size: 1, pipelined: mostAtOnce, keepIdle: true }, template),
  ];
}

export function openReplica<Query>({
  query,
  primary,
  replica,
}: ReplicaOptions<Query>): Replica<Query> {
  // Nobody waits for the first look either.
  let status: ReplicaStatus = "silent";
  let lookedAt = -Infinity;
  let latest: Promise<unknown> = Promise.resolve();
  let next: Promise<ReplicaStatus> | undefined;

  const isOfPrimary = async () => {
    const [ours, its] = await Promise.all([primary, replica].map(identify));
    return ours !== undefined && ours === its;
  };
  const catchUp = async (lsn: string, signal: AbortSignal, found: { status: ReplicaStatus }) => {
    // Positions of two systems cannot be compared. One that is used was asked already.
    if (status !== "used" && !(await isOfPrimary())) {
      found.status = "foreign";
      return;
    }
    while (!signal.aborted) {
      const [seen] = await replica.unsafe<{ standby: boolean; there: boolean }[]>(
        "select pg_is_in_recovery() as standby, coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) as there",
        [lsn],
      );
      // One that was promoted has a history of its own: what it says of its position means nothing.
      found.status = !seen?.standby ? "promoted" : seen.there ? "used" : "behind";
      if (found.status !== "behind") return;
      await wait(replayPause);
    }
  };
  const look = async (): Promise<ReplicaStatus> => {
    const [row] = await primary.unsafe<{ lsn: string }[]>(position);
    const found: { status: ReplicaStatus } = { status: "silent" };
    await within(catchUpTimeout, (signal) => catchUp(row?.lsn ?? "", signal, found)).catch(
      () => {},
    );
    status = found.status;
    return status;
  };
  /** A look under way may have asked for the position before this caller's write: those who come meanwhile share the next one. */
  const shared = (): Promise<ReplicaStatus> => {
    next ??= latest.then(() => {
      next = undefined;
      const begun = look();
      latest = begun.catch(() => {});
      return begun;
    });
    return next;
  };
  return {
    status: () => status,
    upToDate: async () => {
      if (status === "used" || next) return (await shared()) === "used" ? query : undefined;
      const now = performance.now();
      if (now - lookedAt < lookPause) return undefined;
      lookedAt = now;
      shared().catch(() => {});
      return undefined;
    },
  };
}
