import { afterAll, expect, test } from "vitest";
import { openPostgres } from "#db/client";
import { requestLog } from "#db/schema/operations";
import { freezePostgres } from "#server/testing/freeze-postgres";
import { prepareInstances } from "#server/testing/instances";
import { livedTime } from "#server/testing/lived-time";
import { startPostgres } from "#server/testing/postgres";

const serverSecret = "tests-alone-use-this-Server-Secret-0123456789-abcdefghij";
/**
 * Milliseconds: for pending requests, parts and the database's goodbye, plus a busy machine's
 * delays.
 */
const longest = 16_000;

const postgres = await startPostgres();
const url = postgres.url("postgres");
const instances = await prepareInstances();
afterAll(async () => {
  instances.remove();
  await postgres.stop();
});
const settings = {
  DATABASE_URL: url,
  SERVER_SECRET: serverSecret,
  JOBS: "inline",
  LOG_LEVEL: "warn",
};

const knock = (at: string) => fetch(`${at}/api/v1/user`).then(({ status }) => status);
const readiness = (at: string) => fetch(`${at}/health/ready`).then(({ status }) => status);

test("told to end, an instance writes down what it still holds, and exits with 0 (RE-06)", async () => {
  const instance = await instances.start(settings);
  expect(await Promise.all(Array.from({ length: 20 }, () => knock(instance.url)))).toEqual(
    Array(20).fill(401),
  );
  expect(await instance.end()).toMatchObject({ code: 0 });
  const database = openPostgres({ url });
  expect(await database.query.$count(requestLog)).toBe(20);
  await database.close();
});

test.each([
  ["has just fallen silent", false],
  ["has been silent for a while", true],
])(
  "told to end while its database %s, it ends in time, with 0, and says what it gave up",
  { timeout: 60_000 },
  async (_, isNoticed) => {
    const instance = await instances.start(settings);
    await knock(instance.url);
    const goOn = freezePostgres(postgres);
    const asked = Array.from({ length: 20 }, () => knock(instance.url).catch(() => undefined));
    if (isNoticed) await expect.poll(() => readiness(instance.url), { timeout: 10_000 }).toBe(503);
    const told = livedTime();
    const { code, output } = await instance.end();
    const took = told();
    goOn();
    expect([code, output]).toEqual([
      0,
      expect.not.stringMatching(/could not end in order|params: /),
    ]);
    expect(took).toBeLessThan(longest);
    expect(await Promise.all(asked)).toEqual(Array(20).fill(401));
    const lost = output.match(/"dropped":\d+,"msg":"request log lines were dropped"/g);
    expect(lost).toHaveLength(1);
  },
);
