import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import type { Database } from "#db/client";
import { migrate, migrationLockId, readMigrations } from "#db/migrate";
import { openPglite, restorePglite } from "#db/pglite";
import { directUrl, openDatabaseAsIs } from "#server/open-database";
import { type Settings, version } from "#server/platform/env";
import { isEmpty, readServerMajor } from "../../db/suitable-database";
import { backupRefusal, type Manifest, readBackup } from "./manifest";
import { assertProgram, runPostgresProgram } from "./postgres-programs";

/**
 * Restores into the configured database, which stays empty after a failure.
 * @throws BackupRefused, WrongSetting
 */
export async function restoreBackup(settings: Settings, folder: string): Promise<Manifest> {
  const backup = await readBackup(folder);
  const { manifest } = backup;
  const known = new Map((await readMigrations()).map(({ tag, digest }) => [tag, digest]));
  const unknown = Object.entries(manifest.migrations).find(
    ([tag, digest]) => known.get(tag) !== digest,
  );
  if (unknown)
    throw backupRefusal(
      `The backup is of release ${manifest.release}, with a migration ${unknown[0]} that this release (${version}) does not know. Restore it with that release.`,
    );
  const { databaseUrl: url } = settings;
  if ((manifest.engine === "postgres") !== (url !== undefined))
    throw backupRefusal(
      url
        ? "The backup is of an embedded database, and DATABASE_URL names PostgreSQL. Take DATABASE_URL away."
        : "The backup is of a PostgreSQL database. Name an empty one in DATABASE_URL.",
    );
  const database = await (url
    ? restorePostgres(settings, backup)
    : restoreEmbedded(settings.dataDir, backup));
  try {
    await migrate(database);
  } finally {
    await database.close();
  }
  return manifest;
}

type Backup = Awaited<ReturnType<typeof readBackup>>;

async function restorePostgres(settings: Settings, backup: Backup): Promise<Database> {
  const database = await openDatabaseAsIs(settings);
  try {
    // The lock makes a starting server wait, and proves that both addresses lead to one database.
    await database.exclusively(migrationLockId, () => fillPostgres(database, settings, backup));
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function fillPostgres(
  { query }: Database,
  settings: Settings,
  { manifest, data }: Backup,
): Promise<void> {
  if (!(await isEmpty(query)))
    throw backupRefusal(
      "The database that DATABASE_URL names is not empty. Create an empty one, and name that.",
    );
  const major = await readServerMajor(query);
  if (major < manifest.engineVersion)
    throw backupRefusal(
      `The backup is of PostgreSQL ${manifest.engineVersion}, and DATABASE_URL names version ${major}. Name one that is as new.`,
    );
  await assertProgram("pg_restore", manifest.engineVersion);
  const flags = [
    "--single-transaction",
    "--exit-on-error",
    "--no-owner",
    "--no-privileges",
    "--no-password",
  ];
  const url = directUrl(settings) ?? "";
  await runPostgresProgram("pg_restore", { url, flags }, ({ stdin }) =>
    pipeline(createReadStream(data), stdin),
  );
}

async function restoreEmbedded(dataDir: string, { manifest, data }: Backup): Promise<Database> {
  const dump = new Blob([await readFile(data)], { type: "application/gzip" });
  const restored = await restorePglite(dataDir, { dump, engineVersion: manifest.engineVersion });
  if (restored === "not-empty")
    throw backupRefusal(`${dataDir} holds a database already. Set DATA_DIR to another directory.`);
  if (restored === "other-version")
    throw backupRefusal(
      `The backup is of embedded PostgreSQL ${manifest.engineVersion}, which this release (${version}) cannot read. Restore it with release ${manifest.release}.`,
    );
  return openPglite(dataDir, (sentence) => {
    throw backupRefusal(sentence);
  });
}
