import { createHash } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { findAppliedMigrations } from "#db/migrate";
import { createOperator } from "#server/actor";
import type { Context } from "#server/context";
import { directUrl } from "#server/open-database";
import { version } from "#server/platform/env";
import { readSecretId } from "#server/server-secret/server-secret";
import { readServerMajor } from "../../db/suitable-database";
import { backupRefusal, type Manifest, manifestFile } from "./manifest";
import { assertProgram, runPostgresProgram } from "./postgres-programs";

type BackupContext = Pick<Context, "settings" | "database" | "now" | "ids" | "audit">;

/**
 * Backs up online. The new folder is readable by its owner only, because it holds everything but
 * the server secret.
 * @returns the new folder
 * @throws BackupRefused
 */
export async function makeBackup(ctx: BackupContext, folder: string): Promise<string> {
  const on = ctx.database.query;
  const applied = await findAppliedMigrations(on);
  if (!applied) throw backupRefusal("The database is empty: there is nothing to back up.");
  const { kind: engine } = ctx.database;
  const engineVersion = await readServerMajor(on);
  if (engine === "postgres") await assertProgram("pg_dump", engineVersion);
  const madeAt = ctx.now().toISOString();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const unfinished = path.join(folder, `.unfinished-${ctx.ids.request()}`);
  await mkdir(unfinished, { mode: 0o700 });
  try {
    const secret = await readSecretId(on);
    const file = engine === "postgres" ? "database.dump" : "database.tar.gz";
    const written = await writeFile(path.join(unfinished, file), (sink) => dumpInto(ctx, sink));
    // A new release may have migrated meanwhile.
    if ((await findAppliedMigrations(on))?.size !== applied.size)
      throw backupRefusal(
        "The database was migrated while it was backed up. Start the backup again.",
      );
    const own = {
      format: 1,
      madeAt,
      release: version,
      engine,
      engineVersion,
      migrations: Object.fromEntries(applied),
      ...(secret && { secret }),
    } as const;
    const manifest: Manifest = { ...own, file, ...written };
    const text = Readable.from([`${JSON.stringify(manifest, undefined, 2)}\n`]);
    await writeFile(path.join(unfinished, manifestFile), (sink) => sink(text));
    const name = `adjutant-${madeAt.replaceAll(/[-:]|\.\d+/g, "")}-${ctx.ids.request().slice(0, 4)}`;
    const finished = path.join(folder, name);
    await rename(unfinished, finished);
    await ctx.audit(on, createOperator(ctx), "backup.made", { details: { name } });
    return finished;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

async function dumpInto({ database, settings }: BackupContext, sink: Sink): Promise<void> {
  if (database.dump) return sink((await database.dump()).stream());
  const flags = ["--format=custom", "--no-owner", "--no-privileges", "--no-password"];
  await runPostgresProgram("pg_dump", { url: directUrl(settings) ?? "", flags }, ({ stdout }) =>
    sink(stdout),
  );
}

type Sink = (source: AsyncIterable<Uint8Array | string>) => Promise<void>;

async function writeFile(
  file: string,
  fill: (sink: Sink) => Promise<void>,
): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const hash = createHash("sha256");
  let bytes = 0;
  const handle = await open(file, "wx", 0o600);
  try {
    await fill(async (source) => {
      for await (const piece of source) {
        const chunk = Buffer.from(piece);
        hash.update(chunk);
        bytes += chunk.length;
        await handle.writeFile(chunk);
      }
    });
    await handle.sync();
  } finally {
    await handle.close();
  }
  return { bytes, sha256: hash.digest("hex") };
}
