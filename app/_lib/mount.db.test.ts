import { expect, onTestFinished, test } from "vitest";
import { GET as authorize } from "#app/oauth/authorize/route";
import { BackendError } from "#server/failures";
import { testDatabase } from "#server/testing/database";
import { shareContext } from "#server/testing/plain-browser";
import { testContext } from "#server/testing/test-context";

const { ctx, log } = await testContext({ database: await testDatabase() });

const askOnceBroken = async (accept: string) => {
  const findClient = () => Promise.reject(new Error("a fault of ours"));
  onTestFinished(
    shareContext({
      ...ctx,
      tokens: { ...ctx.tokens, findClient },
      ids: { ...ctx.ids, request: () => "the-id-of-this-request" },
    }),
  );
  const address = `${ctx.settings.baseUrl}/oauth/authorize?client_id=${"0".repeat(32)}`;
  return authorize(new Request(address, { headers: { accept } }));
};

test("a fault of the authorization endpoint is a page in a browser, with the request id that it asks to quote", async () => {
  const answer = await askOnceBroken("text/html,*/*;q=0.8");
  expect(answer.status).toBe(500);
  const page = await answer.text();
  expect(page).toContain("Quote this request id when you report it: the-id-of-this-request");
  expect(page).not.toContain("a fault of ours");
});

test("a fault of the authorization endpoint is JSON for a program, and is logged once", async () => {
  const before = log.lines.length;
  const answer = await askOnceBroken("*/*");
  expect(answer.headers.get("x-request-id")).toBe("the-id-of-this-request");
  expect(await answer.json()).toMatchObject({
    code: BackendError.code,
    message: BackendError.message,
  });
  expect(log.lines.slice(before)).toHaveLength(1);
});
