import { Agent, request as httpRequest } from "node:http";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { testDatabase } from "#server/testing/database";
import { livedTime } from "#server/testing/lived-time";
import { onLoopback } from "#server/testing/on-loopback";
import { testContext } from "#server/testing/test-context";
import { createFront } from "./create-front";
import { drain } from "./drain";

const opened = await testContext({ database: await testDatabase() });

async function start() {
  const closed: string[] = [];
  let draining = false;
  const presence = {
    ...opened.ctx.presence,
    draining: () => draining,
    drain: () => {
      draining = true;
    },
  };
  const ctx = {
    ...opened.ctx,
    presence,
    close: async () => void closed.push("context"),
  };
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const { promise: underWay, resolve: arrived } = Promise.withResolvers<void>();
  const server = createFront({
    ctx,
    pages: async (_request, response) => {
      arrived();
      await gate;
      response.end("answered");
    },
  });
  const port = await onLoopback(server);
  const agent = new Agent({ keepAlive: true });
  const get = (path: string) =>
    new Promise<string>((resolve, reject) => {
      const sent = httpRequest({ port, path, agent }, (answer) => {
        let text = "";
        answer.on("data", (chunk) => {
          text += chunk;
        });
        answer.once("end", () => resolve(`${answer.statusCode} ${text}`));
      });
      sent.once("error", reject).end();
    });
  return { ctx, server, port, get, open, underWay, closed, agent };
}

test("draining says so first, answers what is under way, and takes nothing new (RE-06)", async () => {
  const { ctx, server, get, open, underWay, closed, agent } = await start();
  const page = get("/");
  await underWay;
  const drained = drain({ ctx, server, notice: 300, timeout: 10_000, closing: 5_000 });
  expect(await get("/health/live")).toMatch(/^200 /);
  expect(await get("/health/ready")).toMatch(/^503 .*"draining"/);
  expect(closed).toEqual([]);
  open();
  expect(await page).toBe("200 answered");
  await drained;
  expect(closed).toEqual(["context"]);
  agent.destroy();
  await expect(get("/")).rejects.toMatchObject({ code: "ECONNREFUSED" });
});

test("a connection that is merely kept does not hold the end up", async () => {
  const { ctx, server, get, open, agent } = await start();
  open();
  await get("/");
  const lived = livedTime();
  await drain({ ctx, server, notice: 0, timeout: 10_000, closing: 5_000 });
  expect(lived()).toBeLessThan(2_000);
  agent.destroy();
});

test("what takes longer than the timeout is cut", async () => {
  const { ctx, server, get, underWay, closed } = await start();
  const page = get("/");
  page.catch(() => {});
  await underWay;
  await drain({ ctx, server, notice: 0, timeout: 100, closing: 5_000 });
  await expect(page).rejects.toMatchObject({ code: "ECONNRESET" });
  expect(closed).toEqual(["context"]);
});

test("a part that does not let go does not hold the end up", async () => {
  const { ctx, server, open } = await start();
  open();
  const stuck = { ...ctx, close: () => new Promise<void>(() => {}) };
  await expect(
    drain({ ctx: stuck, server, notice: 0, timeout: 10_000, closing: 100 }),
  ).rejects.toThrow("in time");
});

test("connections that wait with the system when the end comes are served", async () => {
  const { ctx, server, port, open } = await start();
  open();
  const answers = Array.from({ length: 40 }, () => askOnce(port));
  await drain({ ctx, server, notice: 0, timeout: 10_000, closing: 5_000 });
  expect(new Set((await Promise.all(answers)).map((text) => text.slice(0, 12)))).toEqual(
    new Set(["HTTP/1.1 200"]),
  );
});

/** Sent before the server accepts the connection. */
function askOnce(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.once("error", reject).once("close", () => resolve(text));
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  });
}
