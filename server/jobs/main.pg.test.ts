import { spawn } from "node:child_process";
import path from "node:path";
import { expect, test } from "vitest";
import { openPostgres } from "#db/client";
import { jobRuns } from "#db/schema/operations";
import { testPostgresUrl } from "#server/testing/database";

const root = path.join(import.meta.dirname, "../..");
const secret = "tests-alone-use-this-Server-Secret-0123456789-abcdefghij";

/** Starts the worker with nothing of the caller's environment but the path, and ends it as soon as it says `until`. */
function work(settings: Record<string, string>, until?: string) {
  const { PATH = "" } = process.env;
  const child = spawn(process.execPath, ["--import", "tsx", "server/jobs/main.ts"], {
    cwd: root,
    env: { PATH, NODE_ENV: "production", LOG_LEVEL: "warn", ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const hear = (text: Buffer) => {
    output += text.toString();
    if (until && output.includes(until)) child.kill("SIGTERM");
  };
  child.stdout.on("data", hear);
  child.stderr.on("data", hear);
  return new Promise<{ code: number | null; output: string }>((resolve, reject) => {
    child.once("error", reject).once("close", (code) => resolve({ code, output }));
  });
}

test("a worker on the embedded database is refused with one line", async () => {
  const { code, output } = await work({});
  expect(code).toBe(1);
  expect(output).toMatch(/^DATABASE_URL is missing: .*\n$/);
});

test("a worker runs the jobs, and ends in order when it is told to", async () => {
  const url = await testPostgresUrl();
  const { code, output } = await work({ DATABASE_URL: url, SERVER_SECRET: secret }, "The worker runs");
  expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/^The worker runs refresh-users, /) });
  const database = openPostgres({ url });
  const rows = await database.query.select().from(jobRuns);
  await database.close();
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.map(({ outcome }) => outcome)).toEqual(rows.map(() => "done"));
});
