import { expect, test } from "vitest";
import type { TokenHolder } from "#server/actor";
import { testDatabase } from "#server/testing/database";
import { testContext } from "#server/testing/test-context";
import { acceptEventStream, openStreams } from "./accept-stream";

const { ctx } = await testContext({ database: await testDatabase() });

test("a stream that could not begin keeps nobody's place", async () => {
  const authenticate = async () => {
    throw Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  };
  const actor = { accountId: "account", clientId: "client" } as TokenHolder;
  const request = new Request("http://localhost/api/v1/events", {
    headers: { authorization: "Bearer any" },
  });
  const opened = acceptEventStream(
    { ...ctx, authenticate },
    { actor, request, from: { at: "newest" }, expand: false },
  );
  await expect(opened).rejects.toThrow("ECONNREFUSED");
  expect(openStreams(ctx)).toBe(0);
});
