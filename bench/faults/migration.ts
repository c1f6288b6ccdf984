import { openPostgres } from "#db/client";
import { migrate } from "#db/migrate";
import { nextRelease } from "#server/testing/next-release";

/** Brings a database to the schema of a made-up next release. */
const database = openPostgres({ url: process.argv[2] ?? "", pools: { general: 2 } });
process.stdout.write(`  applied: ${await migrate(database, await nextRelease())}\n`);
await database.close();
