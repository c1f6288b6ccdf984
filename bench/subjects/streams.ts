import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { noRedis } from "../ours";
import { processorTime } from "../processor-time";
import { openStreams, openStreamWorld, residentKilobytes } from "../streams";
import type { Round, Subject } from "../subject";
import { putLoad } from "../wrk";

const readers = 2_000;
/** Milliseconds between two events. */
const pause = 200;
/** Milliseconds from the opening of the streams to the load. */
const settling = 1_000;
/** Milliseconds after which an event that did not come is a fault. */
const longestWay = 3_000;

/** From the commit of an event, in another process, to a stream: 2,000 are open, and each event is for 200 of them. */
export const streams: Subject = {
  id: "streams",
  title: `an event to 200 of ${readers} open streams (req: a frame)`,
  start: async () => {
    const world = await openStreamWorld(readers);
    if (!world) return { leftOut: noRedis };
    const { instance, tokens } = world;
    const arrivals = new Map<string, number[]>();
    const before = residentKilobytes(instance.pid);
    const end = await openStreams(instance.url, tokens, (text, at) => {
      for (const [, subject = ""] of text.matchAll(/"id":"(bench-\d+)"/g))
        arrivals.get(subject)?.push(at);
    });
    await wait(2_000);
    const each = (residentKilobytes(instance.pid) - before) / readers;
    process.stdout.write(`Memory of an open stream: ${each.toFixed(1)} KB\n`);
    let happened = 0;
    const load = async (seconds: number): Promise<Round> => {
      arrivals.clear();
      const spent = processorTime(instance.pid);
      const latencies: number[] = [];
      const begun = performance.now();
      const committed = new Map<string, number>();
      while (performance.now() - begun < seconds * 1_000) {
        const subject = `bench-${happened++}`;
        arrivals.set(subject, []);
        committed.set(subject, await world.happen(happened % world.factions, subject));
        await wait(pause);
      }
      const took = (performance.now() - begun) / 1_000;
      await wait(longestWay);
      for (const [subject, at] of arrivals)
        for (const arrived of at)
          latencies.push(Math.max(0, arrived - (committed.get(subject) ?? 0)));
      latencies.sort((a, b) => a - b);
      const share = (part: number) => latencies[Math.floor(latencies.length * part)] ?? Number.NaN;
      process.stdout.write(`  p95 from commit to stream: ${share(0.95).toFixed(1)} ms\n`);
      return {
        requestsPerSecond: latencies.length / took,
        microseconds:
          ((processorTime(instance.pid) - spent) * 1_000) / Math.max(1, latencies.length),
        p50: share(0.5),
        p99: share(0.99),
        faults: committed.size * (readers / world.factions) - latencies.length,
      };
    };
    const stop = async () => {
      await end();
      await world.stop();
    };
    return { url: instance.url, pid: instance.pid, load, stop };
  },
};

/** One instance for both subjects: two that run beside each other differ by more than the streams cost. */
let shared: { readonly world: ReturnType<typeof openStreamWorld>; users: number } | undefined;

/** An instance of ours, asked for the user's own record while so many quiet streams are open. */
const beside = (id: string, title: string, count: number): Subject => ({
  id,
  title,
  ...(count > 0 && { besides: "user-no-streams" }),
  start: async () => {
    shared ??= { world: openStreamWorld(readers), users: 0 };
    const held = shared;
    held.users += 1;
    const world = await held.world;
    if (!world) return { leftOut: noRedis };
    const { instance, tokens } = world;
    const file = path.join(tmpdir(), `adjutant-bench-${id}-${instance.pid}.tokens`);
    await writeFile(file, tokens.slice(0, 32).join("\n"), { mode: 0o600 });
    const running = { url: `${instance.url}/api/v1/user`, pid: instance.pid };
    const script = async () => ({
      file: path.join(import.meta.dirname, "../read.lua"),
      args: [file],
    });
    return {
      ...running,
      load: async (seconds) => {
        const end = await openStreams(instance.url, tokens.slice(0, count), () => {});
        try {
          await wait(settling);
          return await putLoad(
            { ...running, script, stop: async () => {} },
            { connections: 32, seconds },
          );
        } finally {
          await end();
        }
      },
      stop: async () => {
        await rm(file, { force: true });
        held.users -= 1;
        if (held.users === 0) await world.stop();
      },
    };
  },
});

export const userBesideNone = beside("user-no-streams", "GET /api/v1/user, no stream open", 0);
export const userBesideStreams = beside(
  "user-streams",
  `the same with ${readers} quiet streams`,
  readers,
);
