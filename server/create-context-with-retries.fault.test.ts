import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { expect, test } from "vitest";
import type { Context } from "./context";
import { createContext, createContextWithRetries } from "./create-context";
import { parseEnvironment } from "./platform/env";
import { wrongSetting } from "./platform/start-fault";
import { testPostgresUrl } from "./testing/database";
import { freePort } from "./testing/free-port";
import { recordedLog } from "./testing/recorded-log";

/** A proxy to the tests' PostgreSQL, closed at first. */
async function closedDoor() {
  const real = new URL(await testPostgresUrl());
  const url = new URL(real);
  url.port = String(await freePort());
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const beyond = connect(Number(real.port), real.hostname);
    for (const each of [socket, beyond]) sockets.add(each.on("error", () => {}));
    socket.pipe(beyond).pipe(socket);
  });
  return {
    url,
    open: () =>
      new Promise<AddressInfo | string | null>((done) =>
        server.listen(Number(url.port), url.hostname, () => done(server.address())),
      ),
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

const secret = "tests-alone-use-this-Server-Secret-0123456789-abcdefghij";

test("RE-13: a database that is down at the start is waited for, longer each time, and the log says so", async () => {
  const door = await closedDoor();
  const settings = parseEnvironment({
    DATABASE_URL: door.url.href,
    SERVER_SECRET: secret,
    JOBS: "off",
    DEMO: "0",
  });
  const log = recordedLog();
  const waits: number[] = [];
  const ctx: Context = await createContextWithRetries(
    settings,
    { log },
    {
      open: (parts) => createContext(settings, parts),
      wait: async (milliseconds) => {
        waits.push(milliseconds);
        if (waits.length === 6) await door.open();
      },
    },
  );
  // Never faster than once a second.
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
  expect(await ctx.database.serverTime()).toBeInstanceOf(Date);
  await ctx.close();
  door.close();

  const lines = log.lines.filter(({ level }) => level === "warn");
  expect(lines.map(({ message }) => message)).toEqual(
    waits.map(() => "the database does not answer; trying again"),
  );
  expect(lines[0]?.fields).toMatchObject({
    retryMilliseconds: 1_000,
    error: { errorCode: "ECONNREFUSED" },
  });
  expect(JSON.stringify(log.lines)).not.toContain(door.url.password);
});

test("what waiting cannot mend stops the start at once", async () => {
  const settings = parseEnvironment({});
  const open = () => Promise.reject(wrongSetting("PORT is wrong."));
  const never = () => Promise.reject(new Error("It waited."));
  await expect(createContextWithRetries(settings, {}, { open, wait: never })).rejects.toThrow(
    "PORT is wrong.",
  );
});
