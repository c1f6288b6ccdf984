import { accounts } from "#db/schema/accounts";
import { factions, players } from "#db/schema/players";
import { createAnonymousActor, type PortalUser, type RequestSource } from "#server/actor";
import type { Context } from "#server/context";
import { countInFile } from "./count-in-file";

const nextId = countInFile(500_000);

export const testSource: RequestSource = {
  requestId: "test",
  address: "192.0.2.1",
  userAgent: null,
};

export const visitor = createAnonymousActor(testSource);

/** The same actor, by another request. */
export const sentFrom = <By extends { readonly from: RequestSource }>(
  by: By,
  from: Partial<RequestSource>,
): By => ({ ...by, from: { ...by.from, ...from } });

export async function mintPlayer(ctx: Context, fields: Partial<typeof players.$inferInsert> = {}) {
  const id = fields.id ?? nextId();
  const [row] = await ctx.database.query
    .insert(players)
    .values({ id, name: `Player${id}`, level: 10, lastRefresh: ctx.now(), ...fields })
    .returning();
  if (!row) throw new Error("The player was not inserted.");
  return row;
}

export async function mintFaction(
  ctx: Context,
  fields: Partial<typeof factions.$inferInsert> = {},
) {
  const id = fields.id ?? nextId();
  const [row] = await ctx.database.query
    .insert(factions)
    .values({ id, name: `Faction${id}`, lastRefresh: ctx.now(), ...fields })
    .returning();
  if (!row) throw new Error("The faction was not inserted.");
  return row;
}

export async function mintUser(
  ctx: Context,
  fields: Partial<typeof players.$inferInsert> = {},
): Promise<PortalUser> {
  const player = await mintPlayer(ctx, fields);
  const accountId = ctx.ids.uuid();
  await ctx.database.query
    .insert(accounts)
    .values({ id: accountId, playerId: player.id, createdAt: ctx.now() });
  return portalUser(ctx, { accountId, playerId: player.id });
}

/** Confirmed just now; the session itself is not stored. */
export const portalUser = (
  ctx: Pick<Context, "now">,
  { accountId, playerId }: Pick<PortalUser, "accountId" | "playerId">,
): PortalUser => ({
  kind: "portal",
  accountId,
  playerId,
  sessionHash: `session of ${accountId}`,
  authenticatedAt: ctx.now(),
  confirmedAt: ctx.now(),
  secondFactor: "off",
  admin: false,
  from: testSource,
});
