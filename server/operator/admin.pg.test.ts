import { afterAll, expect, test } from "vitest";
import { openPostgres } from "#db/client";
import { instances as instanceRows } from "#db/schema/operations";
import { testPostgresUrl } from "#server/testing/database";
import { prepareInstances } from "#server/testing/instances";
import { startPgBouncer } from "#server/testing/pgbouncer";
import { runScript } from "#server/testing/run-script";

const limits = { timeout: 240_000 };
const url = await testPostgresUrl();
const database = openPostgres({ url });
const instances = await prepareInstances();
const pooler = await startPgBouncer(url);
if (!pooler)
  process.stdout.write("note: no /usr/sbin/pgbouncer: draining behind a pooler is skipped\n");
afterAll(async () => {
  instances.remove();
  await pooler?.stop();
  await database.close();
});

const SERVER_SECRET = "commands-are-tested-under-this-Server-Secret-0123456789-abc";
// These tests do not need the game, and the simulated world takes time to build.
const settings = { DATABASE_URL: url, SERVER_SECRET, GAME_API_URL: "http://127.0.0.1:9/v2" };
const behindPooler = { DATABASE_URL: pooler?.url ?? url, DATABASE_DIRECT_URL: url };
const admin = (...args: string[]) => runScript("admin", args, settings);

test.for([
  ["", {}],
  ...(pooler ? [[" behind PgBouncer in transaction mode", behindPooler] as const] : []),
] as const)(
  "an instance%s that is drained from elsewhere ends in order, and a command is no instance of its own",
  limits,
  async ([, place]) => {
    const around = { ...settings, ...place };
    const admin = (...args: string[]) => runScript("admin", args, around);
    const instance = await instances.start({ ...around, LOG_LEVEL: "info", ACCESS_LOG: "on" });
    const { instance: id } = (await (await fetch(`${instance.url}/health/ready`)).json()) as {
      instance: string;
    };
    await fetch(`${instance.url}/api/v1/user`);
    const listed = await admin("instances", "--json");
    expect([listed.code, listed.err]).toEqual([0, ""]);
    expect(JSON.parse(listed.out)).toMatchObject([{ id }]);
    expect(await admin("drain", id, "--yes")).toMatchObject({ code: 0, err: "" });
    await expect.poll(() => database.query.select().from(instanceRows)).toEqual([]);
    const { code, output } = await instance.exited();
    expect(code).toBe(0);
    // Its log lines and its row use the same name.
    const line = output.split("\n").find((each) => each.includes("/api/v1/user")) ?? "{}";
    expect(JSON.parse(line)).toMatchObject({ instance: id });
    expect(output).not.toContain("Another process serves this database");
  },
);

test(
  "a command with another server secret, or on a database without this release's schema, is refused",
  limits,
  async () => {
    const other = {
      ...settings,
      SERVER_SECRET: "another-Server-Secret-than-that-of-the-instance-0123456789",
    };
    const wrongSecret = await runScript("admin", ["jobs"], other);
    expect([wrongSecret.code, wrongSecret.err]).toEqual([
      1,
      expect.stringMatching(/^SERVER_SECRET is wrong: [^\n]+\n$/),
    ]);
    await database.script(
      "delete from schema_migrations where tag = (select max(tag) from schema_migrations)",
    );
    const older = await admin("jobs");
    expect([older.code, older.err]).toEqual([
      1,
      expect.stringMatching(/^The database is empty, or of an earlier release\./),
    ]);
  },
);
