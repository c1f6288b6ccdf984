import { sql } from "drizzle-orm";
import { renewModel } from "#server/stats/estimates/renew-model";
import { findModelInForce } from "#server/stats/estimates/store";
import type { Caller } from "./callers";
import { api, oneOf, type Subject, type World, within } from "./subjects";

/** Half of the players in the filled world have counters of their own, those of one in five without an estimate. */
const counted = 5;

/** A player is refreshed at most every ten minutes. */
const forgetRefresh = ({ ctx }: World, playerId: number) =>
  ctx.database.query.execute(sql`update players set last_refresh = null where id = ${playerId}`);

async function stranger(world: World): Promise<number> {
  const playerId = within(world.size);
  await forgetRefresh(world, playerId);
  // The filled keys are texts that no secret opens: without one the caller's is used.
  await world.ctx.database.query.execute(
    sql`update game_keys set state = 'dead', sealed = null where player_id = ${playerId} and sealed like 'ssss%'`,
  );
  return playerId;
}

async function withModel({ ctx }: World): Promise<void> {
  if (await findModelInForce(ctx.database.query)) return;
  await renewModel(ctx);
  // What the filled fights tell is chance, and so no model is better than none. It costs the same.
  await ctx.database.query.execute(sql`update estimate_models set in_force = true`);
}

/** A player with fresh counters, without an estimate. */
async function uncounted(world: World): Promise<number> {
  await withModel(world);
  const playerId = counted * within(Math.floor(world.size / counted) - 1) + 1;
  const on = world.ctx.database.query;
  await on.execute(sql`delete from stat_estimates where player_id = ${playerId}`);
  await on.execute(sql`update personal_stats set at = now() where player_id = ${playerId}`);
  return playerId;
}

const named = (name: string, draw: (world: World, caller: Caller) => Promise<string>): Subject => ({
  ...api("GET /user/<int:user_id>", async (world) => {
    const caller = oneOf(world.callers.players);
    return { caller, path: await draw(world, caller) };
  }),
  name,
});

/** Endpoints that ask the game, or compute what others find. The game answers at once: what is measured is ours. */
export const gameSubjects: readonly Subject[] = [
  named("GET /user/<int:user_id>?refresh=true, of oneself", async (world, { playerId }) => {
    await forgetRefresh(world, playerId);
    return `/user/${playerId}?refresh=true`;
  }),
  named(
    "GET /user/<int:user_id>?refresh=true, of somebody else",
    async (world) => `/user/${await stranger(world)}?refresh=true`,
  ),
  named(
    "GET /user/estimate/<int:user_id>, computed afresh",
    async (world) => `/user/estimate/${await uncounted(world)}`,
  ),
];
