import { inspect } from "node:util";
import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { errorCodesOf } from "#server/platform/errors";
import { testDatabase } from "#server/testing/database";
import { appState } from "./schema/operations";

const database = await testDatabase();
const secret = "adj_rt_not-for-the-log";
const failure = (query: PromiseLike<unknown>) =>
  Promise.resolve(query).then(
    () => "it did not fail",
    (error: unknown) => error,
  );

test.each([
  ["a value that PostgreSQL cannot store", "22021", `${secret}\u0000`],
  ["a key that exists", "23505", secret],
])("a query that fails by %s says nothing of its parameters", async (_what, code, value) => {
  const insert = (on = database.query) => on.insert(appState).values({ key: value, value: secret });
  await failure(insert());
  for (const error of [
    await failure(insert()),
    await failure(database.transaction((tx) => insert(tx))),
  ]) {
    expect(errorCodesOf(error)).toContain(code);
    expect(inspect(error, { depth: 9, customInspect: false })).not.toContain(secret);
    expect(error).toMatchObject({ query: expect.stringContaining("insert into") });
  }
});

test("a prepared one neither", async () => {
  const statement = database.statement("failing", ({ keyPool }) =>
    keyPool
      .select()
      .from(appState)
      .where(eq(appState.key, sql.placeholder("key")))
      .prepare("failing"),
  );
  const error = await failure(statement.execute({ key: `${secret}\u0000` }));
  expect(inspect(error, { depth: 9, customInspect: false })).not.toContain(secret);
});
