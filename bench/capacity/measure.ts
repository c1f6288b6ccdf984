import { Agent, request } from "node:http";
import { cpus } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { processorTime } from "../processor-time";
import type { Cluster } from "./cluster";
import type { Cost } from "./model";

/** What a cluster has used until now: milliseconds of processor time by part, and bytes. */
interface Meter {
  readonly at: number;
  /** Milliseconds of all cores of the machine, used by any process, and idle. */
  readonly busy: number;
  readonly idle: number;
  readonly ours: number;
  readonly postgres: number;
  readonly redis: number;
  readonly wal: number;
  readonly kept: number;
  readonly tokens: number;
}

async function readMeter({ pids, database }: Cluster): Promise<Meter> {
  const rows = (await database.query.execute(
    sql`select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8 as wal, pg_database_size(current_database())::float8 as whole, pg_total_relation_size('access_tokens')::float8 as tokens`,
  )) as unknown as Iterable<{ wal: number; whole: number; tokens: number }>;
  const [{ wal, whole, tokens } = { wal: Number.NaN, whole: Number.NaN, tokens: Number.NaN }] = [
    ...rows,
  ];
  return {
    at: performance.now(),
    ...readCores(),
    ours: pids.ours.reduce((sum, pid) => sum + processorTime(pid), 0),
    postgres: processorTime(pids.postgres),
    redis: processorTime(pids.redis),
    ...{ wal, kept: whole - tokens, tokens },
  };
}

function readCores(): { busy: number; idle: number } {
  const times = cpus().map(({ times: { user, nice, sys, irq, idle } }) => ({
    busy: user + nice + sys + irq,
    idle,
  }));
  const sum = (name: "busy" | "idle") => times.reduce((total, core) => total + core[name], 0);
  return { busy: sum("busy"), idle: sum("idle") };
}

export interface Rates {
  /** Calls a second. */
  readonly reads: number;
  readonly refreshes: number;
}

export interface Used {
  readonly calls: { readonly reads: number; readonly refreshes: number; readonly failed: number };
  readonly seconds: number;
  /** The part of the machine's cores that was busy with any process. */
  readonly busy: number;
  /** Cores that were busy, by part. */
  readonly cores: { readonly ours: number; readonly postgres: number; readonly redis: number };
  readonly wal: number;
  readonly kept: number;
  readonly tokens: number;
}

/** Work that goes on after the last answer: lines of the request log, which are written together. */
const afterwards = 1_500;

/** Sends calls at a steady rate, whether or not those before have been answered, and reads what they used. */
export async function putSteadyLoad(
  cluster: Cluster,
  rates: Rates,
  seconds: number,
): Promise<Used> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const calls = { reads: 0, refreshes: 0, failed: 0 };
  const before = await readMeter(cluster);
  const pending: Promise<void>[] = [];
  const send = async (kind: "reads" | "refreshes") => {
    const done =
      kind === "reads" ? await read(cluster, agent, calls.reads) : await refresh(cluster, agent);
    calls[kind] += 1;
    if (!done) calls.failed += 1;
  };
  const begun = performance.now();
  const sent = { reads: 0, refreshes: 0 };
  for (let passed = 0; passed < seconds; passed = (performance.now() - begun) / 1_000) {
    for (const kind of ["reads", "refreshes"] as const)
      while (sent[kind] < rates[kind] * passed) {
        sent[kind]++;
        pending.push(send(kind));
      }
    await wait(5);
  }
  await Promise.all(pending);
  await wait(afterwards);
  const after = await readMeter(cluster);
  agent.destroy();
  const span = after.at - before.at;
  const cores = (part: "ours" | "postgres" | "redis") => (after[part] - before[part]) / span;
  const [busy, unused] = [after.busy - before.busy, after.idle - before.idle];
  return {
    calls,
    seconds: span / 1_000,
    busy: busy / (busy + unused),
    cores: { ours: cores("ours"), postgres: cores("postgres"), redis: cores("redis") },
    wal: after.wal - before.wal,
    kept: after.kept - before.kept,
    tokens: after.tokens - before.tokens,
  };
}

/** Calls that come together share statements and turns: what a call costs is read where the machine is used as it is planned. */
const halfBusy = 0.5;
const [probeSeconds, raise] = [2, 1.6];

/** Raises the rate until half of the machine is busy, or calls fail or fall behind. @returns the last one that was kept up with */
export async function raiseUntilHalfBusy(cluster: Cluster, first: Rates): Promise<Rates> {
  let kept = first;
  for (
    let rates = first;
    ;
    rates = { reads: rates.reads * raise, refreshes: rates.refreshes * raise }
  ) {
    const { busy, calls, seconds } = await putSteadyLoad(cluster, rates, probeSeconds);
    const isBehind = seconds > probeSeconds * raise + afterwards / 1_000;
    if (calls.failed > 0 || isBehind) return kept;
    kept = rates;
    if (busy >= halfBusy) return kept;
  }
}

/** What one call costs, beyond what the cluster uses with no call at all. */
export function costOf(idle: Used, used: Used): Cost {
  const calls = Math.max(1, used.calls.reads + used.calls.refreshes);
  const each = (part: "ours" | "postgres" | "redis") =>
    Math.max(0, ((used.cores[part] - idle.cores[part]) * used.seconds * 1_000_000) / calls);
  const bytes = (kind: "wal" | "kept" | "tokens") =>
    Math.max(0, (used[kind] - (idle[kind] * used.seconds) / idle.seconds) / calls);
  return {
    ours: each("ours"),
    postgres: each("postgres"),
    redis: each("redis"),
    wal: bytes("wal"),
    kept: bytes("kept"),
    tokens: bytes("tokens"),
  };
}

const read = async ({ url, accessTokens }: Cluster, agent: Agent, at: number): Promise<boolean> => {
  const authorization = `Bearer ${accessTokens[at % accessTokens.length]}`;
  return (await call(`${url}/api/v1/user`, { agent, authorization })).status === 200;
};

async function refresh(
  { url, authorization, refreshTokens }: Cluster,
  agent: Agent,
): Promise<boolean> {
  const token = refreshTokens.shift();
  if (!token) return false;
  const body = new URLSearchParams({
    grant_type: "refresh_token",
    refresh_token: token,
  }).toString();
  const reply = await call(`${url}/oauth/token`, { agent, authorization, body });
  if (reply.status !== 200) return false;
  refreshTokens.push(JSON.parse(reply.text).refresh_token);
  return true;
}

function call(
  url: string,
  { agent, authorization, body }: { agent: Agent; authorization: string; body?: string },
): Promise<{ status: number; text: string }> {
  const headers = {
    authorization,
    ...(body && { "content-type": "application/x-www-form-urlencoded" }),
  };
  return new Promise((resolve) => {
    const sent = request(url, { agent, headers, method: body ? "POST" : "GET" }, (answer) => {
      let text = "";
      answer.on("data", (chunk: Buffer) => {
        text += chunk.toString();
      });
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    sent.once("error", () => resolve({ status: 0, text: "" }));
    sent.end(body);
  });
}
