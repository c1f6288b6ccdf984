import { expect, test } from "vitest";
import { testDatabase } from "#server/testing/database";
import { hookReceiver, isSigned } from "#server/testing/hook-receiver";
import { hookSettings, mintHooks, testDeliverer } from "#server/testing/hook-world";
import { testContext } from "#server/testing/test-context";
import { rotateSecret } from "./endpoint-acts";

const database = await testDatabase();
const receiver = await hookReceiver();
const [a, b] = ["a", "b"].map(
  (letter) => `${letter}-tests-alone-use-this-Server-Secret-0123456789-abcdefghij`,
);
const start = (
  secret: string | undefined,
  previous?: string,
  beside?: Awaited<ReturnType<typeof testContext>>,
) =>
  testContext({
    database,
    settings: { ...hookSettings, serverSecret: secret ?? "", previousServerSecret: previous },
    ...(beside && { beside }),
  });

test("an endpoint goes on signing with both of its secrets after the server secret was changed and the old one is gone", async () => {
  const before = await start(a);
  const hooks = await mintHooks(before, receiver);
  await hooks.member();
  const { secret } = await rotateSecret(before.ctx, hooks.owner, {
    ...hooks.key,
    keepDays: 1,
    leaked: false,
  });
  await (await start(b, a, before)).ctx.settled();
  const after = await start(b, undefined, before);
  await (await testDeliverer(after.ctx)).run();
  const [request] = receiver.events();
  expect(request && isSigned(secret, request) && isSigned(hooks.secret, request)).toBe(true);
});
