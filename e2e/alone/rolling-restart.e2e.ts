import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "#server/testing/free-port";
import { startPostgres } from "#server/testing/postgres";
import { type RunningProduct, startProduct } from "#server/testing/product";
import { startRedis } from "#server/testing/redis";
import { demoPersonOf } from "#simulator/demo-people";
import { RecordingVisitor } from "../support/recording-visitor";
import { expect, test } from "../support/test";

const rounds = 5;
const chainCount = 4;
/** Milliseconds between the load balancer's probes, and between a user's requests. */
const lookEvery = 100;
const pause = 20;

/** With causes: "fetch failed" alone says nothing. */
function describe(thrown: unknown): string {
  const chain: string[] = [];
  for (let error = thrown; error !== undefined && chain.length < 5; error = (error as Error).cause)
    chain.push(`${error} ${(error as NodeJS.ErrnoException).code ?? ""}`.trim());
  return chain.join(", caused by ");
}

/** Round robin over the instances that passed their last readiness probe. */
function loadBalancer() {
  const instances = new Map<RunningProduct, boolean>();
  let turn = 0;
  const look = async (instance: RunningProduct) => {
    const answer = await fetch(`${instance.url}/health/ready`).catch(() => undefined);
    await answer?.body?.cancel();
    if (instances.has(instance)) instances.set(instance, answer?.ok ?? false);
  };
  const watch = async (instance: RunningProduct) => {
    for (; instances.has(instance); await wait(lookEvery)) await look(instance);
  };
  return {
    add: (instance: RunningProduct) => {
      instances.set(instance, true);
      void watch(instance);
    },
    remove: (instance: RunningProduct) => instances.delete(instance),
    next: (): string => {
      const ready = [...instances].filter(([, isReady]) => isReady).map(([instance]) => instance);
      return ready[turn++ % ready.length]?.url ?? "http://127.0.0.1:1";
    },
    stop: () => instances.clear(),
  };
}

test("two instances that are replaced five times under load fail nobody and sign nobody out (RE-08)", async () => {
  // Only for hanging tests: a busy machine takes a minute for each of the twelve starts.
  test.setTimeout(1_200_000);
  const postgres = await startPostgres();
  const redis = await startRedis();
  const settings = async () => ({
    DATABASE_URL: postgres.url("postgres"),
    ...(redis && { REDIS_URL: redis.url }),
    BASE_URL: `http://localhost:${firstPort}`,
    PORT: String(await freePort()),
    SERVER_SECRET: secret,
    RATE_HOLDER: "1000000",
    RATE_CLIENT: "1000000",
    RATE_PAGES: "1000000",
    // The subject is restarts, not the speed of a busy machine.
    DATABASE_TIMEOUT_SECONDS: "30",
  });
  const secret = randomBytes(48).toString("base64");
  const firstPort = await freePort();
  const balancer = loadBalancer();
  const started: RunningProduct[] = [];
  const start = async (own: Readonly<Record<string, string>>) => {
    const instance = await startProduct(own);
    started.push(instance);
    return instance;
  };
  let [older, newer] = [
    await start({ ...(await settings()), PORT: String(firstPort) }),
    await start(await settings()),
  ];
  for (const instance of [older, newer]) balancer.add(instance);

  const visitor = new RecordingVisitor(older.url, new Map());
  const cookie = await visitor.signIn(demoPersonOf("developer").key);
  expect(await visitor.isSignedIn(cookie)).toBe(true);
  const app = await visitor.register();
  const pairs = [];
  for (let at = 0; at < chainCount; at++)
    pairs.push(await visitor.tokens(app, await visitor.approve(app)));

  let over = false;
  let answered = 0;
  const failed: string[] = [];
  const use = async (act: (user: RecordingVisitor) => Promise<boolean>, what: string) => {
    while (!over) {
      const at = new Date().toISOString();
      const url = balancer.next();
      const outcome = await act(new RecordingVisitor(url, new Map())).catch(describe);
      answered += 1;
      if (outcome !== true) failed.push(`${at} ${what} at ${url}: ${outcome}`);
      await wait(pause);
    }
  };
  const users = pairs.map((first) => {
    let pair = first;
    const refresh = async (user: RecordingVisitor) => {
      pair = await user.refreshed(app, pair);
      return (await user.apiStatus(pair.access)) === 200;
    };
    return use(refresh, "refresh");
  });
  users.push(use((user) => user.isSignedIn(cookie), "page"));

  for (let replaced = 0; replaced < rounds * 2; replaced++) {
    const next = await start(await settings());
    balancer.add(next);
    const leaving = older;
    [older, newer] = [newer, next];
    expect(await leaving.end("SIGTERM")).toBe(0);
    await leaving.stop();
    balancer.remove(leaving);
  }
  over = true;
  await Promise.all(users);
  balancer.stop();
  expect(answered).toBeGreaterThan(500);
  const report = [
    ...failed,
    ...started.map(({ url, output }) => `--- ${url} printed:\n${output()}`),
  ].join("\n");
  expect(failed.length / answered, report).toBeLessThan(0.001);
  expect(report).not.toContain("MaxListenersExceededWarning");
  expect(await new RecordingVisitor(newer.url, new Map()).isSignedIn(cookie)).toBe(true);
  for (const instance of [older, newer]) await instance.stop();
  await redis?.stop();
  await postgres.stop();
});
