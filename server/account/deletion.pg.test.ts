import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { accounts } from "#db/schema/accounts";
import { auditLog } from "#db/schema/operations";
import { players } from "#db/schema/players";
import type { PortalUser } from "#server/actor";
import { holdLocks, waitingFor } from "#server/testing/held-locks";
import { expectWithin } from "#server/testing/lived-time";
import {
  mintApplication,
  mintCode,
  mintTokens,
  postToken,
  redemption,
  refresh,
  unthrottled,
} from "#server/testing/oauth-world";
import { mintMember } from "#server/testing/team-world";
import { twoInstances } from "#server/testing/two-instances";
import { mintUser } from "#server/testing/world";
import { deleteAccount } from "./account-acts";

const { here, there } = await twoInstances({ rates: unthrottled });
const { ctx } = here;
const app = await mintApplication(ctx, await mintUser(ctx));

const remove = async (user: PortalUser, on = ctx) => {
  const [player] = await ctx.database.query
    .select()
    .from(players)
    .where(eq(players.id, user.playerId));
  await deleteAccount(on, user, { confirmName: player?.name ?? "" });
};

test("PT-22: refreshes and redemptions under way while the account is deleted end in one piece, and nothing lives after", async () => {
  for (let round = 0; round < 3; round++) {
    const user = await mintUser(ctx);
    const devices = [];
    for (let n = 0; n < 8; n++) devices.push(await mintTokens(ctx, app, { user }));
    const codes = [];
    for (let n = 0; n < 4; n++) codes.push(await mintCode(ctx, app, { user }));

    const work = [
      ...devices.map(({ refresh_token }, at) =>
        refresh(at % 2 ? ctx : there.ctx, app, refresh_token ?? ""),
      ),
      ...codes.map((code, at) => postToken(at % 2 ? ctx : there.ctx, app, redemption(app, code))),
    ];
    const [answers] = await Promise.all([Promise.all(work), remove(user)]);
    for (const answer of answers) expect([200, 400]).toContain(answer.status);
    const issued = (await Promise.all(answers.map((answer) => answer.json()))) as {
      access_token?: string;
    }[];
    for (const { access_token } of [...devices, ...issued]) {
      if (access_token === undefined) continue;
      for (const instance of [ctx, there.ctx])
        await expectWithin(1_000, () => instance.tokens.authenticate(access_token)).toBeUndefined();
    }
    expect(
      await ctx.database.query.select().from(accounts).where(eq(accounts.id, user.accountId)),
    ).toEqual([]);
  }
}, 30_000);

test("deleted from several tabs at once, on two instances, it is deleted once", async () => {
  const user = await mintUser(ctx);
  await mintApplication(ctx, user);
  await Promise.all([remove(user), remove(user, there.ctx), remove(user), remove(user, there.ctx)]);
  const events = await ctx.database.query
    .select()
    .from(auditLog)
    .where(eq(auditLog.accountId, user.accountId));
  expect(events.filter(({ act }) => act === "account.deleted")).toHaveLength(1);
  expect(events.filter(({ act }) => act === "application.deleted")).toHaveLength(1);
});

test("two developers who leave at once leave their applications to the same nobody", async () => {
  const leaving = [await mintUser(ctx), await mintUser(ctx), await mintUser(ctx)];
  for (const user of leaving) await mintApplication(ctx, user);
  await Promise.all(leaving.map((user, at) => remove(user, at % 2 ? ctx : there.ctx)));
  for (const user of leaving)
    expect(
      await ctx.database.query.select().from(accounts).where(eq(accounts.id, user.accountId)),
    ).toEqual([]);
});

test("while a deletion waits for the owner's row, members of the owner's team can get notices", async () => {
  const [member, owner] = [await mintUser(ctx), await mintUser(ctx)].toSorted((one, other) =>
    one.accountId < other.accountId ? -1 : 1,
  );
  if (!member || !owner) throw new Error("There are no users.");
  await mintMember(ctx, await mintApplication(ctx, owner), "developer", member);
  const row = ({ accountId }: PortalUser) => sql`select from accounts where id = ${accountId}`;
  const release = await holdLocks(ctx.database, sql`${row(owner)} for no key update`);
  const removed = remove(owner, there.ctx);
  const here = sql`pid in (select pid from pg_stat_activity where datname = current_database())`;
  await expect.poll(() => waitingFor(ctx.database, here)).toBe(1);
  // As a foreign key does. A suspension holds the owner's row meanwhile: it would be a deadlock.
  await ctx.database.query.execute(sql`${row(member)} for key share nowait`).finally(release);
  await removed;
});
