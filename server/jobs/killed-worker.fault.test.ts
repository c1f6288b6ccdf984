import { afterAll, expect, test } from "vitest";
import { openPostgres } from "#db/client";
import { migrate } from "#db/migrate";
import { createContext } from "#server/create-context";
import { parseEnvironment } from "#server/platform/env";
import { testPostgresUrl } from "#server/testing/database";
import { gameOverFetch } from "#server/testing/game-over-fetch";
import { prepareInstances } from "#server/testing/instances";
import { livedTime } from "#server/testing/lived-time";
import { recordedLog } from "#server/testing/recorded-log";
import type { Job } from "./job";
import { createRunner } from "./runner";

const serverSecret = "killed-workers-share-this-Server-Secret-0123456789-abcdefg";
/** Two periods of three seconds, the next poll, and a busy machine. */
const takenOver = 6_000;
const slack = 3_000;

const url = await testPostgresUrl();
const database = openPostgres({ url });
await migrate(database);
const settings = parseEnvironment({ SERVER_SECRET: serverSecret, JOBS: "off", DEMO: "0" });
const ctx = await createContext(settings, {
  database,
  log: recordedLog(),
  gameFetch: gameOverFetch().simulator.fetch,
});
const workers = await prepareInstances("job-holder");
afterAll(async () => {
  workers.remove();
  await ctx.close();
  await database.close();
});

test("a worker that is killed in the middle of a job of three seconds is replaced within about two periods", {
  timeout: 60_000,
}, async () => {
  const lived = livedTime();
  let ranAt = 0;
  const job: Job = {
    name: "held",
    cadence: { everySeconds: 3 },
    budget: 1,
    run: async () => {
      ranAt ||= lived();
      return {};
    },
  };
  const worker = await workers.start({ DATABASE_URL: url, SERVER_SECRET: serverSecret, DEMO: "0" });
  const other = createRunner(ctx, [job]);
  other.start();
  await worker.kill();
  const killed = lived();
  expect(ranAt).toBe(0);
  await expect.poll(() => ranAt, { interval: 20 }).toBeGreaterThan(0);
  expect(ranAt - killed).toBeLessThan(takenOver + slack);
  await other.stop(10_000);
});
