import { afterAll, beforeEach, describe, expect, test } from "vitest";
import {
  type KillableRedis,
  killableRedis,
  redisServerIsHere,
} from "#server/testing/killable-redis";
import { mintApplication, mintTokens } from "#server/testing/oauth-world";
import { onLoopback } from "#server/testing/on-loopback";
import { twoInstances } from "#server/testing/two-instances";
import { mintUser } from "#server/testing/world";
import type { Limiter } from "../platform/limiter/limiter";
import { createRedisLimiter } from "../platform/limiter/redis-limiter";
import { createRedisStore } from "../platform/limiter/tcp-store";
import type { Log } from "../platform/log";
import { createFront } from "./create-front";

/**
 * Milliseconds. In production it is 50, after which calls are counted in the process; a busy
 * machine is slower.
 */
const patience = 5_000;
/** Small, so that tests need few calls. */
const clientLimit = 40;
const peerLimit = 60;

interface Told {
  readonly status: number;
  readonly limit: number;
  readonly remaining: number;
  readonly reset: number;
  readonly retryAfter: string | null;
}

async function patientLimiter(parts: {
  readonly now: () => Date;
  readonly log: Log;
}): Promise<Limiter> {
  const store = createRedisStore({ url: redis?.url ?? "" });
  await store.ready(patience);
  return createRedisLimiter({ ...parts, store, timeout: patience });
}

const redisIsHere = redisServerIsHere();
const redis: KillableRedis | undefined = redisIsHere ? await killableRedis() : undefined;
afterAll(() => redis?.remove());

describe.skipIf(!redis)("limits that two instances share", async () => {
  const { here, there } = await twoInstances(
    { trustedProxies: ["127.0.0.1"], rates: { client: clientLimit, peer: peerLimit } },
    { limiter: patientLimiter },
  );
  const { clock } = here;
  const instances = await Promise.all([here, there].map(({ ctx }) => serve(ctx)));
  const owner = await mintUser(here.ctx);
  const app = await mintApplication(here.ctx, owner);
  const open = await mintApplication(here.ctx, owner, { kind: "public", redirectUris: [] });

  beforeEach(() => clock.advance(60));

  async function serve(ctx: typeof here.ctx): Promise<string> {
    const front = createFront({
      ctx,
      pages: async (_, response) => void response.writeHead(404).end(),
    });
    return `http://127.0.0.1:${await onLoopback(front, afterAll)}`;
  }

  /** Creates a player. The returned function mints a token for another device. */
  async function mintHolder() {
    const user = await mintUser(here.ctx);
    return async () => ({
      authorization: `Bearer ${(await mintTokens(here.ctx, app, { user })).access_token}`,
    });
  }
  const mintToken = async () => (await mintHolder())();

  /** Evenly over the instances, all at once. */
  const callAll = (count: number, path: string, init: RequestInit = {}): Promise<Told[]> =>
    Promise.all(
      Array.from({ length: count }, async (_, at) => {
        const response = await fetch(`${instances[at % instances.length]}${path}`, init);
        await response.arrayBuffer();
        const number = (name: string) =>
          Number(response.headers.get(`x-ratelimit-${name}`) ?? Number.NaN);
        return {
          status: response.status,
          limit: number("limit"),
          remaining: number("remaining"),
          reset: number("reset"),
          retryAfter: response.headers.get("retry-after"),
        };
      }),
    );
  const withStatus = (answers: readonly Told[], status: number) =>
    answers.filter((told) => told.status === status);
  const countdown = (from: number) => Array.from({ length: from }, (_, at) => from - 1 - at);
  const remainders = (answers: readonly Told[]) =>
    answers.map(({ remaining }) => remaining).sort((a, b) => b - a);

  test("of 400 calls of one holder's two devices exactly 250 pass, and each is told another rest (RE-41, RL-01, RL-02)", async () => {
    const mintDevice = await mintHolder();
    const devices = [await mintDevice(), await mintDevice()];
    const answers = (
      await Promise.all(devices.map((headers) => callAll(200, "/api/v1/user", { headers })))
    ).flat();
    const reset = 60 - clock.now().getUTCSeconds();
    const [through, refused] = [withStatus(answers, 200), withStatus(answers, 429)];
    expect([through.length, refused.length]).toEqual([250, 150]);
    expect(remainders(through)).toEqual(countdown(250));
    expect(answers.every((told) => told.limit === 250 && told.reset === reset)).toBe(true);
    expect(refused.every((told) => told.remaining === 0 && told.retryAfter === String(reset))).toBe(
      true,
    );
    expect(through.every((told) => told.retryAfter === null)).toBe(true);
  });

  test("holders do not spend each other's calls, also where they call in one turn", async () => {
    const tokens = await Promise.all([mintToken(), mintToken()]);
    const [first = {}, second = {}] = tokens;
    await callAll(120, "/api/v1/user", { headers: first });
    const pairs = await Promise.all(
      Array.from({ length: 50 }, () =>
        Promise.all(tokens.map((headers) => callAll(2, "/api/v1/user", { headers }))),
      ),
    );
    expect(remainders(pairs.flatMap(([own = []]) => own))).toEqual(countdown(250).slice(120, 220));
    expect(remainders(pairs.flatMap(([, own = []]) => own))).toEqual(countdown(250).slice(0, 100));
    expect(remainders(await callAll(1, "/api/v1/user", { headers: second }))).toEqual([149]);
  });

  test("calls of a dead token and of none share their peer's window over both instances (RL-10)", async () => {
    const peer = { "x-forwarded-for": "192.0.2.77" };
    const answers = await Promise.all([
      callAll(40, "/api/v1/user", { headers: { ...peer, authorization: "Bearer dead" } }),
      callAll(40, "/api/v1/nothing", { headers: peer }),
    ]);
    const [through, refused] = [
      answers.flat().filter(({ status }) => status !== 429),
      withStatus(answers.flat(), 429),
    ];
    expect(refused).toHaveLength(80 - peerLimit);
    expect(remainders(through)).toEqual(countdown(peerLimit));
    const headers = { ...peer, ...(await mintToken()) };
    expect(await callAll(2, "/api/v1/user", { headers })).toEqual([
      expect.objectContaining({ status: 200, limit: 250 }),
      expect.objectContaining({ status: 200, limit: 250 }),
    ]);
  });

  test("a window that is full at the end of a minute is empty at the start of the next, on both (RL-03, RL-06)", async () => {
    const headers = await mintToken();
    clock.advance(60 - clock.now().getUTCSeconds() - 0.001);
    const late = await callAll(260, "/api/v1/user", { headers });
    clock.advance(0.001);
    const early = await callAll(260, "/api/v1/user", { headers });
    expect(
      [late, early].map((answers) => [
        withStatus(answers, 200).length,
        withStatus(answers, 429).length,
      ]),
    ).toEqual([
      [250, 10],
      [250, 10],
    ]);
    expect(new Set(late.map(({ reset }) => reset))).toEqual(new Set([1]));
    expect(new Set(early.map(({ reset }) => reset))).toEqual(new Set([60]));
  });

  test("a public client's requests count for its address when they succeed, together on both instances", async () => {
    const revoke = (count: number, address: string) =>
      callAll(count, "/oauth/revoke", {
        method: "POST",
        headers: { "x-forwarded-for": address },
        body: new URLSearchParams({ client_id: open.clientId, token: "no-token-of-ours" }),
      });
    for (let at = 0; at < clientLimit / 10; at++)
      expect((await revoke(10, "192.0.2.8")).map(({ status }) => status)).toEqual(
        Array(10).fill(200),
      );
    const refused = await revoke(10, "192.0.2.8");
    expect(refused.map(({ status, retryAfter }) => [status, retryAfter])).toEqual(
      Array(10).fill([429, String(60 - clock.now().getUTCSeconds())]),
    );
    expect((await revoke(2, "192.0.2.9")).map(({ status }) => status)).toEqual([200, 200]);
  });

  test("when Redis is killed with calls under way nothing fails, and of the minute at most twice the limit passes (RE-30, RE-32)", async () => {
    const headers = await mintToken();
    const before = await callAll(100, "/api/v1/user", { headers });
    const [underWay] = await Promise.all([callAll(60, "/api/v1/user", { headers }), redis?.kill()]);
    const without = await callAll(600, "/api/v1/user", { headers });
    const ready = await fetch(`${instances[0]}/health/ready`);
    expect([ready.status, await ready.json()]).toMatchObject([
      200,
      { limiter: { shared: false, status: "fallback" } },
    ]);
    await redis?.start();
    const shared = () => [here, there].every(({ ctx }) => ctx.limiter.status().shared);
    while (!shared()) await new Promise((resolve) => setTimeout(resolve, 20));
    const after = await callAll(300, "/api/v1/user", { headers });
    const answers = [before, underWay, without, after].flat();
    const [through, refused] = [withStatus(answers, 200).length, withStatus(answers, 429).length];
    expect(through + refused).toBe(1_060);
    expect(through).toBeGreaterThanOrEqual(250);
    expect(through).toBeLessThanOrEqual(500);
    clock.advance(60);
    expect(withStatus(await callAll(300, "/api/v1/user", { headers }), 200)).toHaveLength(250);
  });
});
