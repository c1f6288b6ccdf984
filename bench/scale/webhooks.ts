import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { eq, sql } from "drizzle-orm";
import { openPostgres } from "#db/client";
import { migrate } from "#db/migrate";
import { accounts } from "#db/schema/accounts";
import { applications } from "#db/schema/oauth";
import { players } from "#db/schema/players";
import { webhookEndpoints } from "#db/schema/webhooks";
import { createContext } from "#server/create-context";
import { recordEvents } from "#server/event-log/record-events";
import { parseEnvironment } from "#server/platform/env";
import { stocksTick } from "#server/stocks/events";
import { startPostgres } from "#server/testing/postgres";
import { choosableTypes, currentVersion } from "#server/webhooks/contract";
import { createDeliverer } from "#server/webhooks/deliverer";
import { sealSecret } from "#server/webhooks/endpoint";
import { mintWebhookSecret } from "#server/webhooks/signature";
import { quantile } from "./timed";

/*
 * How many events a second reach a local receiver, and what a long queue costs everybody else: `npx tsx --tsconfig bench/tsconfig.json bench/scale/webhooks.ts [1000000]`.
 * Goals: 500 deliveries a second; look-ups and deliveries at most 1.1 times as slow with so many messages waiting for endpoints that rest.
 */

const waiting = Number(process.argv[2] ?? 100_000);
const say = (line: string) => process.stdout.write(`${line}\n`);
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
});
const ctx = await createContext(settings, { database });
const on = database.query;
const deliverer = createDeliverer(ctx);
// It renews its claims from now on.
await deliverer.start();

let received = 0;
const receiver = createServer((request, response) => {
  request.resume().once("end", () => {
    received += 1;
    response.writeHead(200).end("ok");
  });
});
await new Promise<void>((resolve) => {
  receiver.listen(0, "127.0.0.1", resolve);
});
const port = (receiver.address() as AddressInfo).port;

/** Applications with an endpoint each, all types chosen. */
async function fillEndpoints(
  count: number,
  of: { readonly host: string; readonly from: number; readonly failures?: number },
): Promise<void> {
  const accountId = ctx.ids.uuid();
  const playerId = 1_000_000 + of.from;
  const at = ctx.now();
  await on
    .insert(players)
    .values({ id: playerId, name: `Owner${playerId}`, level: 1, lastRefresh: at });
  await on.insert(accounts).values({ id: accountId, playerId, createdAt: at });
  const numbers = Array.from({ length: count }, (_, n) => `bench-${of.from + n}`);
  const policy = { data: "", use: "", retention: "", deletion: "", sharing: "" };
  await on.insert(applications).values(
    numbers.map((clientId) => ({
      ...{
        clientId,
        ownerId: accountId,
        kind: "public" as const,
        name: clientId,
        redirectUris: [],
        scopes: [],
        optionalScopes: [],
      },
      ...{
        clientUri: "",
        tosUri: "",
        privacyUri: "",
        privacy: policy,
        createdAt: at,
        updatedAt: at,
      },
    })),
  );
  const { failures = 0 } = of;
  const failing = failures > 0 ? { failures, firstFailureAt: at, lastFailureAt: at } : {};
  await on.insert(webhookEndpoints).values(
    numbers.map((clientId) => {
      const id = ctx.ids.uuid();
      const secret = sealSecret(ctx, mintWebhookSecret(ctx.ids.bytes), id);
      return {
        ...{
          id,
          clientId,
          url: `http://${of.host}:${port}/`,
          description: "",
          types: [...choosableTypes],
          version: currentVersion,
        },
        ...{
          secret,
          secretSince: at,
          state: "enabled" as const,
          stateSince: at,
          createdAt: at,
          verifiedAt: at,
          seq: 0,
          ...failing,
        },
      };
    }),
  );
}

async function happen(count: number): Promise<void> {
  for (let done = 0; done < count; done += 1_000)
    await database.transaction((tx) =>
      recordEvents(
        ctx,
        tx,
        Array.from({ length: Math.min(1_000, count - done) }, (_, n) => ({
          type: stocksTick,
          subject: String(done + n),
          data: { tick: 1 },
        })),
      ),
    );
  await ctx.settled();
  await ctx.sequencer.run();
}

async function deliver(label: string, events: number): Promise<void> {
  const before = received;
  await happen(events);
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  await deliverer.run();
  const seconds = (performance.now() - start) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  const sent = received - before;
  say(
    `${label}: ${sent} deliveries in ${seconds.toFixed(1)} s, ${Math.round(sent / seconds)} a second, ${((user + system) / 1_000 / sent).toFixed(2)} ms of this process each (receiver included)`,
  );
}

await fillEndpoints(1, { host: "127.0.0.1", from: 0 });
await deliver("one endpoint", 2_000);
await on
  .update(webhookEndpoints)
  .set({ state: "paused" })
  .where(eq(webhookEndpoints.clientId, "bench-0"));
await fillEndpoints(8, { host: "127.0.0.1", from: 100 });
await on.execute(
  sql`update webhook_endpoints set seq = (select seq from event_log) where client_id <> 'bench-0'`,
);
await deliver("eight applications at one host", 1_000);

/** A look at the log by everybody else: a call that a page or an endpoint makes. */
async function lookUps(label: string): Promise<number> {
  const middles: number[] = [];
  for (let round = 0; round < 8; round++) {
    const times: number[] = [];
    for (let n = 0; n < 500; n++) {
      const start = performance.now();
      await on.select().from(players).where(eq(players.id, 1_000_000));
      times.push(performance.now() - start);
    }
    middles.push(quantile(times, 0.5));
  }
  // The quietest round: what else runs on the machine is in all of them.
  const least = Math.min(...middles);
  say(`${label}: a look-up takes ${least.toFixed(2)} ms`);
  return least;
}

/** How long 200 events take to reach eight endpoints. */
async function pace(label: string): Promise<number> {
  const before = received;
  const start = performance.now();
  await happen(200);
  await deliverer.run();
  const seconds = (performance.now() - start) / 1_000;
  say(`${label}: ${received - before} deliveries in ${seconds.toFixed(2)} s`);
  return seconds;
}

// The same endpoints rest all the time: what is measured is what waits for them, each just below what becomes a gap.
const each = 8_000;
const resting = Math.ceil(waiting / each);
await fillEndpoints(resting, { host: "127.0.0.1", from: 1_000, failures: 5 });
await on.execute(sql`update webhook_endpoints set seq = 9007199254740991, probe_at = now() + interval '1 day',
  due_at = now() + interval '1 day' where client_id like 'bench-1___'`);

const measure = async (label: string) => {
  const look = await lookUps(label);
  const paces: number[] = [];
  for (let round = 0; round < 4; round++) paces.push(await pace(label));
  return { look, pace: Math.min(...paces) };
};
await lookUps("warming up");
await pace("warming up");
const before = await measure("nothing waits");
await on.execute(sql`insert into webhook_deliveries (endpoint_id, message_id, seq, type, body, attempts, first_attempt_at, next_at)
  select id, 'evt_' || n, n, 'stocks.tick', repeat('x', 400), 1, now(), now() + interval '1 day'
  from webhook_endpoints, generate_series(1, ${each}) n where client_id like 'bench-1___'`);
await on.execute(sql`vacuum analyze webhook_deliveries`);
const busy = await measure(`${resting * each} wait`);
await on.execute(sql`truncate webhook_deliveries`);
const after = await measure("nothing waits any more");
const quiet = { look: Math.min(before.look, after.look), pace: Math.min(before.pace, after.pace) };
say(
  `with ${resting * each} waiting: look-ups ${(busy.look / quiet.look).toFixed(2)}×, deliveries to others ${(busy.pace / quiet.pace).toFixed(2)}×`,
);
await deliverer.stop(0);
await ctx.close();
receiver.close();
receiver.closeAllConnections();
await database.close();
await server.stop();
