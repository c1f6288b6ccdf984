import { and, eq, like } from "drizzle-orm";
import { expect, test } from "vitest";
import { auditLog } from "#db/schema/operations";
import { testDatabase } from "#server/testing/database";
import { goodReceiver, hookReceiver } from "#server/testing/hook-receiver";
import { mintApplication } from "#server/testing/oauth-world";
import { testContext } from "#server/testing/test-context";
import { mintUser, testSource } from "#server/testing/world";
import { currentVersion, EndpointInput, RotationInput } from "./contract";
import {
  addEndpoint,
  changeEndpoint,
  mostEndpoints,
  pauseEndpoint,
  removeEndpoint,
  resumeEndpoint,
  rotateSecret,
} from "./endpoint-acts";
import { listDeliveries, listEndpoints } from "./endpoint-views";
import { replay } from "./replay";
import { sendTestEvent, verifyEndpoint } from "./try-endpoint";

const settings = { webhookLoopback: "allowed", baseUrl: "http://localhost:3000" } as const;
const { ctx, clock } = await testContext({ database: await testDatabase(), settings });
const receiver = await hookReceiver();
const owner = await mintUser(ctx);
const stranger = await mintUser(ctx);
const input = (url = receiver.url, types = ["grant.approved", "vault_request.created"]) =>
  EndpointInput.parse({ url, types });

async function added(url?: string) {
  const { clientId } = await mintApplication(ctx, owner);
  const { endpointId, secret } = await addEndpoint(ctx, owner, { clientId, ...input(url) });
  receiver.behave(goodReceiver(() => secret));
  const find = async () => (await listEndpoints(ctx, owner, { clientId }))[0];
  return { key: { clientId, endpointId }, secret, find };
}

test("an endpoint is enabled once it echoed a signed code and refused a forged request", async () => {
  clock.advance(60);
  const { key, find } = await added();
  expect(await find()).toMatchObject({
    state: "unverified",
    version: currentVersion,
    types: ["grant.approved", "vault_request.created"],
  });
  expect(await verifyEndpoint(ctx, owner, key)).toMatchObject({
    outcome: "verified",
    signed: { status: 200 },
    forged: { status: 401 },
  });
  expect(await find()).toMatchObject({
    state: "enabled",
    health: "working",
    waiting: 0,
  });
});

test.each([
  ["accepts forged requests", (code) => [200, code], /wrong signature was accepted/],
  ["does not send the code back", () => [200, "ok"], /did not contain the code/],
  ["answers with an error", () => [500, ""], /answered with 500/],
  ["answers with a redirect", () => [307, ""], /answered with 307/],
] satisfies [string, (code: string) => [number, string], RegExp][])(
  "an endpoint that %s is not enabled, and is told why",
  async (_what, answer, why) => {
    clock.advance(60);
    const { key, find } = await added();
    receiver.behave(({ body }, response) => {
      const [status, text] = answer(body.data.code);
      response.writeHead(status, { location: receiver.url }).end(text);
    });
    expect(await verifyEndpoint(ctx, owner, key)).toMatchObject({
      outcome: "refused",
      why: expect.stringMatching(why),
    });
    expect(await find()).toMatchObject({ state: "unverified" });
  },
);

test("another URL has to be verified again; other changes need no proof", async () => {
  clock.advance(60);
  const { key, find } = await added();
  await verifyEndpoint(ctx, owner, key);
  await changeEndpoint(ctx, owner, { ...key, types: ["stocks.tick"], description: "prices" });
  expect(await find()).toMatchObject({
    state: "enabled",
    types: ["stocks.tick"],
    description: "prices",
  });
  await changeEndpoint(ctx, owner, { ...key, url: `${receiver.url}/new` });
  expect(await find()).toMatchObject({ state: "unverified" });
  await expect(sendTestEvent(ctx, owner, { ...key, type: "stocks.tick" })).rejects.toThrow(
    "Verify",
  );
  await verifyEndpoint(ctx, owner, key);
  expect(receiver.requests().at(-1)?.path).toBe("/hook/new");
  expect(await find()).toMatchObject({ state: "enabled" });
});

test("a new secret signs first and the old one second for its time; a third is refused while two sign, and a leaked one ends", async () => {
  clock.advance(60);
  const { key, secret, find } = await added();
  await verifyEndpoint(ctx, owner, key);
  const signatures = async () => {
    clock.advance(10);
    await sendTestEvent(ctx, owner, { ...key, type: "grant.approved" });
    const headers = receiver.events().at(-1)?.headers;
    expect(headers?.["webhook-version"]).toBe(currentVersion);
    return String(headers?.["webhook-signature"]).split(" ").length;
  };
  expect(await signatures()).toBe(1);
  const rotated = await rotateSecret(ctx, owner, { ...key, ...RotationInput.parse({}) });
  expect(rotated.secret).toMatch(/^whsec_/);
  expect(rotated.secret).not.toBe(secret);
  // The receiver still has the old one, and verifies.
  expect(await sendTestEvent(ctx, owner, { ...key, type: "grant.approved" })).toMatchObject({
    delivered: true,
    status: 200,
  });
  expect(await signatures()).toBe(2);
  await expect(rotateSecret(ctx, owner, { ...key, ...RotationInput.parse({}) })).rejects.toThrow(
    "Two secrets sign already",
  );
  const leaked = await rotateSecret(ctx, owner, {
    ...key,
    ...RotationInput.parse({ leaked: true }),
  });
  expect(leaked.previousUntil).toBeNull();
  expect(await sendTestEvent(ctx, owner, { ...key, type: "grant.approved" })).toMatchObject({
    delivered: false,
    status: 401,
  });
  receiver.behave(goodReceiver(() => leaked.secret));
  expect(await signatures()).toBe(1);
  await rotateSecret(ctx, owner, { ...key, ...RotationInput.parse({}) });
  clock.advance(86_401);
  expect(await signatures()).toBe(1);
  expect(await find()).toMatchObject({ previousUntil: null });
});

test("a test event is marked, listed with its phases and the answer's beginning, and says nothing of health", async () => {
  clock.advance(60);
  const { key, find } = await added();
  await verifyEndpoint(ctx, owner, key);
  receiver.behave((_request, response) => response.writeHead(503).end("out of \u0007order"));
  const sent = await sendTestEvent(ctx, owner, { ...key, type: "vault_request.created" });
  expect(receiver.events()[0]?.body).toMatchObject({ test: true, type: "vault_request.created" });
  const { rows, next } = await listDeliveries(ctx, owner, {
    ...key,
    after: null,
    unsuccessful: true,
  });
  expect(rows).toMatchObject([
    {
      messageId: sent.messageId,
      outcome: "failed",
      status: 503,
      excerpt: "out of order",
      attempt: 1,
      nextAt: null,
      phases: { total: expect.any(Number) },
    },
  ]);
  expect(next).toBeNull();
  expect(await find()).toMatchObject({ health: "working", failures: 0 });
});

test("an application has at most ten endpoints, also when they are added at the same time", async () => {
  const { clientId } = await mintApplication(ctx, owner);
  const many = Array.from({ length: mostEndpoints + 2 }, () =>
    addEndpoint(ctx, owner, { clientId, ...input() }),
  );
  const results = await Promise.allSettled(many);
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(mostEndpoints);
});

test("what is no URL of an endpoint, and no type, is refused", async () => {
  const { clientId } = await mintApplication(ctx, owner);
  for (const url of [
    "http://hooks.example.com/",
    "https://10.0.0.1/",
    "https://localhost/",
    "ftp://x.example",
  ])
    await expect(addEndpoint(ctx, owner, { clientId, ...input(url) }), url).rejects.toThrow(/URL/);
  expect(EndpointInput.safeParse({ url: receiver.url, types: ["grant.ended"] }).success).toBe(
    false,
  );
  expect(EndpointInput.safeParse({ url: receiver.url, types: ["nothing.happened"] }).success).toBe(
    false,
  );
});

test("pausing, resuming and removing do what they say; another developer's endpoint is as unknown as none", async () => {
  clock.advance(60);
  const { key, find } = await added();
  await expect(resumeEndpoint(ctx, owner, { ...key, from: "now" })).rejects.toThrow("Verify");
  await verifyEndpoint(ctx, owner, key);
  await pauseEndpoint(ctx, owner, key);
  expect(await find()).toMatchObject({ state: "paused" });
  await expect(replay(ctx, owner, { ...key, which: { failedSince: clock.now() } })).rejects.toThrow(
    "Enable",
  );
  await resumeEndpoint(ctx, owner, { ...key, from: "stopped" });
  expect(await find()).toMatchObject({ state: "enabled" });
  await expect(pauseEndpoint(ctx, stranger, key)).rejects.toThrow();
  await expect(listEndpoints(ctx, stranger, key)).rejects.toThrow();
  await expect(verifyEndpoint(ctx, stranger, key)).rejects.toThrow();
  const other = await mintApplication(ctx, stranger);
  await expect(removeEndpoint(ctx, stranger, { ...key, clientId: other.clientId })).rejects.toThrow(
    "no such webhook endpoint",
  );
  await removeEndpoint(ctx, owner, key);
  expect(await find()).toBeUndefined();
});

test("every act of a developer on an endpoint is in the audit log, with where it came from", async () => {
  clock.advance(60);
  const { key } = await added();
  receiver.behave((_request, response) => response.writeHead(500).end());
  await verifyEndpoint(ctx, owner, key);
  const { secret } = await rotateSecret(ctx, owner, {
    ...key,
    ...RotationInput.parse({ leaked: true }),
  });
  receiver.behave(goodReceiver(() => secret));
  await verifyEndpoint(ctx, owner, key);
  await changeEndpoint(ctx, owner, { ...key, description: "Ours" });
  const which = { failedSince: new Date(clock.now().getTime() - 1_000) };
  await replay(ctx, owner, { ...key, which });
  await pauseEndpoint(ctx, owner, key);
  await resumeEndpoint(ctx, owner, { ...key, from: "now" });
  await removeEndpoint(ctx, owner, key);
  const rows = await ctx.database.query
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.clientId, key.clientId), like(auditLog.act, "webhook%")))
    .orderBy(auditLog.id);
  expect(rows.map(({ act }) => act)).toEqual([
    ...[
      "webhook.added",
      "webhook.not_verified",
      "webhook_secret.rotated",
      "webhook.verified",
      "webhook.changed",
    ],
    ...["webhook_events.replayed", "webhook.paused", "webhook.resumed", "webhook.removed"],
  ]);
  const { requestId, address } = testSource;
  for (const row of rows)
    expect(row).toMatchObject({ actor: `account:${owner.accountId}`, requestId, address });
});
