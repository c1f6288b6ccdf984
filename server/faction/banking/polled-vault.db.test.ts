import { expect, test } from "vitest";
import { readFactionAttacks } from "#server/faction/attacks/jobs/read-faction-attacks";
import { readCrimes } from "#server/faction/crimes/jobs/read-crimes";
import { refreshMembers } from "#server/faction/jobs/refresh-members";
import { budgetUse } from "#server/game/budget";
import { bankingWorld } from "#server/testing/banking-world";
import { testDatabase } from "#server/testing/database";

const world = await bankingWorld(await testDatabase());
const { ctx, api } = world;
const path = "/faction/banking/vault";
const work = { budget: 60, signal: new AbortController().signal };

test("a member who polls the vault with the keys of others neither stops the faction's jobs nor uses those keys up", async () => {
  await refreshMembers.run(ctx, work);
  world.nextMinute();
  const answers = [];
  for (let call = 0; call < 150; call++) answers.push(await api("member", path));
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.length).toBeGreaterThan(0);
  for (const { status, json, headers } of refused) {
    expect([status, json]).toMatchObject([503, { code: 4101 }]);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  }
  expect(await readFactionAttacks.run(ctx, work)).toMatchObject({ factions: 1, skipped: 0 });
  expect(await readCrimes.run(ctx, work)).toMatchObject({ factions: 1, skipped: 0 });
  expect((await budgetUse(ctx)).spent).toBe(0);
  world.nextMinute();
  expect((await api("member", path)).status).toBe(200);
}, 30_000);
