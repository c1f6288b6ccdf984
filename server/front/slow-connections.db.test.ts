import { connect } from "node:net";
import { afterAll, expect, test } from "vitest";
import { testDatabase } from "#server/testing/database";
import { latencies, percentile, undisturbed } from "#server/testing/latency";
import { onLoopback } from "#server/testing/on-loopback";
import { testContext } from "#server/testing/test-context";
import { createFront } from "./create-front";

const rates = { holder: 250, peer: 100_000, client: 6_000, clientFailures: 20 };
const { ctx } = await testContext({ database: await testDatabase(), settings: { rates } });
const pages = async () => {};
/** Milliseconds. The server's own limits are twenty and five seconds. */
const limits = { headersTimeout: 1_000, requestTimeout: 2_000, connectionsCheckingInterval: 200 };
const server = createFront({ ctx, pages, limits });
const port = await onLoopback(server, afterAll);

/**
 * Sends a beginning and then single letters.
 * @returns the reply until the server closes
 */
function trickle(beginning: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = "";
    let drip: NodeJS.Timeout | undefined;
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(beginning);
      drip = setInterval(() => socket.write("a"), 100);
    });
    socket.on("data", (chunk) => {
      answer += chunk.toString();
    });
    socket.on("error", () => {});
    socket.once("close", () => {
      clearInterval(drip);
      resolve(answer);
    });
  });
}

test.each([
  ["headers that never end", "GET /api/v1/user HTTP/1.1\r\nHost: x\r\nX-Slow: "],
  [
    "a body that never ends",
    "POST /oauth/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\n",
  ],
])(
  "DS-01: 200 connections with %s are closed, and others are served meanwhile",
  { timeout: 60_000 },
  async (_, beginning) => {
    const call = async () =>
      expect((await fetch(`http://127.0.0.1:${port}/api/v1/user`)).status).toBe(401);
    const longest = await undisturbed(call);
    let open = 200;
    const slow = Array.from({ length: open }, async () => {
      const answer = await trickle(beginning);
      open -= 1;
      return answer;
    });
    const times: number[] = [];
    while (open > 0) times.push(...(await latencies(1, call)));
    for (const answer of await Promise.all(slow)) expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(percentile(times, 0.5)).toBeLessThan(longest);
  },
);

test("DS-01: without shorter limits slow headers are cut long before 80 seconds", () => {
  const { headersTimeout, requestTimeout } = createFront({ ctx, pages });
  expect(headersTimeout).toBeLessThanOrEqual(20_000);
  expect(requestTimeout).toBeLessThanOrEqual(60_000);
});
