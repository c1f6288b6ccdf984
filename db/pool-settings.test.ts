import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { openPostgres } from "./client";
import { connectionCountOf, defaultPoolSizesFor, type PoolSizes } from "./pool-settings";

const url = "postgres://127.0.0.1:9/nobody";

async function sizesOf(
  pools: Partial<PoolSizes>,
  directUrl?: string,
): Promise<Record<string, number>> {
  const database = openPostgres({ url, directUrl, pools });
  const sizes = Object.fromEntries(
    Object.entries(database.pools()).map(([name, { size }]) => [name, size]),
  );
  await database.close();
  return sizes;
}

test("pools have the sizes that are asked for, and the usual ones otherwise", async () => {
  expect(await sizesOf({})).toEqual({ general: 8, key: 1, token: 5, background: 4 });
  expect(await sizesOf({}, url)).toEqual({ general: 8, key: 4, token: 5, background: 4 });
  const asked = { general: 12, key: 2, token: 3, job: 1 };
  expect(await sizesOf(asked)).toEqual({ general: 12, key: 2, token: 3, background: 1 });
});

test("what a process opens at most is what the documents say", () => {
  const [alone, pooled] = [false, true].map((each) =>
    connectionCountOf(defaultPoolSizesFor({ pooled: each })),
  );
  const read = (name: string) => readFileSync(new URL(`../docs/${name}`, import.meta.url), "utf8");
  expect(read("operations.md")).toContain(
    `up to ${alone} connections, and ${pooled} behind a pooler`,
  );
  expect(read("runbook.md")).toContain(`up to ${alone} connections (${pooled} behind PgBouncer)`);
});
