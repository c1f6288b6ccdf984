import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { accounts } from "#db/schema/accounts";
import { applications } from "#db/schema/oauth";
import { players } from "#db/schema/players";
import { webhookEndpoints } from "#db/schema/webhooks";
import { recordEvents } from "#server/event-log/record-events";
import { secondMs } from "#server/platform/time";
import { stocksTick } from "#server/stocks/events";
import { hookSettings, testDeliverer } from "#server/testing/hook-world";
import { twoInstances } from "#server/testing/two-instances";
import { currentVersion } from "./contract";
import type { OutboundClient } from "./send-attempt";
import { mintWebhookSecret, sealSecret } from "./signature";

const { here, there } = await twoInstances(hookSettings);
const { ctx, clock } = here;

/** Applications with so many endpoints each, at hosts of their own. */
async function mintEndpoints(count: number, each: number, urlOf: (n: number) => string) {
  const on = ctx.database.query;
  const at = clock.now();
  const accountId = ctx.ids.uuid();
  const playerId = 900_000 + count;
  await on.insert(players).values({ id: playerId, name: "Owner", level: 1, lastRefresh: at });
  await on.insert(accounts).values({ id: accountId, playerId, createdAt: at });
  const policy = { data: "", use: "", retention: "", deletion: "", sharing: "" };
  const ids = Array.from({ length: count }, (_, n) => `hanging-${count}-${n}`);
  await on.insert(applications).values(
    ids.map((clientId) => ({
      ...{ clientId, ownerId: accountId, kind: "public" as const, name: clientId },
      ...{ redirectUris: [], scopes: [], optionalScopes: [], clientUri: "", tosUri: "" },
      ...{ privacyUri: "", privacy: policy, createdAt: at, updatedAt: at },
    })),
  );
  const secret = mintWebhookSecret(ctx.ids.bytes);
  await on.insert(webhookEndpoints).values(
    ids.flatMap((clientId, n) =>
      Array.from({ length: each }, (_, m) => {
        const id = ctx.ids.uuid();
        return {
          ...{ id, clientId, url: urlOf(n * each + m), description: "", types: ["stocks.tick"] },
          ...{ version: currentVersion, secret: sealSecret(ctx, secret, id), secretSince: at },
          ...{ state: "enabled" as const, stateSince: at, createdAt: at, verifiedAt: at, seq: 0 },
        };
      }),
    ),
  );
}

const deadlineMs = 15 * secondMs;
const phases = { dns: 1, connect: 1, tls: 1, firstByte: 1, total: 4 };

test("beside 200 endpoints of 50 applications that never answer, a healthy one is told within two seconds", {
  timeout: 120_000,
}, async () => {
  await mintEndpoints(50, 4, (n) => `https://hanging-${n}.test/`);
  await mintEndpoints(1, 1, () => "https://healthy.test/");
  const begun = new Map<string, number>();
  const took: number[] = [];
  let asked = 0;
  const send: OutboundClient["send"] = async ({ url, body, headers, signal }) => {
    await headers();
    if (url.includes("healthy")) {
      took.push(performance.now() - (begun.get(JSON.parse(body ?? "").data.subject.id) ?? 0));
      return { status: 200, retryAfter: null, delivery: null, excerpt: "", phases };
    }
    asked += 1;
    const failure = await wait(deadlineMs, "timeout" as const, { signal }).catch(
      () => "aborted" as const,
    );
    return { failure, code: null, phases: { ...phases, total: deadlineMs } };
  };
  const deliverers = [
    await testDeliverer({ ...ctx, outgoing: { ...ctx.outgoing, send } }),
    await testDeliverer({ ...there.ctx, outgoing: { ...ctx.outgoing, send } }),
  ];
  for (const deliverer of deliverers) await deliverer.start();
  const events = 80;
  for (let n = 0; n < events; n++) {
    begun.set(String(n), performance.now());
    await ctx.database.transaction((tx) =>
      recordEvents(ctx, tx, [{ type: stocksTick, subject: String(n), data: { tick: n } }]),
    );
    await wait(secondMs / 4);
  }
  await expect.poll(() => took.length, { timeout: 30_000 }).toBe(events);
  const sorted = took.toSorted((one, other) => one - other);
  expect(asked).toBeGreaterThan(150);
  expect(sorted[Math.floor(events * 0.95)]).toBeLessThan(2 * secondMs);
  for (const deliverer of deliverers) await deliverer.stop(0);
});
