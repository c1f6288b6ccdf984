import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { freePort } from "#server/testing/free-port";
import { startProduct } from "#server/testing/product";
import { demoPeople } from "#simulator/demo-people";
import { noRedis, openServices } from "./ours";
import { openVisitor } from "../e2e/support/visitor";

/**
 * `npx tsx --tsconfig bench/tsconfig.json bench/start.ts [--rounds 5]` says how long the built product takes from the start of its process to the first `/health/ready`
 * that says yes: on an empty database, and on one that was used, on both engines.
 */
const { values } = parseArgs({ options: { rounds: { type: "string", default: "5" } } });
const rounds = Number(values.rounds);
const say = (line: string) => process.stdout.write(`${line}\n`);
const SERVER_SECRET = randomBytes(48).toString("base64");
/** Milliseconds between two questions. */
const pause = 10;

// A first start may have to build.
await (await startProduct({ DEMO: "0" })).stop();
await onEmbedded();
const services = await openServices();
if (services)
  try {
    const parts = { DATABASE_URL: services.databaseUrl, REDIS_URL: services.redis.url };
    await measure("PostgreSQL", { SERVER_SECRET, ...parts });
  } finally {
    await services.stop();
  }
else say(`Left out: PostgreSQL, because ${noRedis}`);

async function onEmbedded(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "adjutant-start-"));
  try {
    await measure("PGlite", { DATA_DIR: path.join(folder, "data") });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(engine: string, settings: Readonly<Record<string, string>>): Promise<void> {
  say(`${engine}, empty: ${seconds(await start(settings))}`);
  // A sign-in, so that there are accounts, keys and sessions to begin with.
  const product = await startProduct(settings);
  await openVisitor(product.url, demoPeople[0]?.key ?? "").finally(() => product.end("SIGTERM"));
  const took: number[] = [];
  while (took.length < rounds) took.push(await start(settings));
  took.sort((a, b) => a - b);
  say(
    `${engine}, with data: ${seconds(took[took.length >> 1])} (${seconds(took[0])} to ${seconds(took.at(-1))})`,
  );
}

function seconds(milliseconds = Number.NaN): string {
  return `${(milliseconds / 1_000).toFixed(2)} s`;
}

/** @returns milliseconds until it was ready */
async function start(settings: Readonly<Record<string, string>>): Promise<number> {
  const port = String(await freePort());
  const begun = performance.now();
  const starting = startProduct({ ...settings, PORT: port });
  let isOver = false;
  const isReady = async () => {
    while (!isOver) {
      const answer = await fetch(`http://localhost:${port}/health/ready`).catch(() => undefined);
      await answer?.body?.cancel();
      if (answer?.ok) return;
      await wait(pause);
    }
  };
  const ready = isReady().then(() => performance.now() - begun);
  const product = await starting.finally(() => {
    isOver = true;
  });
  await product.end("SIGTERM");
  return ready;
}
