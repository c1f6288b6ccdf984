import { afterAll, expect, test } from "vitest";
import { apiPrefix, routes } from "#server/routes";
import { mintApplication, mintTokens } from "#server/testing/oauth-world";
import { startRedis } from "#server/testing/redis";
import { twoInstances } from "#server/testing/two-instances";
import { mintUser } from "#server/testing/world";
import { compileDispatch } from "./dispatch";

const redis = await startRedis();
afterAll(() => redis?.stop());
const dispatch = compileDispatch(routes, { prefix: apiPrefix });

test.skipIf(!redis)(
  "RE-41: of 400 calls of one player and application over two instances exactly 250 pass",
  async () => {
    const { here, there } = await twoInstances({ redis: { url: redis?.url ?? "" } });
    const { ctx } = here;
    const app = await mintApplication(ctx, await mintUser(ctx));
    const user = await mintUser(ctx);
    // Two devices, and so two tokens, of which each instance meets both.
    const devices = [await mintTokens(ctx, app, { user }), await mintTokens(ctx, app, { user })];
    const calls = Array.from({ length: 400 }, (_, at) => {
      const authorization = `Bearer ${devices[Math.floor(at / 2) % 2]?.access_token}`;
      const request = new Request(`http://any.host${apiPrefix}/user`, { headers: { authorization } });
      return dispatch(at % 2 === 0 ? ctx : there.ctx, request, { address: "192.0.2.1" });
    });
    const answers = await Promise.all(calls);
    const passed = answers.filter(({ status }) => status === 200);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(150);
    const left = passed.map(({ headers }) => Number(headers.get("x-ratelimit-remaining"))).sort((a, b) => b - a);
    // Each of them said truly what was left.
    expect(left).toEqual(Array.from({ length: 250 }, (_, at) => 249 - at));
  },
);
