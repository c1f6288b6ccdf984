import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { accounts, gameKeys } from "#db/schema/accounts";
import { testDatabase } from "#server/testing/database";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import { listWorkingKeys } from "./store";

const database = await testDatabase();
const { ctx } = await testContext({ database });
const on = database.query;
const first = "00000000-0000-4000-8000-000000000000";
const last = "ffffffff-ffff-4fff-bfff-ffffffffffff";

/** A player with a key, and whether they lend it. */
async function owner(
  lendsKey: boolean,
  fields: Partial<typeof accounts.$inferInsert> = {},
): Promise<number> {
  const { accountId, playerId } = await mintUser(ctx);
  await on
    .update(accounts)
    .set({ lendsKey, ...fields })
    .where(eq(accounts.id, accountId));
  const id = ctx.ids.uuid();
  const key = {
    level: 3,
    type: "Limited Access",
    factionApiAccess: false,
    state: "active" as const,
  };
  const stored = {
    ...key,
    id,
    accountId,
    playerId,
    sealed: `${ctx.keyring.keyIds[0]}.sealed`,
    keyHmac: id,
    lastFour: "0000",
  };
  await on.insert(gameKeys).values({ ...stored, createdAt: ctx.now() });
  return playerId;
}

const lenders = async (from: string, administrators: readonly number[] = []) =>
  (
    await listWorkingKeys(
      on,
      { of: "lenders" },
      { administrators, from, keyIds: ctx.keyring.keyIds, preferred: "user/battlestats" },
    )
  )
    .map(({ playerId }) => playerId)
    .sort();

beforeEach(async () => {
  await on.delete(accounts);
});

test("every lender's key is found, wherever the look begins, and nobody else's", async () => {
  const lending = [await owner(true), await owner(true), await owner(true)].sort();
  await owner(false);
  await owner(true, { bannedAt: ctx.now() });
  for (const from of [first, ctx.ids.uuid(), last]) expect(await lenders(from)).toEqual(lending);
});

test("an administrator's key is found without being lent, once", async () => {
  const [administrator, lender] = [await owner(true), await owner(false)];
  expect(await lenders(first, [administrator, lender])).toEqual([administrator, lender].sort());
  expect(await lenders(first, [])).toEqual([administrator]);
});

test("of very many lenders some are found, others from another place on", async () => {
  const lending = new Set<number>();
  for (let many = 0; many < 120; many++) lending.add(await owner(true));
  const [early, middle] = [
    await lenders(first),
    await lenders("80000000-0000-4000-8000-000000000000"),
  ];
  for (const found of [early, middle]) {
    expect(found).toHaveLength(50);
    expect(found.every((playerId) => lending.has(playerId))).toBe(true);
  }
  expect(middle).not.toEqual(early);
});
