import { describe, expect, test } from "vitest";
import { testDatabase } from "#server/testing/database";
import { goodReceiver, hookReceiver } from "#server/testing/hook-receiver";
import { mintApplication } from "#server/testing/oauth-world";
import { portalOf } from "#server/testing/portal-script";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import { fieldErrors, refusalOf } from "#server/trpc/refusal";
import { webhooksRouter } from "./webhooks";

const settings = { webhookLoopback: "allowed", baseUrl: "http://localhost:3000" } as const;
const { ctx, clock } = await testContext({ database: await testDatabase(), settings });
const receiver = await hookReceiver();
const owner = await mintUser(ctx);
const stranger = await mintUser(ctx);

const callerOf = (user: typeof owner) => portalOf(ctx, user).webhooks;
const fresh = (user: typeof owner) => callerOf({ ...user, confirmedAt: ctx.now() });

type Key = { clientId: string; endpointId: string };
type Act = (portal: ReturnType<typeof callerOf>, key: Key) => Promise<unknown>;

/** Every procedure about one endpoint; new ones must be added. */
const acts: Readonly<Record<string, Act>> = {
  deliveries: (portal, key) => portal.deliveries(key),
  verify: (portal, key) => portal.verify(key),
  change: (portal, key) => portal.change({ ...key, description: "Theirs" }),
  rotate: (portal, key) => portal.rotate(key),
  pause: (portal, key) => portal.pause(key),
  resume: (portal, key) => portal.resume({ ...key, from: "now" }),
  test: (portal, key) => portal.test({ ...key, type: "stocks.tick" }),
  replay: (portal, key) => portal.replay({ ...key, which: { failedSince: new Date(0) } }),
  remove: (portal, key) => portal.remove(key),
};

async function added() {
  clock.advance(60);
  const { clientId } = await mintApplication(ctx, owner);
  const { endpointId, secret } = await fresh(owner).add({
    clientId,
    url: receiver.url,
    types: ["stocks.tick"],
  });
  receiver.behave(goodReceiver(() => secret));
  return { key: { clientId, endpointId }, secret };
}

const outcome = (act: Promise<unknown> | undefined) =>
  act?.then(
    () => "done",
    (thrown: { code: string; message: string }) => [thrown.code, thrown.message],
  );

test("all procedures about one endpoint are told of here", () => {
  const about = Object.keys(webhooksRouter._def.procedures).filter(
    (name) => !["list", "add"].includes(name),
  );
  expect(Object.keys(acts).sort()).toEqual(about.sort());
});

describe("ID-09: to another developer a webhook endpoint looks like one that does not exist,", () => {
  test.each(Object.keys(acts))("by %s", async (name) => {
    const { key } = await added();
    await fresh(owner).verify(key);
    const before = await callerOf(owner).list(key);
    const { clientId: theirs } = await mintApplication(ctx, stranger);
    const { length: sent } = receiver.requests();

    const unknown = { clientId: "0".repeat(32), endpointId: key.endpointId };
    const [own, none] = await Promise.all(
      [key, unknown].map((each) => outcome(acts[name]?.(fresh(stranger), each))),
    );
    expect(own).toEqual(["NOT_FOUND", expect.any(String)]);
    expect(none).toEqual(own);

    const within = [key.endpointId, ctx.ids.uuid(), "nonsense", "' or 1=1 --"].map((endpointId) =>
      outcome(acts[name]?.(fresh(stranger), { clientId: theirs, endpointId })),
    );
    const [foreign, ...others] = await Promise.all(within);
    expect(foreign).toEqual(["BAD_REQUEST", "The application has no such webhook endpoint."]);
    for (const other of others) expect(other).toEqual(foreign);

    expect(receiver.requests()).toHaveLength(sent);
    expect(await callerOf(owner).list(key)).toEqual(before);
  });

  test("nor does anybody list or add to another's application", async () => {
    const { key } = await added();
    const portal = fresh(stranger);
    expect(await outcome(portal.list(key))).toEqual(["NOT_FOUND", expect.any(String)]);
    const input = { clientId: key.clientId, url: receiver.url, types: [] };
    expect(await outcome(portal.add(input))).toEqual(["NOT_FOUND", expect.any(String)]);
    expect(await callerOf(owner).list(key)).toHaveLength(1);
  });
});

test("a new endpoint, another URL and a new secret want a fresh confirmation; other acts do not", async () => {
  const { key } = await added();
  const stale = callerOf({ ...owner, confirmedAt: new Date(0) });
  const wanted = (act: Promise<unknown>) =>
    act.then(
      () => "done",
      (thrown) => refusalOf(thrown).reason,
    );
  const input = { clientId: key.clientId, url: receiver.url, types: [] };
  expect(await wanted(stale.add(input))).toBe("CONFIRMATION_WANTED");
  expect(await wanted(stale.change({ ...key, url: receiver.url }))).toBe("CONFIRMATION_WANTED");
  expect(await wanted(stale.rotate(key))).toBe("CONFIRMATION_WANTED");
  expect(await wanted(stale.verify(key))).toBe("done");
  expect(await wanted(stale.change({ ...key, description: "prices" }))).toBe("done");
  expect(await wanted(stale.pause(key))).toBe("done");
  expect(await wanted(stale.resume({ ...key, from: "stopped" }))).toBe("done");
  expect(await callerOf(owner).list(key)).toMatchObject([
    { description: "prices", state: "enabled" },
  ]);
});

test("every input is bounded before a verb sees it", async () => {
  const { key } = await added();
  const portal = fresh(owner);
  const { clientId } = key;
  const long = "x".repeat(2_001);
  const faults = (act: Promise<unknown>) =>
    act.then(
      () => ["done"],
      (thrown: { cause?: unknown }) =>
        fieldErrors(thrown.cause)?.map(({ field }) => field.split(".")[0]),
    );
  expect(await faults(portal.add({ clientId, url: long, types: [] }))).toEqual(["url"]);
  expect(
    await faults(portal.add({ clientId, url: receiver.url, description: long, types: [] })),
  ).toEqual(["description"]);
  expect(await faults(portal.add({ clientId, url: receiver.url, types: ["grant.ended"] }))).toEqual(
    ["types"],
  );
  const many = Array.from({ length: 101 }, () => "stocks.tick");
  expect(await faults(portal.change({ ...key, types: many }))).toEqual(["types"]);
  for (const keepDays of [-1, 8, 0.5, Number.NaN])
    expect([keepDays, await faults(portal.rotate({ ...key, keepDays }))]).toEqual([
      keepDays,
      ["keepDays"],
    ]);
  expect(await faults(portal.test({ ...key, type: long }))).toEqual(["type"]);
  expect(await faults(portal.deliveries({ ...key, after: long }))).toEqual(["after"]);
  expect(await faults(portal.deliveries({ clientId, endpointId: long }))).toEqual(["endpointId"]);
  const never = new Date(Number.NaN);
  expect(await faults(portal.replay({ ...key, which: { from: never, until: never } }))).toEqual([
    "which",
  ]);
  expect(await faults(portal.replay({ ...key, which: { messageId: long } }))).toEqual(["which"]);
});

test("a secret is answered when it is made and never listed", async () => {
  const { key, secret } = await added();
  const portal = fresh(owner);
  await portal.verify(key);
  await portal.test({ ...key, type: "stocks.tick" });
  const { secret: next } = await portal.rotate(key);
  expect([secret, next]).toEqual([
    expect.stringMatching(/^whsec_/),
    expect.stringMatching(/^whsec_/),
  ]);
  const told = JSON.stringify([await portal.list(key), await portal.deliveries(key)]);
  for (const each of [secret, next]) expect(told).not.toContain(each.slice("whsec_".length));
});
