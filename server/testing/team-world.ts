import { applicationMembers } from "#db/schema/oauth";
import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import type { MemberRole } from "#server/oauth/clients/team/rights";
import {
  addTestPlayer,
  inviteMember,
  joinTeam,
  removeMember,
} from "#server/oauth/clients/team/team-acts";
import { mintApplication } from "./oauth-world";
import { mintUser } from "./world";

/** Skips the invitation and its rate limit. */
export async function mintMember(
  ctx: Context,
  { clientId }: { readonly clientId: string },
  role: MemberRole,
  user?: PortalUser,
): Promise<PortalUser> {
  const member = user ?? (await mintUser(ctx));
  const { accountId } = member;
  const at = ctx.now();
  await ctx.database.query
    .insert(applicationMembers)
    .values({ clientId, accountId, role, invitedAt: at, joinedAt: at });
  return member;
}

/** An application that is not opened yet, with a test player. */
export async function testWorld(ctx: Context) {
  const world = await teamWorld(ctx, { clientUri: "" });
  const tester = await mintUser(ctx);
  const { clientId, owner } = world;
  await addTestPlayer(ctx, owner, { clientId, player: String(tester.playerId) });
  return { ...world, tester };
}

/** An application with one player in each relation to it. */
export async function teamWorld(ctx: Context, fields: Parameters<typeof mintApplication>[2] = {}) {
  const owner = await mintUser(ctx);
  const app = await mintApplication(ctx, owner, fields);
  const developer = await mintMember(ctx, app, "developer");
  const viewer = await mintMember(ctx, app, "viewer");
  const former = await mintUser(ctx);
  const { clientId } = app;
  await inviteMember(ctx, owner, {
    ...{ clientId, player: String(former.playerId), role: "developer" },
  });
  await joinTeam(ctx, former, { clientId });
  await removeMember(ctx, owner, { clientId, playerId: former.playerId });
  const stranger = await mintUser(ctx);
  return { app, clientId, owner, developer, viewer, former, stranger };
}
