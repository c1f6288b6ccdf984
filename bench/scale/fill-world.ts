import { sql } from "drizzle-orm";
import { z } from "zod";
import { type Database, openPostgres } from "#db/client";
import { migrate } from "#db/migrate";
import { fillAccounts } from "./fill-accounts";
import { fillFactions } from "./fill-factions";
import { fillPlayers } from "./fill-players";
import { fillRecords } from "./fill-records";
import { fillStocks } from "./fill-stocks";

const Index = z.object({ name: z.string(), definition: z.string() });

/** Opens the database of a world of so many players, and fills it where it was not filled before. */
export async function openWorld(
  urlOf: (database: string) => string,
  players: number,
): Promise<Database> {
  const name = `scale_world_${players}`;
  const admin = openPostgres({ url: urlOf("postgres"), pools: { general: 1 } });
  try {
    const found = await admin.query.execute(sql`select 1 from pg_database where datname = ${name}`);
    if ([...(found as unknown as Iterable<unknown>)].length === 0) {
      await admin.script(`create database ${name}`);
      await fillWorld(urlOf(name), players);
    }
  } finally {
    await admin.close();
  }
  // Few connections: a new one pays for looking at the catalogue, which is not what is measured.
  return openPostgres({ url: urlOf(name), pools: { general: 2 } });
}

/** All tables, as a service of so many players would have them; a million takes some minutes. Triggers and foreign keys rest. */
async function fillWorld(url: string, players: number): Promise<void> {
  const database = openPostgres({ url, deadline: 3_600_000, pools: { general: 1 } });
  const now = new Date();
  try {
    await migrate(database);
    await database.script(
      "set session_replication_role = replica; set synchronous_commit = off; set maintenance_work_mem = '512MB'",
    );
    const indexes = await listIndexes(database);
    await database.script(indexes.map(({ name }) => `drop index "${name}"`).join(";"));
    const world = { players, now };
    await fillPlayers(database, players, now);
    await fillAccounts(database, world);
    await fillFactions(database, world);
    await fillRecords(database, world);
    await fillStocks(database, now);
    for (const { definition } of indexes) await database.script(definition);
    await database.script("vacuum analyze");
  } finally {
    await database.close();
  }
}

/** Indexes without a constraint: built at the end they take a third of the time. */
async function listIndexes(database: Database): Promise<z.output<typeof Index>[]> {
  const rows = await database.query.execute(sql`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
    from pg_index join pg_class on pg_class.oid = indrelid join pg_namespace on pg_namespace.oid = relnamespace
    where nspname = 'public' and not indisprimary and not exists (select from pg_constraint where conindid = indexrelid)`);
  return z.array(Index).parse([...(rows as unknown as Iterable<unknown>)]);
}
