import { and, eq, isNull, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { applicationMembers, applicationSecrets, applications } from "#db/schema/oauth";
import { players } from "#db/schema/players";
import { deleteAccount } from "#server/account/account-acts";
import type { PortalUser } from "#server/actor";
import { holdLocks, waitingFor } from "#server/testing/held-locks";
import { mintApplication, mintTokens } from "#server/testing/oauth-world";
import { mintMember } from "#server/testing/team-world";
import { twoInstances } from "#server/testing/two-instances";
import { mintUser } from "#server/testing/world";
import { createSecret } from "../secrets/secret-acts";
import { mostMembers } from "./rights";
import { changeRole, inviteMember, joinTeam, leaveTeam, removeMember } from "./team-acts";
import { acceptApplication, offerApplication, withdrawOffer } from "./transfer";

const { here, there } = await twoInstances();
const { ctx } = here;
const on = ctx.database.query;
const rounds = 12;

const ownerOf = async (clientId: string) => {
  const [row] = await on.select().from(applications).where(eq(applications.clientId, clientId));
  return row?.ownerId;
};
const membersOf = (clientId: string) =>
  on.select().from(applicationMembers).where(eq(applicationMembers.clientId, clientId));
const settled = async (acts: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(acts)).map((each) =>
    each.status === "fulfilled" ? "done" : String(each.reason.name),
  );

/** No player is owner and member, and at most one has an offer. */
async function expectWhole(clientId: string): Promise<void> {
  const members = await membersOf(clientId);
  expect(members.map(({ accountId }) => accountId)).not.toContain(await ownerOf(clientId));
  expect(members.filter(({ offeredAt }) => offeredAt).length).toBeLessThanOrEqual(1);
}

test("an invitation that is accepted while it is withdrawn leaves no member", async () => {
  for (let round = 0; round < rounds; round++) {
    const owner = await mintUser(ctx);
    const { clientId } = await mintApplication(ctx, owner);
    const invited = await mintUser(ctx);
    const { playerId } = invited;
    await inviteMember(ctx, owner, { clientId, player: String(playerId), role: "viewer" });
    const [withdrawn, joined] = await settled([
      removeMember(ctx, owner, { clientId, playerId }),
      joinTeam(there.ctx, invited, { clientId }),
    ]);
    expect(withdrawn).toBe("done");
    expect(joined).toMatch(/^(done|UnknownOAuthClient)$/);
    expect(await membersOf(clientId)).toEqual([]);
  }
});

test("of several invitations at once a team of nine gets one", async () => {
  for (let round = 0; round < 4; round++) {
    const owner = await mintUser(ctx);
    const app = await mintApplication(ctx, owner);
    for (let n = 1; n < mostMembers; n++) await mintMember(ctx, app, "viewer");
    const invited = await Promise.all(Array.from({ length: 5 }, () => mintUser(ctx)));
    const outcomes = await settled(
      invited.map(({ playerId }, index) =>
        inviteMember(index % 2 ? ctx : there.ctx, owner, {
          ...{ clientId: app.clientId, player: String(playerId), role: "developer" },
        }),
      ),
    );
    expect(outcomes.toSorted()).toEqual([...Array(4).fill("GeneralError"), "done"]);
    expect(await membersOf(app.clientId)).toHaveLength(mostMembers);
  }
});

test("an application offered to two at once, whom both accept, has one owner, and the former one stays as developer", async () => {
  for (let round = 0; round < rounds; round++) {
    const owner = await mintUser(ctx);
    const app = await mintApplication(ctx, owner, { name: `Offered ${round}` });
    const { clientId } = app;
    const [one, other] = [
      await mintMember(ctx, app, "developer"),
      await mintMember(ctx, app, "viewer"),
    ];
    await settled([
      offerApplication(ctx, owner, { clientId, playerId: one.playerId }),
      offerApplication(there.ctx, owner, { clientId, playerId: other.playerId }),
    ]);
    await expectWhole(clientId);
    const accepted = await settled([
      acceptApplication(ctx, one, { clientId }),
      acceptApplication(there.ctx, other, { clientId }),
    ]);
    expect(accepted.toSorted()).toEqual(["GeneralError", "done"]);
    await expectWhole(clientId);
    const members = await membersOf(clientId);
    expect(members).toHaveLength(2);
    expect(members.find(({ accountId }) => accountId === owner.accountId)).toMatchObject({
      role: "developer",
    });
  }
});

test("a transfer accepted while it is withdrawn, its member is removed or leaves, happens whole or not at all", async () => {
  const rivals = [
    (owner: PortalUser, { clientId }: { clientId: string }) =>
      withdrawOffer(there.ctx, owner, { clientId }),
    (owner: PortalUser, key: { clientId: string; playerId: number }) =>
      removeMember(there.ctx, owner, key),
    (owner: PortalUser, key: { clientId: string; playerId: number }) =>
      changeRole(there.ctx, owner, { ...key, role: "viewer" }),
    (_: PortalUser, { clientId }: { clientId: string }, member: PortalUser) =>
      leaveTeam(there.ctx, member, { clientId }),
  ];
  for (let round = 0; round < rounds * 2; round++) {
    const owner = await mintUser(ctx);
    const app = await mintApplication(ctx, owner);
    const { clientId } = app;
    const member = await mintMember(ctx, app, "developer");
    const key = { clientId, playerId: member.playerId };
    await offerApplication(ctx, owner, key);
    const rival = rivals[round % rivals.length];
    const [accepted] = await settled([
      acceptApplication(ctx, member, { clientId }),
      rival?.(owner, key, member) ?? Promise.resolve(),
    ]);
    const expected = accepted === "done" ? member.accountId : owner.accountId;
    expect([round, accepted, await ownerOf(clientId)]).toEqual([round, accepted, expected]);
    await expectWhole(clientId);
  }
});

test("a developer who is removed while creating a secret has none that works", async () => {
  for (let round = 0; round < rounds; round++) {
    const owner = await mintUser(ctx);
    const app = await mintApplication(ctx, owner);
    const { clientId } = app;
    const { playerId, ...rest } = await mintMember(ctx, app, "developer");
    const member = { playerId, ...rest };
    const [removed] = await settled([
      removeMember(ctx, owner, { clientId, playerId }),
      createSecret(there.ctx, member, { clientId, name: "Late", livesDays: null }),
    ]);
    expect(removed).toBe("done");
    const live = await on
      .select({ by: applicationSecrets.createdBy })
      .from(applicationSecrets)
      .where(and(eq(applicationSecrets.clientId, clientId), isNull(applicationSecrets.deletedAt)));
    expect(live).toEqual([{ by: owner.accountId }]);
  }
});

const remove = async (user: PortalUser, instance = ctx) => {
  const [player] = await on.select().from(players).where(eq(players.id, user.playerId));
  await deleteAccount(instance, user, { confirmName: player?.name ?? "" });
};

test("owners who are each other's members and delete their accounts at once leave no application to a deleted account", async () => {
  for (let round = 0; round < rounds; round++) {
    const [one, other] = [await mintUser(ctx), await mintUser(ctx)];
    const apps = [await mintApplication(ctx, one), await mintApplication(ctx, other)];
    if (apps[0]) await mintMember(ctx, apps[0], "developer", other);
    if (apps[1]) await mintMember(ctx, apps[1], "developer", one);
    expect(await settled([remove(one), remove(other, there.ctx)])).toEqual(["done", "done"]);
    for (const { clientId } of apps) {
      const [row] = await on.select().from(applications).where(eq(applications.clientId, clientId));
      expect(row?.deletedAt).not.toBeNull();
      expect(await membersOf(clientId)).toEqual([]);
    }
  }
});

test("an account deleted while it is invited, or while it takes an application over, leaves both sides whole", async () => {
  for (let round = 0; round < rounds; round++) {
    const owner = await mintUser(ctx);
    const app = await mintApplication(ctx, owner);
    const { clientId } = app;
    const member = await mintMember(ctx, app, "developer");
    await offerApplication(ctx, owner, { clientId, playerId: member.playerId });
    const [accepted, deleted] = await settled([
      acceptApplication(ctx, member, { clientId }),
      remove(member, there.ctx),
    ]);
    expect(deleted).toBe("done");
    expect(accepted).toMatch(/^(done|GeneralError|UnknownOAuthClient)$/);
    expect(await ownerOf(clientId)).toBe(owner.accountId);
    expect(await membersOf(clientId)).toEqual([]);
  }
});

test("a transfer is accepted while a player that allowed the application deletes the account", async () => {
  const owner = await mintUser(ctx);
  const app = await mintApplication(ctx, owner);
  const { clientId } = app;
  const member = await mintMember(ctx, app, "developer");
  const player = await mintUser(ctx);
  await mintTokens(ctx, app, { user: player });
  await offerApplication(ctx, owner, { clientId, playerId: member.playerId });
  const release = await holdLocks(
    ctx.database,
    sql`delete from accounts where id = ${player.accountId}`,
  );
  const accepted = acceptApplication(there.ctx, member, { clientId });
  const here = sql`pid in (select pid from pg_stat_activity where datname = current_database())`;
  await expect.poll(() => waitingFor(ctx.database, here)).toBe(1);
  await release();
  await accepted;
  expect(await ownerOf(clientId)).toBe(member.accountId);
});
