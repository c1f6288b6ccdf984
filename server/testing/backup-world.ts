import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Database, openPostgres } from "#db/client";
import { migrate } from "#db/migrate";
import { openPglite } from "#db/pglite";
import { createSession, readSession } from "#server/auth/sessions";
import type { Context } from "#server/context";
import { createContext } from "#server/create-context";
import { parseEnvironment } from "#server/platform/env";
import { createSimulator } from "#simulator/simulator";
import { enrol } from "./enrol";
import { mintApplication, mintTokens } from "./oauth-world";
import { startPostgres } from "./postgres";
import { recordedLog } from "./recorded-log";
import { mintUser, testSource } from "./world";

export const backupSecret = "backups-are-made-under-this-Server-Secret-0123456789-abcdef";

export interface DatabaseSource {
  settings(): Promise<Record<string, string>>;
  open(settings: Readonly<Record<string, string>>): Promise<Database>;
  remove(): Promise<void>;
}

export async function embeddedSource(): Promise<DatabaseSource> {
  const parent = await mkdtemp(path.join(tmpdir(), "adjutant-embedded-"));
  return {
    settings: async () => ({ DATA_DIR: path.join(parent, randomUUID()) }),
    open: ({ DATA_DIR = "" }) =>
      openPglite(DATA_DIR, (sentence) => process.stderr.write(`${sentence}\n`)),
    remove: () => rm(parent, { recursive: true, force: true }),
  };
}

const installations = "/usr/lib/postgresql";

export async function installedPrograms(): Promise<string | undefined> {
  const versions = existsSync(installations) ? await readdir(installations) : [];
  return versions
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => path.join(installations, version, "bin"))
    .find(
      (folder) =>
        spawnSync(path.join(folder, "pg_dump"), ["--version"]).status === 0 &&
        existsSync(`${folder}/postgres`),
    );
}

/**
 * The packaged PostgreSQL has no pg_dump, so this starts the system's.
 * @returns undefined without one
 */
export async function postgresSource(): Promise<
  (DatabaseSource & { readonly programs: string }) | undefined
> {
  const programs = await installedPrograms();
  if (!programs) return undefined;
  const server = await startPostgres({ programs });
  return {
    programs,
    settings: async () => {
      const admin = openPostgres({ url: server.url("postgres"), pools: { general: 1 } });
      const name = `test_${randomUUID().replaceAll("-", "")}`;
      await admin.script(`create database ${name}`);
      await admin.close();
      return {
        DATABASE_URL: server.url(name),
        SERVER_SECRET: backupSecret,
        PATH: `${programs}:${process.env.PATH}`,
      };
    },
    open: async ({ DATABASE_URL = "" }) => openPostgres({ url: DATABASE_URL }),
    remove: server.stop,
  };
}

export async function withContext<Result>(
  database: Database,
  act: (ctx: Context) => Promise<Result>,
  secret = backupSecret,
): Promise<Result> {
  try {
    await migrate(database);
    const now = () => new Date();
    const simulator = createSimulator({ seed: 1, epoch: now(), now, world: "small" });
    const settings = parseEnvironment({
      SERVER_SECRET: secret,
      JOBS: "off",
      RATE_CLIENT: "1000000",
    });
    const ctx = await createContext(settings, {
      database,
      log: recordedLog(),
      gameFetch: simulator.fetch,
    });
    return await act(ctx).finally(() => ctx.close());
  } finally {
    await database.close();
  }
}

/** A key, a session and tokens, which a restored database must open. */
export async function mintEverything(ctx: Context) {
  const member = await enrol(ctx, "member");
  const browser = { address: null, userAgent: null };
  const session = await createSession(ctx, ctx.database.query, {
    accountId: member.accountId,
    from: browser,
    proof: "game-key",
  });
  const app = await mintApplication(ctx, await mintUser(ctx));
  const tokens = await mintTokens(ctx, app, { user: await mintUser(ctx) });
  return { member, session: session.token, app, tokens };
}

export const accountOfSession = async (ctx: Context, token: string) =>
  (await readSession(ctx, token, testSource))?.accountId;
