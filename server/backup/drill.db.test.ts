import { randomUUID } from "node:crypto";
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { searchAuditLog } from "#server/audit/read-events";
import type { Context } from "#server/context";
import { readEpochEnd, readLogEnd } from "#server/event-log/store";
import { parseEnvironment } from "#server/platform/env";
import {
  accountOfSession,
  backupSecret,
  embeddedSource,
  mintEverything,
  postgresSource,
  withContext,
} from "#server/testing/backup-world";
import { prepareInstances } from "#server/testing/instances";
import { basic, mintApplication, mintTokens, refresh } from "#server/testing/oauth-world";
import { startPgBouncer } from "#server/testing/pgbouncer";
import { runScript } from "#server/testing/run-script";
import { mintUser } from "#server/testing/world";
import { pickKey } from "#server/users/keys/pick-key";
import { restoreBackup } from "./restore-backup";

const source = await (process.env.TEST_STORE === "postgres" ? postgresSource() : embeddedSource());
if (!source)
  process.stdout.write(
    "note: no PostgreSQL with pg_dump is installed: the drill of backups is skipped\n",
  );
const folder = await mkdtemp(path.join(tmpdir(), "adjutant-backups-"));
afterAll(async () => {
  await source?.remove();
  await rm(folder, { recursive: true, force: true });
});

const secret = { SERVER_SECRET: backupSecret };
const another = "another-Server-Secret-than-that-of-the-backup-0123456789-abc";
// These tests do not need the game, and the simulated world takes time to build.
const game = { GAME_API_URL: "http://127.0.0.1:9/v2", RATE_CLIENT: "1000000" };
const fresh = () => (source ?? expect.unreachable()).settings();
const opened = (settings: Record<string, string>) =>
  (source ?? expect.unreachable()).open(settings);

describe.skipIf(!source)("a backup", { timeout: 240_000 }, () => {
  const made: { folder: string } = { folder: "" };

  test("that is taken while tokens are refreshed is restored elsewhere, and everything opens with the same secret", async () => {
    const origin = await fresh();
    const { member, session, app, tokens } = await withContext(
      await opened(origin),
      mintEverything,
    );
    const instances = await prepareInstances();
    try {
      const instance = await instances.start({ ...secret, ...game, ...origin });
      const chain = [{ access: tokens.access_token, refresh: tokens.refresh_token ?? "" }];
      const refreshOnce = async () => {
        const newest = chain.at(-1)?.refresh ?? "";
        const body = new URLSearchParams({ grant_type: "refresh_token", refresh_token: newest });
        const headers = { authorization: basic(app) };
        const response = await fetch(`${instance.url}/oauth/token`, {
          method: "POST",
          headers,
          body,
        });
        const reply = (await response.json()) as { access_token: string; refresh_token: string };
        expect(response.status).toBe(200);
        chain.push({ access: reply.access_token, refresh: reply.refresh_token });
      };
      let isMade = false;
      const backup = runScript("backup", [folder], { ...secret, ...origin }).finally(() => {
        isMade = true;
      });
      while (!isMade) await refreshOnce();
      const { code, out, err } = await backup;
      expect([code, err]).toEqual([0, ""]);
      made.folder = out.trim();
      expect(chain.length).toBeGreaterThan(5);
      await refreshOnce();
      expect((await instance.end()).code).toBe(0);

      const target = await fresh();
      // The secret is not in the backup, and a restore does not need it.
      const restored = await runScript("restore", [made.folder], { ...target, SERVER_SECRET: "" });
      expect([restored.code, restored.err]).toEqual([0, ""]);
      const seen = await withContext(await opened(origin), async (ctx) => {
        await mintTokens(ctx, await mintApplication(ctx, await mintUser(ctx)), {
          user: await mintUser(ctx),
        });
        await ctx.events.sequencer.run();
        const { events } = await searchAuditLog(ctx, { act: "backup.made" });
        expect(events).toMatchObject([
          { by: { kind: "operator" }, details: { name: path.basename(made.folder) } },
        ]);
        return readLogEnd(ctx.database.query);
      });
      await withContext(await opened(target), async (ctx) => {
        expect(await accountOfSession(ctx, session)).toBe(member.accountId);
        expect((await pickKey(ctx, { of: "player", playerId: member.playerId }))?.reveal()).toBe(
          member.key,
        );
        // The backup holds one moment of the chain: its newest pair then, and none from later.
        const answers = await Promise.all(
          chain.map(async (pair) => (await ctx.tokens.authenticate(pair.access)) && pair),
        );
        const live = answers.filter((pair) => pair !== undefined);
        expect(live).toHaveLength(1);
        expect(live[0]).not.toEqual(chain.at(-1));
        expect((await refresh(ctx, app, live[0]?.refresh ?? "")).status).toBe(200);
        // A reader ahead of the restored log is notified.
        await ctx.events.sequencer.run();
        const kept = await readEpochEnd(
          ctx.database.query,
          seen.epoch,
          await readLogEnd(ctx.database.query),
        );
        expect(kept).toBeLessThan(seen.seq);
      });
      await expect(
        withContext(await opened(target), async () => {}, another),
      ).rejects.toMatchObject({
        name: "UnknownServerSecret",
      });
      const again = await instances.start({ ...secret, ...game, ...target });
      expect((await fetch(`${again.url}/health/ready`)).status).toBe(200);
      await again.end();
    } finally {
      instances.remove();
    }
  });

  test("is for its owner alone, says what it is, and holds no secret", async () => {
    expect((await stat(made.folder)).mode & 0o777).toBe(0o700);
    const files = await readdir(made.folder);
    expect(files).toHaveLength(2);
    for (const file of files)
      expect((await stat(path.join(made.folder, file))).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual([path.basename(made.folder)]);
    const text = await readFile(path.join(made.folder, "manifest.json"), "utf8");
    expect(JSON.parse(text)).toMatchObject({
      format: 1,
      migrations: { "0000_baseline": expect.stringMatching(/^[0-9a-f]{64}$/) },
      secret: expect.stringMatching(/^[\w-]{8}$/),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(text).not.toContain(backupSecret);
  });

  /** A copy with one changed file. */
  async function changed(file: string, change: (bytes: Buffer) => Buffer): Promise<string> {
    const copy = path.join(folder, `copy-${randomUUID()}`);
    await cp(made.folder, copy, { recursive: true });
    await writeFile(path.join(copy, file), change(await readFile(path.join(copy, file))));
    return copy;
  }
  const dataFile = async () =>
    (await readdir(made.folder)).find((file) => file.startsWith("database.")) ?? "";
  const restoreRefused = async (from: string, settings: Record<string, string>) => {
    const refused = await restoreBackup(parseEnvironment(settings), from).catch(
      (error: Error) => error,
    );
    expect(refused).toMatchObject({
      name: "BackupRefused",
      message: expect.stringMatching(/^[^\n]+\.$/),
    });
    return (refused as Error).message;
  };

  test("that is damaged, in its data or in what it says of itself, is refused, and the database stays empty", async () => {
    const target = await fresh();
    const flipped = (bytes: Buffer) => {
      bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
      return bytes;
    };
    const halved = (bytes: Buffer) => bytes.subarray(0, bytes.length / 2);
    const file = await dataFile();
    expect(await restoreRefused(await changed(file, flipped), target)).toContain("is damaged");
    expect(await restoreRefused(await changed(file, halved), target)).toContain("is damaged");
    expect(await restoreRefused(await changed("manifest.json", halved), target)).toContain(
      "is damaged",
    );
    const { code, out, err } = await runScript("restore", [folder], target);
    expect([code, out, err]).toEqual([1, "", `${folder} is no backup: it has no manifest.json.\n`]);
    await restoreBackup(parseEnvironment(target), made.folder);
    // Existing data is not overwritten.
    expect(await restoreRefused(made.folder, target)).toMatch(
      /is not empty|holds a database already/,
    );
  });

  test("of a newer release, of a newer PostgreSQL or of the other engine is refused", async () => {
    const target = await fresh();
    const saying = (fields: object) =>
      changed("manifest.json", (bytes) =>
        Buffer.from(JSON.stringify({ ...JSON.parse(bytes.toString()), ...fields })),
      );
    for (const tag of ["9999_later", "0000_baseline"]) {
      const foreign = await saying({ migrations: { [tag]: "0".repeat(64) }, release: "9.0.0" });
      expect(await restoreRefused(foreign, target)).toMatch(
        new RegExp(`release 9\\.0\\.0, with a migration ${tag}`),
      );
    }
    expect(await restoreRefused(await saying({ engineVersion: 99 }), target)).toContain(
      "PostgreSQL 99",
    );
    const other = process.env.TEST_STORE === "postgres" ? "pglite" : "postgres";
    expect(await restoreRefused(await saying({ engine: other }), target)).toMatch(
      /of an embedded|of a PostgreSQL/,
    );
  });

  test("of nothing is refused", async () => {
    const { code, err } = await runScript("backup", [folder], await fresh());
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^There is no database in |^The database is empty: /),
    ]);
  });

  test.runIf(process.env.TEST_STORE === "postgres")(
    "needs pg_dump, of the server's version or newer, and says so in one sentence",
    async () => {
      const origin = await fresh();
      await withContext(await opened(origin), async () => {});
      const programs = await mkdtemp(path.join(folder, "programs-"));
      const refused = (PATH: string) => runScript("backup", [folder], { ...origin, PATH });
      expect((await refused(programs)).err).toMatch(
        /^pg_dump is not installed\. Install [^\n]+\n$/,
      );
      const old = "#!/bin/sh\necho 'pg_dump (PostgreSQL) 9.6.24'\n";
      await writeFile(path.join(programs, "pg_dump"), old, { mode: 0o755 });
      const { code, err } = await refused(programs);
      expect([code, err]).toEqual([
        1,
        expect.stringMatching(/^pg_dump is of version 9, the database of version \d+\. /),
      ]);
      expect((await readdir(folder)).filter((name) => name.startsWith(".unfinished"))).toEqual([]);
    },
  );

  test.runIf(process.env.TEST_STORE === "postgres")(
    "behind a pooler is made and restored past it, by PostgreSQL's programs too",
    async ({ skip }) => {
      const [origin, target] = [await fresh(), await fresh()];
      const pooler = await startPgBouncer(origin.DATABASE_URL ?? "");
      if (!pooler) return skip("there is no /usr/sbin/pgbouncer");
      const poolerPort = new URL(pooler.url).port;
      const programs = await mkdtemp(path.join(folder, "programs-"));
      // The real programs, with a record of their target.
      for (const name of ["pg_dump", "pg_restore"])
        await writeFile(
          path.join(programs, name),
          `#!/bin/sh\necho "$@" >> ${programs}/calls\nPATH=${origin.PATH} exec ${name} "$@"\n`,
          { mode: 0o755 },
        );
      const through = (settings: Record<string, string>) => {
        const url = new URL(settings.DATABASE_URL ?? "");
        url.port = poolerPort;
        return {
          ...{
            ...settings,
            DATABASE_DIRECT_URL: settings.DATABASE_URL ?? "",
            DATABASE_URL: url.href,
          },
          PATH: `${programs}:${process.env.PATH}`,
        };
      };
      try {
        const { member } = await withContext(await opened(origin), mintEverything);
        const backup = await runScript("backup", [folder], { ...secret, ...through(origin) });
        expect([backup.code, backup.err]).toEqual([0, ""]);
        const restored = await runScript("restore", [backup.out.trim()], through(target));
        expect([restored.code, restored.err]).toEqual([0, ""]);
        const key = (ctx: Context) => pickKey(ctx, { of: "player", playerId: member.playerId });
        await withContext(await opened(target), async (ctx) =>
          expect((await key(ctx))?.reveal()).toBe(member.key),
        );
        const calls = await readFile(path.join(programs, "calls"), "utf8");
        expect(calls.match(/--dbname=/g)).toHaveLength(2);
        expect(calls).not.toContain(`:${poolerPort}`);
      } finally {
        await pooler.stop();
      }
    },
  );

  test.runIf(process.env.TEST_STORE === "postgres")(
    "is restored only where both addresses name one database, and then both stay as they were",
    async () => {
      const [target, other] = [await fresh(), await fresh()];
      const apart = { ...target, DATABASE_DIRECT_URL: other.DATABASE_URL ?? "" };
      const { code, out, err } = await runScript("restore", [made.folder], apart);
      expect([code, out]).toEqual([1, ""]);
      expect(err).toMatch(
        /^DATABASE_DIRECT_URL is wrong: it leads to another database than DATABASE_URL\. [^\n]+\n$/,
      );
      await restoreBackup(parseEnvironment(target), made.folder);
      await restoreBackup(parseEnvironment(other), made.folder);
    },
  );

  test.runIf(process.env.TEST_STORE === "pglite")(
    "is made of a database that no server holds, too",
    async () => {
      const target = await fresh();
      await restoreBackup(parseEnvironment(target), made.folder);
      const { code, out, err } = await runScript("backup", [path.join(folder, "cold")], target);
      expect([code, err]).toEqual([0, ""]);
      expect(await readdir(out.trim())).toHaveLength(2);
    },
  );
});
