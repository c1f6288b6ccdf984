import { and, gt, inArray, type SQL, sql } from "drizzle-orm";
import type { Database, Queryable } from "#db/client";
import { instantSql } from "#db/expressions";
import { gameBudgets } from "#db/schema/operations";
import type { Sweep } from "#db/sweep";
import { hourSeconds } from "#server/platform/time";

/** The game's window rolls, so a call counts for 60 seconds, plus one slot until it is sent. */
export const slotSeconds = 2;
export const slotsPerWindow = 60 / slotSeconds + 2;

export interface CallWindow {
  readonly slot: Date;
  readonly used: number;
  readonly earlier: readonly number[];
}

const { playerId, slot, used, earlier } = gameBudgets;
const reach = sql.raw(`interval '${slotSeconds * slotsPerWindow} seconds'`);
const last = sql.raw(String(slotsPerWindow - 1));

/** Age in slots; 0 if another process's clock is ahead. */
const ageAt = (at: SQL) =>
  sql`greatest(0, (extract(epoch from ${at} - ${slot}) / ${sql.raw(String(slotSeconds))})::integer)`;
/** False for expired rows and for rows implausibly far in the future, which start over. */
const counts = (at: SQL) => sql`(${slot} > ${at} - ${reach} and ${slot} <= ${at} + ${reach})`;
const sumAt = (at: SQL) =>
  sql`(${used} + (select coalesce(sum(calls), 0) from unnest(${earlier}[1:${last} - ${ageAt(at)}]) as calls))`;

const added = sql`excluded.slot`;

const spend = (database: Database) =>
  database.statement("spend_calls", ({ query }) =>
    query
      .insert(gameBudgets)
      .values({
        playerId: sql.placeholder("subject"),
        slot: sql.placeholder("slot"),
        used: sql.placeholder("calls"),
        earlier: [],
      })
      .onConflictDoUpdate({
        target: playerId,
        set: {
          slot: sql`case when ${counts(added)} then greatest(${slot}, ${added}) else ${added} end`,
          used: sql`case when ${counts(added)} and ${ageAt(added)} = 0 then ${used} + excluded.used else excluded.used end`,
          earlier: sql`case when not ${counts(added)} then '{}' when ${ageAt(added)} = 0 then ${earlier}
            else (array_fill(0, array[${ageAt(added)} - 1]) || ${used} || ${earlier})[1:${last}] end`,
        },
        setWhere: sql`not ${counts(added)} or ${sumAt(added)} + excluded.used <= ${sql.placeholder("limit")}`,
      })
      .returning({ used })
      .prepare("spend_calls"),
  );

/**
 * One statement decides and counts, so that concurrent processes cannot exceed the limit.
 * @returns true if all were counted, false if none
 */
export async function chargeCalls(
  database: Database,
  what: {
    readonly subject: number;
    readonly slot: Date;
    readonly calls: number;
    readonly limit: number;
  },
): Promise<boolean> {
  return what.calls <= what.limit && (await spend(database).execute(what)).length > 0;
}

export async function saveFullWindow(
  on: Queryable,
  of: { subject: number; slot: Date; calls: number },
): Promise<void> {
  const full = { slot: of.slot, used: of.calls, earlier: [] };
  await on
    .insert(gameBudgets)
    .values({ playerId: of.subject, ...full })
    .onConflictDoUpdate({ target: playerId, set: full });
}

export async function readWindows(
  on: Queryable,
  subjects: readonly number[],
): Promise<Map<number, CallWindow>> {
  if (subjects.length === 0) return new Map();
  const rows = await on
    .select({ playerId, slot, used, earlier })
    .from(gameBudgets)
    .where(inArray(playerId, [...subjects]));
  return new Map(rows.map(({ playerId: subject, ...window }) => [subject, window]));
}

export async function sumWindows(on: Queryable, at: Date, full: number) {
  const now = instantSql(at);
  const [row] = await on
    .select({
      players: sql<number>`count(*)::integer`,
      calls: sql<number>`coalesce(sum(${sumAt(now)}), 0)::integer`,
      spent: sql<number>`(count(*) filter (where ${sumAt(now)} >= ${full}))::integer`,
    })
    .from(gameBudgets)
    .where(and(counts(now), gt(playerId, 0)));
  return row ?? { players: 0, calls: 0, spent: 0 };
}

const budgetsKept = hourSeconds;

export const gameSweeps: readonly Sweep[] = [
  { table: gameBudgets, column: gameBudgets.slot, keep: budgetsKept },
];
