import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { like, sql } from "drizzle-orm";
import { openPostgres } from "#db/client";
import { migrate } from "#db/migrate";
import { accounts } from "#db/schema/accounts";
import { applications } from "#db/schema/oauth";
import { players } from "#db/schema/players";
import { webhookEndpoints } from "#db/schema/webhooks";
import { answer } from "#server/answer";
import { createContext } from "#server/create-context";
import { recordEvents } from "#server/event-log/record-events";
import { retaliationOpened } from "#server/faction/events";
import { parseEnvironment } from "#server/platform/env";
import { secondMs } from "#server/platform/time";
import { stocksTick } from "#server/stocks/events";
import { mintApplication, mintTokens, refresh } from "#server/testing/oauth-world";
import { startPostgres } from "#server/testing/postgres";
import { portalUser, testSource } from "#server/testing/world";
import { choosableTypes, currentVersion } from "#server/webhooks/contract";
import { createDeliverer } from "#server/webhooks/deliverer";
import { sealSecret } from "#server/webhooks/signature";
import { createOutboundClient } from "#server/webhooks/send-attempt";
import { mintWebhookSecret } from "#server/webhooks/signature";
import { quantile, spentBy } from "./timed";

/*
 * How many events a second reach local receivers, and what slow receivers, foreign events and a long queue cost:
 * `npx tsx --tsconfig bench/tsconfig.json bench/scale/webhooks.ts [rate|hanging|foreign|waiting …] [rows=1000000]`.
 * Goals: 500 deliveries a second, also for one application; p95 under 2 s beside 200 hanging endpoints, and beside 1,000 foreign
 * events a second; calls and deliveries at most 1.1 times as slow with a million rows that wait.
 */

const words = process.argv.slice(2);
const rows = Number(words.find((word) => word.startsWith("rows="))?.slice("rows=".length) ?? 100_000);
const parts = words.filter((word) => !word.startsWith("rows="));
const measures = (part: string) => parts.length === 0 || parts.includes(part);
const say = (line: string) => process.stdout.write(`${line}\n`);

const received = new Map<string, number>();
let count = 0;
const receiver = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.once("end", () => {
    if (request.url?.includes("hanging")) return;
    count += 1;
    const { data } = JSON.parse(Buffer.concat(chunks).toString());
    received.set(`${request.url} ${data.subject.id}`, performance.now());
    response.writeHead(200).end("ok");
  });
});
await new Promise<void>((resolve) => {
  receiver.listen(0, "127.0.0.1", resolve);
});
const port = (receiver.address() as AddressInfo).port;

const server = await startPostgres();
const database = openPostgres({
  url: server.url("postgres"),
  deadline: 600_000,
  jobDeadline: 600_000,
});
await migrate(database);
const settings = parseEnvironment({
  SERVER_SECRET: "benchmarks-alone-use-this-Server-Secret-0123456789-abcdef",
  BASE_URL: "http://localhost:1",
  WEBHOOK_LOOPBACK: "allowed",
  JOBS: "off",
  LOG_LEVEL: "error",
  TOKEN_CACHE: "off",
});
const many = 1_000_000_000;
const rates = { ...settings.rates, holder: many, peer: many, client: many, clientFailures: many };
const ctx = await createContext({ ...settings, rates }, { database });
const outgoing = createOutboundClient({ settings });
const on = database.query;
const deliverer = createDeliverer({
  ...ctx,
  // Each endpoint has a host of its own, and all lead to the one receiver.
  outgoing: {
    ...outgoing,
    send: (request) =>
      outgoing.send({
        ...request,
        url: `http://127.0.0.1:${port}/${new URL(request.url).hostname}`,
      }),
  },
});
await deliverer.start();

let owners = 1_000_000;
/** Applications with so many endpoints each, all types chosen. They get what happens from now on. */
async function fillEndpoints(
  name: string,
  of: { readonly count: number; readonly each?: number; readonly failures?: number },
): Promise<{ readonly accountId: string; readonly playerId: number }> {
  const { count, each = 1, failures = 0 } = of;
  const accountId = ctx.ids.uuid();
  const playerId = owners++;
  const at = ctx.now();
  await on
    .insert(players)
    .values({ id: playerId, name: `Owner${playerId}`, level: 1, lastRefresh: at });
  await on.insert(accounts).values({ id: accountId, playerId, createdAt: at });
  const clientIds = Array.from({ length: count }, (_, n) => `${name}-${n}`);
  const policy = { data: "", use: "", retention: "", deletion: "", sharing: "" };
  await on.insert(applications).values(
    clientIds.map((clientId) => ({
      ...{ clientId, ownerId: accountId, kind: "public" as const, name: clientId },
      ...{ redirectUris: [], scopes: [], optionalScopes: [], clientUri: "", tosUri: "" },
      ...{ privacyUri: "", privacy: policy, createdAt: at, updatedAt: at },
    })),
  );
  const failing = failures > 0 ? { failures, firstFailureAt: at, lastFailureAt: at } : {};
  await on.insert(webhookEndpoints).values(
    clientIds.flatMap((clientId) =>
      Array.from({ length: each }, (_, m) => {
        const id = ctx.ids.uuid();
        const secret = sealSecret(ctx, mintWebhookSecret(ctx.ids.bytes), id);
        return {
          ...{ id, clientId, url: `https://${clientId}-${m}.test/`, description: "" },
          ...{ types: [...choosableTypes], version: currentVersion, secret, secretSince: at },
          ...{ state: "enabled" as const, stateSince: at, createdAt: at, verifiedAt: at },
          ...{ seq: sql`(select seq from event_log where not is_over)`, ...failing },
        };
      }),
    ),
  );
  return { accountId, playerId };
}

const pauseEndpoints = (name: string) =>
  on
    .update(webhookEndpoints)
    .set({ state: "paused" })
    .where(like(webhookEndpoints.clientId, `${name}-%`));

let happened = 0;
async function happen(events: number, of: { readonly factionId?: number } = {}): Promise<string[]> {
  const subjects: string[] = [];
  while (subjects.length < events) {
    const part = Array.from({ length: Math.min(1_000, events - subjects.length) }, () =>
      String(happened++),
    );
    subjects.push(...part);
    await database.transaction((tx) =>
      recordEvents(
        ctx,
        tx,
        part.map((subject) =>
          of.factionId === undefined
            ? { type: stocksTick, subject, data: { tick: 1 } }
            : { type: retaliationOpened, subject, factionId: of.factionId },
        ),
      ),
    );
  }
  return subjects;
}

async function rate(label: string, of: { count: number; each: number }, events: number) {
  const name = `rate${of.count}x${of.each}`;
  await fillEndpoints(name, of);
  await happen(events);
  await ctx.settled();
  const [before, start, cpu] = [count, performance.now(), process.cpuUsage()];
  await deliverer.run();
  const seconds = (performance.now() - start) / secondMs;
  const { user, system } = process.cpuUsage(cpu);
  const sent = count - before;
  say(
    `${label}: ${sent} deliveries in ${seconds.toFixed(1)} s, ${Math.round(sent / seconds)} a second, ${((user + system) / 1_000 / sent).toFixed(2)} ms of this process each (receiver included)`,
  );
  await pauseEndpoints(name);
}

/** From the event to its arrival at a healthy endpoint, four times a second. */
async function healthy(label: string, seconds: number): Promise<void> {
  const begun = new Map<string, number>();
  for (let n = 0; n < 4 * seconds; n++) {
    const at = performance.now();
    for (const subject of await happen(1)) begun.set(subject, at);
    await wait(secondMs / 4);
  }
  const arrived = (subject: string) => received.get(`/healthy-0-0.test ${subject}`);
  for (const end = performance.now() + 60 * secondMs; performance.now() < end; await wait(100))
    if ([...begun.keys()].every(arrived)) break;
  const times = [...begun].map(([subject, at]) => (arrived(subject) ?? Number.NaN) - at);
  say(
    `${label}: a healthy endpoint's ${times.length} events arrive after p50 ${Math.round(quantile(times, 0.5))} ms, p95 ${Math.round(quantile(times, 0.95))} ms`,
  );
}

if (measures("rate")) {
  await rate("warming up", { count: 4, each: 1 }, 200);
  await rate("one endpoint", { count: 1, each: 1 }, 2_000);
  await rate("one application of 20 endpoints", { count: 1, each: 20 }, 200);
  await rate("five applications of 4 endpoints", { count: 5, each: 4 }, 200);
  await rate("20 applications", { count: 20, each: 1 }, 400);
}

if (measures("hanging") || measures("foreign")) {
  await fillEndpoints("healthy", { count: 1 });
  await healthy("quiet", 10);
}
if (measures("hanging")) {
  await fillEndpoints("hanging", { count: 50, each: 4 });
  await healthy("beside 200 endpoints of 50 applications that never answer", 30);
  await pauseEndpoints("hanging");
}
if (measures("foreign")) {
  let flows = true;
  let foreign = 0;
  const [start, step] = [performance.now(), 100];
  const flowing = (async () => {
    while (flows) {
      const due = Math.floor((performance.now() - start) / secondMs) * 1_000 + step;
      if (foreign < due) foreign += (await happen(step, { factionId: 9_999_999 })).length;
      else await wait(10);
    }
  })();
  await healthy("beside events that it may not see", 30);
  const seconds = (performance.now() - start) / secondMs;
  flows = false;
  await flowing;
  say(`foreign events: ${Math.round(foreign / seconds)} a second`);
}

/** Milliseconds on a processor, of this process and its connections' backends: a busy machine moves them less. */
async function spent(): Promise<number> {
  const backends = await on.execute(
    sql`select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend'`,
  );
  const pids = [...(backends as unknown as Iterable<{ pid: number }>)].map(({ pid }) => pid);
  return [process.pid, ...pids].reduce(
    (sum, pid) => sum + (existsSync(`/proc/${pid}`) ? spentBy(pid) : 0),
    0,
  );
}

const rounds = 8;

/** Milliseconds of processor time per call in the cheapest round. */
async function asked(times: number, ask: () => Promise<unknown>): Promise<number> {
  const each: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = await spent();
    for (let n = 0; n < times; n++) await ask();
    each.push(((await spent()) - before) / times);
  }
  return Math.min(...each);
}

function good(response: Response): Response {
  if (!response.ok) throw new Error(`A call was answered with ${response.status}.`);
  return response;
}

async function waiting(): Promise<void> {
  const user = portalUser(ctx, await fillEndpoints("busy", { count: 8 }));
  const app = await mintApplication(ctx, user);
  let tokens = await mintTokens(ctx, app, { user });
  const reader = await mintTokens(ctx, app, { user });
  const headers = { authorization: `Bearer ${reader.access_token}` };
  const request = () => new Request(`${settings.baseUrl}/api/v1/user`, { headers });
  const calls = {
    "GET /user": async () => good(await answer(ctx, request(), { address: testSource.address })),
    refresh: async () => {
      const response = good(await refresh(ctx, app, tokens.refresh_token ?? ""));
      tokens = (await response.json()) as typeof tokens;
    },
    "200 events for eight endpoints": async () => {
      await happen(200);
      await ctx.settled();
      await deliverer.run();
    },
  };
  const measure = async () => [
    await asked(300, calls["GET /user"]),
    await asked(100, calls.refresh),
    await asked(1, calls["200 events for eight endpoints"]),
  ];
  // Each is just below what becomes a gap, and rests, so that nothing of it is sent.
  const each = 8_000;
  const resting = Math.ceil(rows / each);
  await fillEndpoints("resting", { count: resting, failures: 5 });
  await on.execute(sql`update webhook_endpoints set seq = 9007199254740991, probe_at = now() + interval '1 day',
    due_at = now() + interval '1 day' where client_id like 'resting-%'`);
  await measure();
  const before = await measure();
  await on.execute(sql`insert into webhook_deliveries (endpoint_id, message_id, seq, type, body, attempts, first_attempt_at, next_at)
    select id, 'evt_' || n, n, 'stocks.tick', repeat('x', 400), 1, now(), now() + interval '1 day'
    from webhook_endpoints, generate_series(1, ${each}) n where client_id like 'resting-%'`);
  await on.execute(sql`update webhook_endpoints set waiting = ${each} where client_id like 'resting-%'`);
  await on.execute(sql`vacuum analyze webhook_deliveries`);
  const busy = await measure();
  await on.execute(sql`truncate webhook_deliveries`);
  const after = await measure();
  for (const [n, name] of Object.keys(calls).entries()) {
    const quiet = Math.min(before[n] ?? 0, after[n] ?? 0);
    const loaded = busy[n] ?? 0;
    say(
      `${name}: ${quiet.toFixed(2)} ms, with ${resting * each} rows that wait ${loaded.toFixed(2)} ms, ${(loaded / quiet).toFixed(2)}×`,
    );
  }
}

if (measures("waiting")) await waiting();
await deliverer.stop(0);
await ctx.close();
receiver.close();
receiver.closeAllConnections();
await database.close();
await server.stop();
