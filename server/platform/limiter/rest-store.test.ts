import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { afterEach, expect, test } from "vitest";
import { onLoopback } from "#server/testing/on-loopback";
import { recordedLog } from "#server/testing/recorded-log";
import { createLimiter } from "./create-limiter";
import { createRedisLimiter } from "./redis-limiter";
import { createUpstashStore } from "./rest-store";

const instant = new Date("2026-03-01T12:00:10Z");
const now = () => instant;
const patience = 60_000;
const window = { policy: "holder", subject: "somebody", limit: 2 };

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const { close } of opened.splice(0).reverse()) await close();
});

type Command = readonly [name: string, script: string, keys: number, ...rest: (string | number)[]];

interface Waiting {
  readonly clock?: () => Date;
  /** True: the product's timeout instead of one for a busy machine. */
  readonly asProduct?: true;
}

async function restLimiter(
  answer: (commands: Command[], response: ServerResponse, request: IncomingMessage) => void,
  { clock = now, asProduct }: Waiting = {},
) {
  let asked = 0;
  const server = createServer(async (request, response) => {
    asked += 1;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    answer(JSON.parse(Buffer.concat(chunks).toString()), response, request);
  });
  const port = await onLoopback(server);
  const log = recordedLog();
  const [url, token] = [`http://127.0.0.1:${port}`, "token-of-a-test"];
  const limiter = asProduct
    ? await createLimiter({
        settings: { redis: { restUrl: url, restToken: token } },
        now: clock,
        log,
      })
    : createRedisLimiter({
        store: createUpstashStore({ url, token }),
        now: clock,
        log,
        timeout: patience,
      });
  opened.push(limiter, { close: async () => server.closeAllConnections() });
  return { limiter, log, asked: () => asked };
}

const results =
  (of: (count: number) => unknown) => (commands: Command[], response: ServerResponse) =>
    response
      .setHeader("content-type", "application/json")
      .end(JSON.stringify(commands.map(([, , count]) => ({ result: of(Number(count)) }))));

test.each([
  [
    "a page of an error 500",
    (_: Command[], response: ServerResponse) => response.writeHead(500).end("<h1>Oops</h1>"),
  ],
  ["a lost connection", (_: Command[], response: ServerResponse) => response.destroy()],
  ["no answer", () => {}],
  ["no list", results(() => "OK")],
  ["an empty list", results(() => [])],
  ["a count too many", results((count) => Array(count + 1).fill(1))],
  ["nothing in the list", results((count) => Array(count).fill(null))],
  ["words in the list", results((count) => Array(count).fill("d29yZHM="))],
  ["counts below nought", results((count) => Array(count).fill(-7))],
  ["a count below nought", results(() => [-7, window.limit])],
  ["a count of another limit", results(() => [1, window.limit + 1])],
  ["a count with a fraction", results(() => [0.5, window.limit])],
  ["no command's answer", (_: Command[], response: ServerResponse) => response.end("{}")],
])("calls are counted in the process where the answer is %s (RE-30)", async (_name, answer) => {
  const { limiter, log } = await restLimiter(answer, { asProduct: true });
  const states = [
    await limiter.take(window),
    ...(await Promise.all([limiter.take(window), limiter.take(window)])),
  ];
  expect(states.map(({ allowed, remaining }) => [allowed, remaining])).toEqual([
    [true, 1],
    [true, 0],
    [false, 0],
  ]);
  // Silence becomes a loss after a grace period; other faults do at once.
  await limiter.take(window);
  expect(limiter.status()).toEqual({ kind: "upstash", shared: false });
  expect(log.lines).toEqual([expect.objectContaining({ level: "warn" })]);
  expect(JSON.stringify(log.lines)).not.toMatch(/token-of-a-test|somebody|Oops/);
});

test("a count whose answer was lost is not asked for again", async () => {
  const { limiter, asked } = await restLimiter((_, response) => response.destroy());
  await limiter.take(window);
  expect(asked()).toBe(1);
});

test("several requests of one turn go side by side, and each call is told its own count", async () => {
  const { limiter, asked } = await restLimiter((commands, response) =>
    response
      .setHeader("content-type", "application/json")
      .end(JSON.stringify(commands.map((_, at) => ({ result: [at + 1, 1_000] })))),
  );
  const states = await Promise.all(
    Array.from({ length: 450 }, () => limiter.take({ ...window, limit: 1_000 })),
  );
  expect(states.map(({ remaining }) => 1_000 - remaining)).toEqual(
    [...Array(450).keys()].map((at) => (at % 200) + 1),
  );
  expect(asked()).toBe(3);
});

test("who was refused is refused again without a request, until the minute ends", async () => {
  let minute = 0;
  const { limiter, asked } = await restLimiter(
    results(() => [window.limit + 1, window.limit]),
    { clock: () => new Date(instant.getTime() + minute * 60_000) },
  );
  expect(await limiter.take(window)).toMatchObject({ allowed: false, remaining: 0 });
  await limiter.peek(window);
  const before = asked();
  for (let at = 0; at < 20; at++)
    expect(await limiter.take(window)).toMatchObject({ allowed: false, remaining: 0 });
  expect(asked()).toBe(before);
  minute = 1;
  await limiter.take(window);
  expect(asked()).toBeGreaterThan(before);
});

test("no minute of the service's clock falls into two windows of the package, whose clock may be a minute off", async () => {
  const lengths: number[] = [];
  let minute = 0;
  const { limiter } = await restLimiter(
    (commands, response) => {
      for (const [, , , , , length] of commands) lengths.push(Number(length));
      results(() => [1, window.limit])(commands, response);
    },
    { clock: () => new Date(instant.getTime() + minute * 60_000) },
  );
  for (; minute < 500; minute++) {
    await limiter.take(window);
    const start = Math.floor(instant.getTime() / 60_000 + minute) * 60_000;
    const length = lengths.at(-1) ?? Number.NaN;
    expect(Math.floor((start - 60_000) / length)).toBe(Math.floor((start + 120_000 - 1) / length));
  }
  expect(Math.max(...lengths)).toBeLessThanOrEqual(11 * 60_000);
});

test("a lost Upstash is used again when it counts again (RE-32)", async () => {
  let lost = true;
  const { limiter, log } = await restLimiter((commands, response) =>
    lost ? response.destroy() : results(() => [1, Number(commands[0]?.[4])])(commands, response),
  );
  await limiter.take(window);
  expect(limiter.status().shared).toBe(false);
  lost = false;
  while (!limiter.status().shared) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(log.lines.map(({ level }) => level)).toEqual(["warn", "info"]);
});
