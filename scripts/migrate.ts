import { openPostgres } from "#db/client";
import { migrate } from "#db/migrate";
import { openPglite } from "#db/pglite";
import { readSettings } from "#server/platform/env";

/** `npm run db:migrate`: brings the database of the settings to this release's schema, as the server does when it starts. */
const settings = readSettings();
const database = settings.databaseUrl
  ? openPostgres({ url: settings.databaseUrl })
  : await openPglite(settings.dataDir, failPanicking);
const applied = await migrate(database);
await database.close();
process.stdout.write(applied.length > 0 ? `Applied: ${applied.join(", ")}\n` : "The database is up to date.\n");

function failPanicking(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
