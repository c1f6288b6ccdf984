import { expect, test } from "vitest";
import { accounts } from "#db/schema/accounts";
import { testDatabase } from "#server/testing/database";
import { enrol } from "#server/testing/enrol";
import { testContext } from "#server/testing/test-context";
import { refreshCrimeTypesJob } from "./refresh-crimes";

const database = await testDatabase();
const { ctx } = await testContext({ database });
const run = () =>
  refreshCrimeTypesJob.run(ctx, { budget: 1, signal: new AbortController().signal });

test("the job uses nobody's key unasked, and reads with one that is lent", async () => {
  await enrol(ctx, "member");
  expect(await run()).toEqual({ types: 0, withoutKey: 1 });
  await database.query.update(accounts).set({ lendsKey: true });
  expect(await run()).toEqual({ types: 26, withoutKey: 0 });
  expect(await run()).toEqual({ types: 0, withoutKey: 0 });
});
