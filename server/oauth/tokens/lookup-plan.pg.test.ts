import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import type { Database } from "#db/client";
import { testDatabase } from "#server/testing/database";
import { findAccessTokens } from "./store";

const database = await testDatabase();

test("a plan that was made while the tables were empty looks tokens up by key alone", async () => {
  const plan: string[] = [];
  const explaining: Database = {
    ...database,
    statement: <S>(_name: string, build: (on: Database) => S): S => {
      const { sql: text } = (build(database) as S & { getQuery(): { sql: string } }).getQuery();
      const execute = async () => {
        for (const row of (await database.keyPool.execute(sql.raw(`explain (generic_plan) ${text}`))) as unknown as {
          "QUERY PLAN": string;
        }[])
          plan.push(row["QUERY PLAN"]);
        return [];
      };
      return { execute } as S;
    },
  };
  await findAccessTokens(explaining, [""], new Date());
  const scans = plan.filter((line) => line.includes("Scan"));
  expect(scans.map((line) => /Index (?:Only )?Scan using (\w+)/.exec(line)?.[1])).toEqual([
    "access_tokens_pkey",
    "grants_pkey",
    "consents_pkey",
    "applications_pkey",
    "accounts_pkey",
    "players_pkey",
  ]);
});
