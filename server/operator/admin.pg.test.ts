import { afterAll, expect, test } from "vitest";
import { openPostgres } from "#db/client";
import { instances as instanceRows } from "#db/schema/operations";
import { testPostgresUrl } from "#server/testing/database";
import { prepareInstances } from "#server/testing/instances";
import { runScript } from "#server/testing/run-script";

const limits = { timeout: 240_000 };
const url = await testPostgresUrl();
const database = openPostgres({ url });
const instances = await prepareInstances();
afterAll(async () => {
  instances.remove();
  await database.close();
});

const SERVER_SECRET = "commands-are-tested-under-this-Server-Secret-0123456789-abc";
// Nobody asks the game here, and its simulated world takes time to build.
const settings = { DATABASE_URL: url, SERVER_SECRET, GAME_API_URL: "http://127.0.0.1:9/v2" };
const admin = (...args: string[]) => runScript("admin", args, settings);

test(
  "an instance that is drained from elsewhere ends in order, and a command is no instance of its own",
  limits,
  async () => {
    const instance = await instances.start({ ...settings, LOG_LEVEL: "warn" });
    const { instance: id } = (await (await fetch(`${instance.url}/health/ready`)).json()) as { instance: string };
    const listed = await admin("instances", "--json");
    expect([listed.code, listed.err]).toEqual([0, ""]);
    expect(JSON.parse(listed.out)).toMatchObject([{ id }]);
    expect(await admin("drain", id, "--yes")).toMatchObject({ code: 0, err: "" });
    await expect.poll(() => database.query.select().from(instanceRows)).toEqual([]);
    // It is gone by itself: the signal finds nobody.
    const { code, output } = await instance.end();
    expect(code).toBe(0);
    expect(output).not.toContain("Another process serves this database");
  },
);

test(
  "a command with another server secret, or on a database without this release's schema, is refused",
  limits,
  async () => {
    const other = { ...settings, SERVER_SECRET: "another-Server-Secret-than-that-of-the-instance-0123456789" };
    const wrongSecret = await runScript("admin", ["jobs"], other);
    expect([wrongSecret.code, wrongSecret.err]).toEqual([
      1,
      expect.stringMatching(/^SERVER_SECRET is wrong: [^\n]+\n$/),
    ]);
    await database.script("delete from schema_migrations where tag = (select max(tag) from schema_migrations)");
    const older = await admin("jobs");
    expect([older.code, older.err]).toEqual([
      1,
      expect.stringMatching(/^The database is empty, or of an earlier release\./),
    ]);
  },
);
