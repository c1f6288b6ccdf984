import { spawn } from "node:child_process";
import path from "node:path";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { openPostgres } from "#db/client";
import { gameKeys } from "#db/schema/accounts";
import { appState } from "#db/schema/operations";
import { createKeyring } from "#server/platform/keyring";
import { testPostgresUrl } from "#server/testing/database";
import { enrol } from "#server/testing/enrol";
import { testContext } from "#server/testing/test-context";
import { assertKnownServerSecret } from "./server-secret";

const secrets = ["A", "B"].map(
  (name) => `${name}-tests-alone-use-this-Secret-0123456789-abcdefghij`,
);
const now = () => new Date("2026-03-01T12:00:00Z");
const root = path.join(import.meta.dirname, "../..");

test("of two instances with different secrets that start at once on a new database one starts and the other is refused", async () => {
  const url = await testPostgresUrl();
  const instances = secrets.map((secret) => ({
    keyring: createKeyring([secret]),
    database: openPostgres({ url }),
  }));
  for (let round = 0; round < 20; round++) {
    await instances[0]?.database.query.delete(appState).where(eq(appState.key, "server-secret"));
    const starts = instances.map(({ database, keyring }) =>
      assertKnownServerSecret(database, { keyring, now }),
    );
    const outcomes = await Promise.allSettled(starts);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const refused = outcomes.find((outcome) => outcome.status === "rejected");
    expect(refused?.reason).toMatchObject({ name: "UnknownServerSecret" });
    // The result of the race is stable.
    const again = instances.map(({ database, keyring }) =>
      assertKnownServerSecret(database, { keyring, now }),
    );
    expect((await Promise.allSettled(again)).map(({ status }) => status)).toEqual(
      outcomes.map(({ status }) => status),
    );
  }
  for (const { database } of instances) await database.close();
});

test("of many instances with one secret that start at once all start", async () => {
  const url = await testPostgresUrl();
  const databases = Array.from({ length: 5 }, () => openPostgres({ url, pools: { general: 2 } }));
  const keyring = createKeyring([secrets[0] ?? ""]);
  await Promise.all(
    databases.map((database) => assertKnownServerSecret(database, { keyring, now })),
  );
  for (const database of databases) await database.close();
});

test("of two changes to different secrets at once one starts and the other is refused", async () => {
  const url = await testPostgresUrl();
  const [old = "", other = ""] = secrets;
  const changes = [other, other.replace("B", "C")].map((secret) => ({
    keyring: createKeyring([secret, old]),
    database: openPostgres({ url }),
  }));
  const [first] = changes;
  if (!first) throw new Error("There is no instance.");
  for (let round = 0; round < 20; round++) {
    await first.database.query.delete(appState).where(eq(appState.key, "server-secret"));
    await assertKnownServerSecret(first.database, { keyring: createKeyring([old]), now });
    const outcomes = await Promise.allSettled(
      changes.map(({ database, keyring }) => assertKnownServerSecret(database, { keyring, now })),
    );
    expect([round, outcomes.map(({ status }) => status).sort()]).toEqual([
      round,
      ["fulfilled", "rejected"],
    ]);
  }
  for (const { database } of changes) await database.close();
});

function runProcess(file: string, settings: Record<string, string>) {
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(process.execPath, ["--import", "tsx", file], {
    cwd: root,
    env: { PATH, HOME, NODE_ENV: "production", LOG_LEVEL: "warn", DEMO: "0", ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (text: Buffer) => {
      output += text.toString();
    });
  return new Promise<{ code: number | null; output: string }>((resolve, reject) => {
    child.once("error", reject).once("close", (code) => resolve({ code, output }));
  });
}

test("a worker with a wrong secret ends with one sentence and changes no key", {
  timeout: 120_000,
}, async () => {
  const url = await testPostgresUrl();
  const database = openPostgres({ url });
  const { ctx } = await testContext({ database, settings: { serverSecret: secrets[0] } });
  await enrol(ctx, "member");
  const before = await database.query.select().from(gameKeys);
  const settings = { DATABASE_URL: url, SERVER_SECRET: secrets[1] ?? "" };

  const worker = await runProcess("server/jobs/main.ts", settings);
  expect(worker).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^SERVER_SECRET is wrong: [^\n]+\n$/),
  });
  expect(await database.query.select().from(gameKeys)).toEqual(before);
  await database.close();
});
