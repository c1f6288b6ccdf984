import { request as httpRequest } from "node:http";
import { afterAll, expect, test } from "vitest";
import type { Context } from "#server/context";
import { createFront } from "#server/front/create-front";
import { testDatabase } from "#server/testing/database";
import { liveToken } from "#server/testing/live-token";
import { onLoopback } from "#server/testing/on-loopback";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import { insertCrimeDelays } from "../crimes/store";

const database = await testDatabase();
const { ctx, clock } = await testContext({ database });
const { accountId, playerId } = await mintUser(ctx, { factionId: 7001 });
const [consentId, grantId] = [ctx.ids.uuid(), ctx.ids.uuid()];
const actor = { kind: "token", clientId: "client", scopes: ["faction:crimes"] } as const;
const known: Context = {
  ...ctx,
  tokens: {
    ...ctx.tokens,
    authenticate: async () => liveToken(ctx, { ...actor, accountId, playerId, consentId, grantId }),
  },
};
const delays = [1, 2, 3, 4, 5, 6, 7].map((crimeId) => ({
  ...{ crimeId, slot: "P1", playerId, position: "Lookout", positionIndex: 1 },
  reason: "In hospital for 12 mins",
}));
await insertCrimeDelays(database.query, { factionId: 7001, delays, at: clock.now() });

const server = createFront({ ctx: known, pages: async () => {} });
const port = await onLoopback(server, afterAll);

/** A GET with a body, which `fetch` refuses to send. */
function get(
  search: string,
  headers: Record<string, string | number>,
  body?: string,
): Promise<[number, unknown]> {
  const path = `/api/v1/faction/7001/crime/delays${search}`;
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      { port, path, headers: { authorization: "Bearer known", ...headers } },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part: string) => {
          text += part;
        });
        response.on("end", () => resolve([response.statusCode ?? 0, JSON.parse(text)]));
      },
    );
    sent.on("error", reject).end(body);
  });
}
const json = { "content-type": "application/json" };
const body = '{"limit":5}';

test("the reference request, with its limit in a body of known length or in pieces, is accepted over HTTP (ER-07)", async () => {
  const [status, five] = await get("", { ...json, "content-length": body.length }, body);
  expect([status, five]).toEqual([200, expect.objectContaining({ length: 5 })]);
  expect(await get("", { ...json, "transfer-encoding": "chunked" }, body)).toEqual([200, five]);
});

test("the query wins over the body, and neither is needed (ER-07)", async () => {
  const [, two] = await get("?limit=2", { ...json, "content-length": body.length }, body);
  expect(two).toHaveLength(2);
  const [, all] = await get("", {});
  expect(all).toHaveLength(7);
});

test("a body that is not JSON is refused as such", async () => {
  expect(await get("", { "content-type": "text/plain", "content-length": 3 }, "5 5")).toEqual([
    415,
    expect.objectContaining({ code: 4013 }),
  ]);
});
