import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import type { Database } from "#db/client";
import { requestLog } from "#db/schema/operations";
import { createMetrics } from "#server/platform/metrics";
import { testDatabase } from "#server/testing/database";
import { recordedLog } from "#server/testing/recorded-log";
import { createRequestLog } from "./request-log";
import type { RequestLogLine } from "./store";

const database = await testDatabase();
const line = (fields: Partial<RequestLogLine> = {}): RequestLogLine => ({
  at: new Date("2026-03-01T12:00:00Z"),
  requestId: "request",
  method: "GET",
  route: "/api/v1/user",
  status: 200,
  failureCode: null,
  accountId: null,
  clientId: "client",
  address: "192.0.2.1",
  path: null,
  userAgent: null,
  micros: 120,
  failure: null,
  ...fields,
});
const findOwners = async () => new Map();
const written = async () => database.query.select().from(requestLog).orderBy(requestLog.id);

function openLog(deps: Partial<Parameters<typeof createRequestLog>[0]> = {}) {
  const metrics = createMetrics();
  const log = createRequestLog({ findOwners, database, log: recordedLog(), metrics, ...deps });
  const dropped = async () => (await metrics.requestLogDropped.get()).values[0]?.value;
  return { log, dropped };
}

/** The same database, which takes no lines for as long as a test wants. */
function failing(error: () => Error | undefined): Database {
  return {
    ...database,
    statement: (name, build) => {
      const wrong = error();
      if (wrong) throw wrong;
      return database.statement(name, build);
    },
  };
}

describe("the request log", () => {
  test("is written in order, in batches", async () => {
    const { log } = openLog();
    for (let at = 0; at < 450; at++) log.write(line({ requestId: `request ${at}` }));
    await log.close();
    const lines = await written();
    expect(lines.map((row) => row.requestId)).toEqual(
      Array.from({ length: 450 }, (_, at) => `request ${at}`),
    );
    expect(lines[0]).toMatchObject({ ...line(), requestId: "request 0" });
    await database.query.execute(sql`delete from request_log`);
  });

  test("keeps its lines while the database is gone, and writes them when it is back", async () => {
    let error: Error | undefined = Object.assign(new Error("gone"), { code: "CONNECTION_CLOSED" });
    const { log, dropped } = openLog({ database: failing(() => error) });
    log.write(line({ requestId: "kept" }));
    await log.flush();
    expect(await written()).toEqual([]);
    error = undefined;
    await log.close();
    expect((await written()).map((row) => row.requestId)).toEqual(["kept"]);
    expect(await dropped()).toBe(0);
    await database.query.execute(sql`delete from request_log`);
  });

  test("drops what does not fit any more, counts it and says so; it never waits", async () => {
    const spoken = recordedLog();
    const gone = Object.assign(new Error("gone"), { code: "CONNECTION_CLOSED" });
    const { log, dropped } = openLog({ database: failing(() => gone), log: spoken });
    for (let at = 0; at < 20_005; at++) log.write(line());
    expect(await dropped()).toBe(5);
    await log.close();
    expect(await dropped()).toBe(20_005);
    expect(spoken.lines.map((entry) => entry.message)).toContain("request log lines were dropped");
  });

  test("of nobody's calls beyond the rate so many a minute are written, and all others", async () => {
    await database.query.delete(requestLog);
    const { log, dropped } = openLog();
    const at = new Date("2026-03-01T12:00:00Z");
    for (let n = 0; n < 700; n++) log.write(line({ at, clientId: null, status: 429 }));
    log.write(line({ at, clientId: null, status: 401 }));
    log.write(line({ at, status: 429 }));
    await log.close();
    const statuses = (await written()).map(({ status, clientId }) => `${status} ${clientId}`);
    expect(statuses.filter((each) => each === "429 null")).toHaveLength(600);
    expect(statuses.slice(-2)).toEqual(["401 null", "429 client"]);
    expect(await dropped()).toBe(0);
    await database.query.delete(requestLog);
  });

  test("drops a batch that the database refuses for good, and goes on", async () => {
    let error: Error | undefined = new Error("refused");
    const { log, dropped } = openLog({ database: failing(() => error) });
    log.write(line());
    await log.flush();
    error = undefined;
    log.write(line({ requestId: "after" }));
    await log.close();
    expect((await written()).map((row) => row.requestId)).toEqual(["after"]);
    expect(await dropped()).toBe(1);
  });
});
