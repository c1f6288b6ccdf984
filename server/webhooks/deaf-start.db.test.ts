import { expect, onTestFinished, test } from "vitest";
import { eventChannel } from "#server/event-log/sequencer";
import { revocationChannel } from "#server/oauth/tokens/authenticate";
import { testDatabase } from "#server/testing/database";
import { testContext } from "#server/testing/test-context";
import { createDeliverer } from "./deliverer";

const { ctx } = await testContext({ database: await testDatabase() });

test("one that starts while nothing can be heard asks for all that it wants to hear, once", async () => {
  const asked: string[] = [];
  const listen = async (channel: string) => {
    asked.push(channel);
    throw new Error("nothing can be heard");
  };
  const deliverer = createDeliverer({ ...ctx, database: { ...ctx.database, listen } });
  onTestFinished(() => deliverer.stop(0));
  await expect(deliverer.start()).rejects.toThrow("nothing can be heard");
  expect(asked).toEqual([eventChannel, revocationChannel]);
});
