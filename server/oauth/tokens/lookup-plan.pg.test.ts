import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import type { Database } from "#db/client";
import { testDatabase } from "#server/testing/database";
import { mintApplication } from "#server/testing/oauth-world";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import { findAccessTokens } from "./store";

const database = await testDatabase();

/** The index of each table in the cached plan of the prepared statement. */
async function indexesUsed(): Promise<(string | undefined)[]> {
  const plan: string[] = [];
  const explaining: Database = {
    ...database,
    statement: <S>(_name: string, build: (on: Database) => S): S => {
      const { sql: text } = (build(database) as S & { getQuery(): { sql: string } }).getQuery();
      const execute = async () => {
        for (const row of (await database.keyPool.execute(
          sql.raw(`explain (generic_plan) ${text}`),
        )) as unknown as {
          "QUERY PLAN": string;
        }[])
          plan.push(row["QUERY PLAN"]);
        return [];
      };
      return { execute } as S;
    },
  };
  await findAccessTokens(explaining, [""], new Date());
  // A "Subquery Scan" filters rows that another line has found.
  const scans = plan.filter((line) => /(?<!Subquery )Scan/.test(line));
  return scans.map((line) => /Index (?:Only )?Scan using (\w+)/.exec(line)?.[1]);
}

const byKey = [
  "access_tokens_pkey",
  "grants_pkey",
  "consents_pkey",
  "applications_pkey",
  "accounts_pkey",
  "players_pkey",
  "faction_access_faction_id_client_id_pk",
];

test("a plan that was made while the tables were empty looks tokens up by key alone", async () => {
  expect(await indexesUsed()).toEqual(byKey);
});

test("so does one that was made while two thousand tokens live: it does not go through all of them", async () => {
  const { ctx } = await testContext({ database });
  const { clientId } = await mintApplication(ctx, await mintUser(ctx), { scopes: ["identity"] });
  await database.script(`
    insert into players (id, name, level, last_refresh) select 600000 + n, 'Player', 1, now() from generate_series(1, 2000) n;
    insert into accounts (id, player_id, created_at) select gen_random_uuid(), id, now() from players where id > 600000;
    insert into consents (id, account_id, client_id, application_owner, scopes, created_at, updated_at)
      select gen_random_uuid(), id, '${clientId}', id, '{identity}', now(), now() from accounts where player_id > 600000;
    insert into grants (id, consent_id, client_id, scopes, created_at, absolute_expiry)
      select gen_random_uuid(), id, client_id, scopes, now(), now() + interval '90 days' from consents;
    insert into access_tokens (hash, hash_key_id, grant_id, scopes, issued_at, expires_at)
      select md5(id::text), 'key', id, scopes, now(), now() + interval '1 hour' from grants;
    analyze`);
  // The order does not matter: there is one application.
  expect((await indexesUsed()).sort()).toEqual(byKey.sort());
});
