import { Agent, get } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { memoryOf } from "./memory";
import { noRedis, type Ours, openOurs, openServices } from "./ours";

/**
 * `npx tsx --tsconfig bench/tsconfig.json bench/idle.ts [--quiet 60 --minutes 10 --rate 50]` says how much memory the product holds, all of its processes together:
 * after a quiet minute that follows its start, and how that grows while it answers so many calls a second. On both engines.
 */
const { values } = parseArgs({
  options: {
    quiet: { type: "string", default: "60" },
    minutes: { type: "string", default: "10" },
    rate: { type: "string", default: "50" },
  },
});
const say = (line: string) => process.stdout.write(`${line}\n`);
const [quiet, minutes, rate] = [Number(values.quiet), Number(values.minutes), Number(values.rate)];
/** Seconds between two looks, and the part of them that is left out: memory is taken on demand at first. */
const lookEvery = 5;
const settling = 0.2;

for (const engine of ["PostgreSQL", "PGlite"] as const) {
  const services = engine === "PostgreSQL" ? await openServices() : undefined;
  if (engine === "PostgreSQL" && !services) {
    say(`Left out: ${engine}, because ${noRedis}`);
    continue;
  }
  const ours = await openOurs({ installation: process.cwd(), services }, {});
  try {
    await measure(engine, ours);
  } finally {
    await ours.stop();
  }
}

async function measure(engine: string, ours: Ours): Promise<void> {
  const pid = ours.product.process.pid ?? 0;
  const whole = (unit: number) => `${unit.toFixed(0)} MB`;
  await wait(quiet * 1_000);
  const { pss, rss, processes } = memoryOf(pid);
  say(
    `${engine}: idle ${whole(pss)} (RSS ${whole(rss)}) in ${processes} processes, ${quiet} s after its first calls`,
  );
  const end = callSteadily(ours);
  const looks: { minute: number; megabytes: number }[] = [];
  const begun = performance.now();
  const minute = () => (performance.now() - begun) / 60_000;
  while (minute() < minutes) {
    await wait(lookEvery * 1_000);
    if (minute() > minutes * settling)
      looks.push({ minute: minute(), megabytes: memoryOf(pid).pss });
  }
  const { answered, faults } = end();
  const last = looks.at(-1)?.megabytes ?? Number.NaN;
  say(
    `${engine}: ${answered} calls in ${minutes} min, ${faults} faults; ${whole(last)} at their end, ${slopeOf(looks).toFixed(2)} MB more a minute`,
  );
}

/** Calls at a pace that does not wait for the answers. @returns ends it */
function callSteadily({ product, tokens }: Ours): () => { answered: number; faults: number } {
  const agent = new Agent({ keepAlive: true });
  let [sent, answered, faults] = [0, 0, 0];
  const timer = setInterval(() => {
    const headers = { authorization: `Bearer ${tokens[sent++ % tokens.length]?.accessToken}` };
    get(`${product.url}/api/v1/user`, { agent, headers }, (answer) => {
      answered += 1;
      if (answer.statusCode !== 200) faults += 1;
      answer.resume();
    }).once("error", () => {
      faults += 1;
    });
  }, 1_000 / rate);
  return () => {
    clearInterval(timer);
    agent.destroy();
    return { answered, faults };
  };
}

/** Of the straight line that lies nearest to all looks: a collection of garbage between two of them moves it little. */
function slopeOf(looks: readonly { minute: number; megabytes: number }[]): number {
  const mean = (read: (look: { minute: number; megabytes: number }) => number) =>
    looks.reduce((sum, look) => sum + read(look), 0) / looks.length;
  const [at, level] = [mean(({ minute }) => minute), mean(({ megabytes }) => megabytes)];
  const together = mean(({ minute, megabytes }) => (minute - at) * (megabytes - level));
  return together / mean(({ minute }) => (minute - at) ** 2);
}
