import { withLimiterMetrics, createProcessLimiter } from "#server/platform/limiter/limiter";
import { createMetrics } from "#server/platform/metrics";
import type { Context } from "#server/context";
import { observeRequest } from "#server/rest/request-log";

/**
 * What measuring costs a read of the API: an answer, a charge to a limit, and a look into each of two caches. Run it by
 * `npx tsx --tsconfig bench/tsconfig.json bench/metrics.ts`, and hold the sum against the processor time of `user-local` in `npm run bench`.
 */
const rounds = 5;
const times = 1_000_000;

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const metrics = createMetrics();
const ctx = { metrics, log: silent, settings: { accessLog: false } };
const observe = (answered: Parameters<typeof observeRequest>[1]) =>
  observeRequest(ctx as unknown as Context, answered);
const plain = createProcessLimiter(() => new Date(0));
const measured = withLimiterMetrics(plain, metrics);
const window = { policy: "holder", subject: "somebody", limit: Number.MAX_SAFE_INTEGER };
const line = {
  requestId: "-",
  method: "GET",
  route: "/api/v1/user",
  status: 200,
  clientId: null,
  micros: 1_234,
};

/** @returns microseconds of processor time, in the best of the rounds: the others shared the machine */
async function cost(work: () => unknown): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage();
    for (let at = 0; at < times; at++) await work();
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / times);
  }
  return best;
}

async function main(): Promise<void> {
  const empty = await cost(() => undefined);
  const answer = (await cost(() => observe(line))) - empty;
  const looks =
    (await cost(() => {
      metrics.cacheLookups.inc({ cache: "tokens", outcome: "hit" });
      metrics.cacheLookups.inc({ cache: "answers", outcome: "miss" });
    })) - empty;
  const charge = (await cost(() => measured.take(window))) - (await cost(() => plain.take(window)));
  const write = (name: string, micros: number) =>
    process.stdout.write(`${name.padEnd(30)}${micros.toFixed(3)} µs\n`);
  write("an answer", answer);
  write("a charge to a limit", charge);
  write("looks into two caches", looks);
  write("together", answer + charge + looks);
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
});
