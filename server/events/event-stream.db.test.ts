import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { eventLog } from "#db/schema/events";
import { answer } from "#server/answer";
import { testDatabase } from "#server/testing/database";
import { eventsIn, readEvents, untilTold } from "#server/testing/event-reader";
import { serveFront, streamRates, streamWorld } from "#server/testing/event-world";
import { testContext } from "#server/testing/test-context";

const database = await testDatabase();
const { here, ctx, clock, url, member, hit, listed, open } = await streamWorld(database);

test("a stream begins at once with where it is and when to come back, and tells what happens as the list does, to the letter", async () => {
  const { token } = await member();
  await hit("before");
  await ctx.settled();
  const reader = await open(token);
  expect(reader.status).toBe(200);
  expect(reader.headers).toMatchObject({
    "content-type": "text/event-stream",
    "cache-control": "no-cache, no-transform",
    "x-accel-buffering": "no",
    "access-control-allow-origin": "*",
    vary: "Origin, Authorization, Accept",
    "x-ratelimit-limit": expect.any(String),
    "x-request-id": expect.any(String),
  });
  expect(reader.headers["content-encoding"]).toBeUndefined();
  expect(reader.frames[0]).toMatchObject({
    id: expect.stringMatching(/^[\w-]{27}$/),
    event: undefined,
  });
  expect(Number(reader.frames[0]?.retry)).toBeGreaterThanOrEqual(2_000);
  expect(Number(reader.frames[0]?.retry)).toBeLessThanOrEqual(8_000);
  await hit("a");
  await hit("b");
  await untilTold(reader, "b");
  expect(reader.subjects()).toEqual(["a", "b"]);
  const { json } = await listed(token, `?after=${reader.frames[0]?.id}`);
  expect(eventsIn(reader.frames).map(({ data }) => data)).toEqual(json.events);
  expect(eventsIn(reader.frames).map(({ id, event }) => [id, event])).toEqual(
    json.events.map((event: { cursor: string; type: string }) => [event.cursor, event.type]),
  );
  reader.close();
});

test("a reader that comes back with Last-Event-ID, or with after, is told what it has missed and then what happens; the header wins", async () => {
  const { token } = await member();
  const first = await open(token);
  await hit("one");
  await untilTold(first, "one");
  first.close();
  await hit("two");
  const id = first.lastId() ?? "";
  for (const again of [
    await open(token, { headers: { "last-event-id": id } }),
    await open(token, { query: `?after=${id}` }),
    await open(token, { query: "?after=nonsense", headers: { "last-event-id": id } }),
  ]) {
    await untilTold(again, "two");
    expect(again.subjects()).toEqual(["two"]);
    again.close();
  }
  const onward = await open(token, { headers: { "last-event-id": id } });
  await hit("three");
  await untilTold(onward, "three");
  expect(onward.subjects()).toEqual(["two", "three"]);
  onward.close();
});

test("a reader that cannot send headers comes back with lastEventId in the query, which wins over the position that it began with", async () => {
  const { token } = await member();
  const first = await open(token);
  await hit("seen");
  await untilTold(first, "seen");
  first.close();
  const [begun, seen] = [first.frames[0]?.id, first.lastId()];
  await hit("missed");
  for (const query of [`?lastEventId=${seen}`, `?after=${begun}&lastEventId=${seen}`]) {
    const again = await open(token, { query });
    await untilTold(again, "missed");
    expect(again.subjects()).toEqual(["missed"]);
    again.close();
    const { json } = await listed(token, query);
    expect(json.events.map(({ data }: { data: { subject: object } }) => data.subject)).toEqual([
      { kind: "retaliation", id: "missed" },
    ]);
  }
});

test("a stream may begin at a moment; a parameter that only looks like a position is an error, others are ignored", async () => {
  const { token } = await member();
  await hit("now");
  await ctx.settled();
  const since = await open(token, { query: `?since=${Math.floor(clock.now().getTime() / 1_000)}` });
  await untilTold(since, "now");
  since.close();
  for (const name of ["last_event_id", "Last-Event-ID", "cursor", "from", "offset", "startAfter"]) {
    const refused = await readEvents(url, token, { query: `?${name}=x` });
    await expect.poll(refused.text).toContain(`"field":"${name}"`);
    expect([refused.status, refused.headers["content-type"]]).toEqual([400, "application/json"]);
  }
  (await open(token, { query: "?theme=dark&cachebust=1" })).close();
});

test("a quiet reader's position moves on with heartbeats, which are no events", async () => {
  const lively = await testContext({
    database,
    beside: here,
    settings: { rates: streamRates },
    eventLimits: { heartbeat: 100, look: 50 },
  });
  const { url: there } = await serveFront(lively.ctx);
  const { token } = await member(["identity"]);
  const reader = await readEvents(there, token);
  await expect.poll(() => reader.frames.length).toBeGreaterThan(0);
  const begun = reader.lastId();
  await hit("not for it");
  await expect.poll(() => reader.lastId()).not.toBe(begun);
  expect(eventsIn(reader.frames)).toEqual([]);
  expect((await listed(token, `?after=${reader.lastId()}`)).json).toMatchObject({
    events: [],
    more: false,
  });
  reader.close();
});

test("types and records are chosen as in the list", async () => {
  const { token } = await member();
  const none = await open(token, { query: "?types=crime.delayed" });
  const expanded = await open(token, { query: "?types=retaliation.opened&expand=record" });
  await hit("r");
  await untilTold(expanded, "r");
  expect(eventsIn(expanded.frames)[0]?.data).toHaveProperty("record", null);
  expect(eventsIn(none.frames)).toEqual([]);
  none.close();
  expanded.close();
});

test("a cursor that leads nowhere is told within the stream, with where the log begins, and the stream goes on from now", async () => {
  const { token } = await member();
  const reader = await open(token, { headers: { "last-event-id": "AAAAAAAAAAAAAAAAAAAAAAAAAAA" } });
  const [reset] = reader.frames;
  expect(reset).toMatchObject({
    event: "reset",
    data: { reason: "unknown", oldest: expect.any(String) },
  });
  expect(reset?.data.cursor).toBe(reset?.id);
  await hit("after the reset");
  await untilTold(reader, "after the reset");
  expect(reader.subjects()).toEqual(["after the reset"]);
  reader.close();
});

test("what is wrong before a stream begins is answered as JSON, with the status of any other call", async () => {
  const { token } = await member();
  const refused = async (bearer: string, more = {}) => {
    const { status, headers } = await readEvents(url, bearer, more);
    return [status, headers["content-type"]];
  };
  expect(await refused("nonsense")).toEqual([401, "application/json"]);
  expect(await refused(token, { query: "?types=!" })).toEqual([400, "application/json"]);
  expect(await refused(token, { method: "POST" })).toEqual([405, "application/json"]);
  expect(await refused(token, { headers: { accept: "text/html" } })).toEqual([
    406,
    "application/json",
  ]);
  // On a tie the client gets the list.
  expect(
    await refused(token, { headers: { accept: "application/json, text/event-stream" } }),
  ).toEqual([200, "application/json"]);
});

test("a mount that cannot keep answers open refuses a stream in the declared shape, and has the list", async () => {
  const { token } = await member();
  const asked = (accept: string) => {
    const headers = { authorization: `Bearer ${token}`, accept };
    return answer(ctx, new Request("http://any.host/api/v1/events", { headers }), {
      address: null,
    });
  };
  const refused = await asked("text/event-stream");
  expect([refused.status, await refused.json()]).toMatchObject([
    406,
    { code: 4012, message: expect.stringContaining("`wait`") },
  ]);
  expect(
    (await asked("text/event-stream, application/json;q=0.5")).headers.get("content-type"),
  ).toBe("application/json");
});

test("HEAD tells what a stream would be and opens none; a preflight allows the header of the position", async () => {
  const { token } = await member();
  for (let call = 0; call < 10; call++) {
    const head = await readEvents(url, token, { method: "HEAD" });
    expect([head.status, head.headers["content-type"]]).toEqual([200, "text/event-stream"]);
    await head.closed;
  }
  const preflight = await fetch(`${url}/api/v1/events`, {
    method: "OPTIONS",
    headers: { origin: "https://app.test", "access-control-request-method": "GET" },
  });
  expect(preflight.headers.get("access-control-allow-headers")).toMatch(
    /Authorization.*Last-Event-ID/,
  );
  (await open(token)).close();
});

test("a player has five streams through one application; with one that ends, there is room again", async () => {
  const { token } = await member();
  const asked = await Promise.all(Array.from({ length: 8 }, () => readEvents(url, token)));
  const readers = asked.filter(({ status }) => status === 200);
  expect(readers).toHaveLength(5);
  const refused = asked.filter(({ status }) => status === 429);
  expect(refused.map(({ headers }) => headers["retry-after"])).toEqual(["30", "30", "30"]);
  readers[0]?.close();
  await expect
    .poll(async () => {
      const again = await readEvents(url, token);
      if (again.status === 200) again.close();
      return again.status;
    })
    .toBe(200);
  for (const reader of readers) reader.close();
});

/** The newest event is lost, as where a backup is restored. */
async function loseNewest() {
  await database.script(
    "delete from events where seq > (select seq - 1 from event_log where not is_over)",
  );
  await database.query
    .update(eventLog)
    .set({ seq: sql`${eventLog.seq} - 1`, server: "of the backup" })
    .where(eq(eventLog.isOver, false));
}

test("a database that has lost events is told to open streams, to readers that come back, and in the list; all go on from now", async () => {
  const { token } = await member();
  const reader = await open(token);
  await hit("lost");
  await untilTold(reader, "lost");
  const id = reader.lastId() ?? "";
  await loseNewest();
  await expect
    .poll(() => reader.frames.find(({ event }) => event === "reset")?.data.reason)
    .toBe("restored");
  await hit("again");
  await untilTold(reader, "again");
  reader.close();
  const again = await open(token, { headers: { "last-event-id": id } });
  expect(again.frames[0]).toMatchObject({ event: "reset", data: { reason: "restored" } });
  again.close();
  expect(await listed(token, `?after=${id}`)).toMatchObject({
    status: 400,
    json: { details: { reason: "restored", oldest: expect.any(String) } },
  });
});

test("the first who comes back after a loss finds it, though this process never saw the log any longer", async () => {
  const { token } = await member();
  await hit("soon lost");
  await ctx.settled();
  const { cursor } = (await listed(token)).json;
  await loseNewest();
  const reader = await open(token, { headers: { "last-event-id": cursor } });
  expect(reader.frames[0]).toMatchObject({ event: "reset", data: { reason: "restored" } });
  await hit("found");
  await untilTold(reader, "found");
  reader.close();
});

test("a database that was started again and has lost nothing holds nobody up: streams and cursors go on, and a stalled process misses nothing", async () => {
  const { token } = await member();
  const reader = await open(token);
  const other = await open((await member()).token);
  await hit("before the restart");
  await untilTold(reader, "before the restart");
  const id = other.lastId() ?? "";
  for (const n of [1, 2, 3]) {
    await database.query
      .update(eventLog)
      .set({ server: `run ${n}` })
      .where(eq(eventLog.isOver, false));
    await hit(`run ${n}`);
  }
  for (const each of [reader, other]) {
    await untilTold(each, "run 3");
    expect(each.subjects()).toEqual(["before the restart", "run 1", "run 2", "run 3"]);
    expect(each.frames.map(({ event }) => event)).not.toContain("reset");
    each.close();
  }
  const again = await open(token, { headers: { "last-event-id": id } });
  await untilTold(again, "run 3");
  expect(again.frames[0]?.event).not.toBe("reset");
  again.close();
});
