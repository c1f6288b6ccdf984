import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { expect, test } from "vitest";
import { recordEvents } from "#server/event-log/record-events";
import { retaliationOpened } from "#server/faction/events";
import { drain } from "#server/front/drain";
import { revokeConsents } from "#server/oauth/consents/consent-acts";
import { testDatabase } from "#server/testing/database";
import { readEvents, untilTold } from "#server/testing/event-reader";
import { serveFront, streamRates, streamWorld } from "#server/testing/event-world";
import { livedTime } from "#server/testing/lived-time";
import { untilClosed } from "#server/testing/raw-http";
import { type TestContextOptions, testContext } from "#server/testing/test-context";

const database = await testDatabase();
const { here, ctx, clock, member, hit } = await streamWorld(database);

const beside = async (eventLimits: NonNullable<TestContextOptions["eventLimits"]>) =>
  (
    await testContext({
      database,
      beside: here,
      settings: { rates: streamRates, tokenCache: true },
      eventLimits,
    })
  ).ctx;
const requestOf = (token: string, version = "1.1", query = "") =>
  `GET /api/v1/events${query} HTTP/${version}\r\nHost: x\r\nAccept: text/event-stream\r\nAuthorization: Bearer ${token}\r\n\r\n`;
/** A connection that has sent this text, and what came back so far. */
async function talk(url: string, text: string) {
  const socket = connect(Number(new URL(url).port), "127.0.0.1").setEncoding("utf8");
  socket.on("error", () => {});
  let said = "";
  socket.on("data", (chunk: string) => {
    said += chunk;
  });
  await once(socket, "connect");
  socket.write(text);
  return { socket, said: () => said, closed: untilClosed(socket) };
}

test("a quiet stream outlasts the limits on silence and on long answers, which hold for everything else", async () => {
  const { url } = await serveFront(ctx, {
    silence: 500,
    longestTurn: 500,
    keepAliveTimeout: 500,
    connectionsCheckingInterval: 20,
  });
  const reader = await readEvents(url, (await member()).token);
  await expect.poll(() => reader.frames.length).toBe(1);
  const silent = await talk(url, "");
  await silent.closed;
  const kept = await talk(url, "GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n");
  await kept.closed;
  await hit("after the others were cut");
  await untilTold(reader, "after the others were cut");
  reader.close();
});

test("over HTTP/1.0 a stream is told until the connection ends", async () => {
  const { url } = await serveFront(ctx);
  const old = await talk(url, requestOf((await member()).token, "1.0"));
  await expect.poll(old.said).toMatch(/\r\n\r\nretry: \d+\nid: /);
  expect(old.said()).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(old.said().toLowerCase()).not.toContain("transfer-encoding");
  await hit("old");
  await expect.poll(old.said).toContain('"id":"old"');
  old.socket.destroy();
});

test("what is sent behind a stream is not carried out, and who sends more is cut", async () => {
  const { url } = await serveFront(ctx);
  const { token } = await member();
  const behind = "GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n";
  const stream = await talk(url, requestOf(token) + behind);
  await expect.poll(stream.said).toContain("retry: ");
  await hit("with one behind");
  await expect.poll(stream.said).toContain("with one behind");
  expect(stream.said().match(/HTTP\/1\.1/g)).toHaveLength(1);
  stream.socket.write(behind);
  await stream.closed;
  await expect.poll(() => ctx.events.feed.size()).toBe(0);
});

test("a stream ends at its age, and says so; an instance that is full refuses with when to come back", async () => {
  const short = await beside({ age: 1_000, look: 20, streams: 1 });
  const { url } = await serveFront(short);
  const [{ token }, other] = [await member(), await member()];
  const reader = await readEvents(url, token);
  const refused = await readEvents(url, other.token);
  expect([refused.status, refused.headers["retry-after"]]).toEqual([503, "30"]);
  await reader.closed;
  expect(reader.ended()).toBe("age");
  const again = await readEvents(url, token, {
    headers: { "last-event-id": reader.lastId() ?? "" },
  });
  expect(again.status).toBe(200);
  again.close();
});

/** Enough to fill what the system keeps for a connection that does not read. */
const many = 10_000;
async function flood(label: string) {
  clock.advance(1);
  const happened = Array.from({ length: many }, (_, at) => ({
    ...{ type: retaliationOpened, factionId: 7001 },
    subject: `${label} ${at}`,
  }));
  await database.transaction((tx) => recordEvents(ctx, tx, happened));
  await ctx.settled();
}

test("a reader that stalls holds a position and nothing else; when it reads on it is told everything, in order", async () => {
  const { url } = await serveFront(ctx);
  const { token } = await member();
  const reader = await readEvents(url, token);
  await expect.poll(() => reader.frames.length).toBe(1);
  reader.socket.pause();
  const other = await readEvents(url, (await member()).token);
  await flood("flood");
  await untilTold(other, `flood ${many - 1}`, 60_000);
  expect(reader.subjects().length).toBeLessThan(many / 2);
  reader.socket.resume();
  await untilTold(reader, `flood ${many - 1}`, 60_000);
  const expected = Array.from({ length: many }, (_, at) => `flood ${at}`);
  expect(reader.subjects()).toEqual(expected);
  expect(other.subjects()).toEqual(expected);
  reader.close();
  other.close();
});

test("a reader that takes nothing for too long is cut; one whose rights end while it stalls is cut within a second", async () => {
  const strict = await beside({ slow: 500, look: 50 });
  const [{ url: strictUrl }, { url }] = [await serveFront(strict), await serveFront(ctx)];
  const { token } = await member();
  const revoked = await member();
  const [slow, stalled] = [
    await talk(strictUrl, requestOf(token)),
    await talk(url, requestOf(revoked.token)),
  ];
  await expect.poll(slow.said).toContain("retry: ");
  await expect.poll(stalled.said).toContain("retry: ");
  slow.socket.pause();
  stalled.socket.pause();
  await flood("stall");
  await expect.poll(() => strict.events.feed.size()).toBe(0);
  expect(ctx.events.feed.size()).toBe(1);
  const lived = livedTime();
  await revokeConsents(ctx, revoked.user, { consentIds: [revoked.consentId] });
  await expect.poll(() => ctx.events.feed.size(), { interval: 5 }).toBe(0);
  expect(lived()).toBeLessThan(1_000);
  // The reset takes back what the system still kept for it.
  const before = stalled.said().length;
  stalled.socket.resume();
  await stalled.closed;
  expect(stalled.said().length - before).toBeLessThan(1_000_000);
  slow.socket.destroy();
});

test("draining ends streams one after the other within its time, says so, and refuses new ones with when to come back", async () => {
  const leaving = await beside({});
  const closed: string[] = [];
  const own = { ...leaving, close: async () => void closed.push("closed") };
  const { url, server } = await serveFront(own);
  const tokens = await Promise.all(Array.from({ length: 8 }, async () => (await member()).token));
  const readers = await Promise.all(tokens.map((token) => readEvents(url, token)));
  const drained = drain({ ctx: own, server, notice: 1_000, timeout: 4_000 });
  const refused = await readEvents(url, tokens[0] ?? "");
  expect([refused.status, refused.headers["retry-after"]]).toEqual([503, "1"]);
  const ends = await Promise.all(readers.map(({ closed: at }) => at));
  await drained;
  expect(readers.map((reader) => reader.ended())).toEqual(Array(8).fill("drain"));
  expect(Math.max(...ends) - Math.min(...ends)).toBeGreaterThan(100);
  expect(closed).toEqual(["closed"]);
  expect((server.address() as AddressInfo | null)?.port).toBeUndefined();
});
