import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { type Call, type Callers, type Kind, startCallers } from "./callers";
import { openDeployment } from "./deployment";
import { type Fault, faults } from "./faults";

/**
 * `npx tsx --tsconfig bench/tsconfig.json bench/faults/main.ts` puts the service up as docs/operations.md says, uses it without pause, lets one part after the other fail, and prints
 * what callers saw. It fails where something that was acknowledged is lost, a call takes longer than may be with that fault, or neither
 * its metric nor its alert reports it.
 * With words it tries the faults with one of them in the name.
 */
const words = process.argv.slice(2);
const say = (line: string) => process.stdout.write(`${line}\n`);

/** To allow an application takes three calls. */
const deadlineOf = ({ longest }: Fault, kind: Kind) => longest * (kind === "authorize" ? 3 : 1);
/** Seconds after a fault until all is well, and before the next. */
const longestRecovery = 60;
const quiet = 5;
const headings = new Set(
  [...readFileSync("docs/runbook.md", "utf8").matchAll(/^### (\w+)$/gm)].map(([, name]) => name),
);

const deployment = await openDeployment();
for (const signal of ["SIGINT", "SIGTERM"])
  process.once(signal, () => void deployment.stop().finally(() => process.exit(1)));
const rows: string[][] = [];
let callers: Callers | undefined;
let failed = false;
try {
  callers = await startCallers(deployment.url);
  await wait(quiet * 2_000);
  say(
    callers.calls
      .filter(isBad)
      .map(({ kind, text }) => `${kind}: ${text}`)
      .join("\n"),
  );
  for (const fault of faults.filter(
    ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
  )) {
    const unable = fault.unable?.(deployment);
    say(
      unable ? `Left out, ${unable}: ${fault.name}` : `${new Date().toISOString()} ${fault.name} …`,
    );
    if (!unable) rows.push(await tryFault(fault, callers));
    say(`  ${rows.at(-1)?.slice(1).join(" · ")}`);
  }
} catch (error) {
  failed = true;
  say(String(error instanceof Error ? error.stack : error));
  for (const { product } of deployment.servers) say(product.output());
} finally {
  await callers?.stop();
  await deployment.stop();
}
say(
  "\n| fault | calls, failed | longest call, s | well again after, s | lost | metric | alert |\n|---|---|---|---|---|---|---|",
);
for (const row of rows) say(`| ${row.join(" | ")} |`);
process.exitCode = failed ? 1 : 0;

async function tryFault(
  fault: Fault,
  { calls, broken, verify, signedOut, acknowledged }: Callers,
): Promise<string[]> {
  await fault.prepare?.(deployment);
  const [struck, from, wasBroken, wasOut, wasAcknowledged] = [
    performance.now(),
    calls.length,
    broken.length,
    signedOut(),
    acknowledged(),
  ];
  const seen = new Set<string>();
  let watching = true;
  const watch = (async () => {
    for (; watching; await wait(1_000)) for (const each of await told(fault)) seen.add(each);
  })();
  const heal = await fault.strike(deployment);
  await wait(fault.lasts * 1_000);
  const healing = performance.now();
  await heal();
  const healed = performance.now();
  await untilWell(calls);
  await wait(quiet * 1_000);
  watching = false;
  await watch;
  await verify(deployment.servers.map(({ product }) => product.url));
  const during = calls.slice(from);
  const bad = during.filter(isBad);
  const longest = [...new Set(during.map(({ kind }) => kind))].map((kind) => {
    const took =
      Math.max(0, ...during.filter((each) => each.kind === kind).map((each) => each.took)) / 1_000;
    if (took > deadlineOf(fault, kind)) {
      failed = true;
      say(`  too long: ${kind} ${took.toFixed(1)} s`);
    }
    return `${kind} ${took.toFixed(1)}`;
  });
  for (const { kind, began, took, status } of during.filter(
    (each) => each.took > fault.longest * 1_000,
  ))
    say(
      `  slow: ${kind} ${status}, ${((began - struck) / 1_000).toFixed(1)} s after it, ${(took / 1_000).toFixed(1)} s`,
    );
  for (const each of broken.slice(wasBroken)) say(`  LOST: ${each}`);
  if (broken.length > wasBroken) failed = true;
  for (const each of untold(fault, seen)) {
    failed = true;
    say(`  NOT TOLD: ${each}`);
  }
  const last = Math.max(healing, ...bad.map(({ began, took }) => began + took));
  const counts = new Map<string, number>();
  for (const { kind, status, text } of bad) {
    const what = `${kind} ${status} ${text.replace(/\s+/g, " ").slice(0, 90)}`;
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  say(
    `  ${[...counts].map(([what, count]) => `${what} × ${count}`).join("\n  ")}\n  ${acknowledged() - wasAcknowledged} writes acknowledged, ${Math.round((healing - struck) / 1_000)} s`,
  );
  return [
    fault.name,
    `${during.length}, ${bad.length}`,
    longest.join(", "),
    `${((last - healing) / 1_000).toFixed(1)} (repair ${((healed - healing) / 1_000).toFixed(1)})`,
    `${broken.length - wasBroken}, signed out ${signedOut() - wasOut}`,
    fault.metric === undefined ? "none is needed" : `${seen.has("metric") ? "" : "NOT "}seen`,
    [...seen].filter((each) => each !== "metric").join(", "),
  ];
}

function isBad({ status }: Call): boolean {
  return status === 0 || status === 429 || status >= 500;
}

async function untilWell(calls: readonly Call[]): Promise<void> {
  const until = performance.now() + longestRecovery * 1_000;
  for (let good = 0; good < quiet && performance.now() < until; await wait(1_000)) {
    const recent = calls.filter(({ began, took }) => began + took > performance.now() - 1_000);
    good = recent.length > 5 && !recent.some(isBad) ? good + 1 : 0;
  }
}

/** The signals that should have shown the fault, and did not. */
function untold({ metric, alert }: Fault, seen: ReadonlySet<string>): string[] {
  const isOnItsWay = ["pending", "firing"].some((state) => seen.has(`${alert} ${state}`));
  return [
    ...(metric && !seen.has("metric") ? [metric] : []),
    ...(alert && !isOnItsWay ? [alert] : []),
    ...(alert && !headings.has(alert) ? [`a heading ${alert} in docs/runbook.md`] : []),
  ];
}

/** The metric's reading and the pending alerts. */
async function told({ metric = "vector(0) > 0" }: Fault): Promise<string[]> {
  const ask = async (address: string) =>
    (await (await fetch(`${deployment.prometheus}/api/v1/${address}`)).json().catch(() => ({})))
      .data;
  const [value, active] = await Promise.all([
    ask(`query?query=${encodeURIComponent(metric)}`),
    ask("alerts"),
  ]).catch(() => []);
  const alerts = (active?.alerts ?? []) as { state: string; labels: { alertname: string } }[];
  return [
    ...(value?.result?.length > 0 ? ["metric"] : []),
    ...alerts.map(({ state, labels }) => `${labels.alertname} ${state}`),
  ];
}
