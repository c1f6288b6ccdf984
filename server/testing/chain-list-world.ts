import { beforeEach } from "vitest";
import { factions, players } from "#db/schema/players";
import { battleStats, statEntries, statLatest } from "#db/schema/stats";
import { routes } from "#server/routes";
import { testDatabase } from "./database";
import { dispatchWorld, type TestCall } from "./dispatch-world";
import { mintEntry, mintScore } from "./stat-facts";
import { testContext } from "./test-context";
import { mintFaction, mintPlayer } from "./world";

export interface ListedTarget {
  readonly fair_fight: number;
  readonly respect: number;
  readonly target: { readonly ID: number };
}

/** The caller with the token "mine", in faction 7001; "theirs" is player 2 of 7002. */
export const me = 1;

/** Two factions and a caller with a score of 1,000, recreated before each test. */
export async function chainListWorld() {
  const database = await testDatabase();
  const { ctx, clock } = await testContext({ database });
  const world = dispatchWorld(ctx, routes);
  const ask = (body?: unknown, call: TestCall = {}) =>
    world.call("/api/v1/stat/chain-list", { method: "POST", token: "mine", body, ...call });
  const listed = async (body?: unknown, call?: TestCall) =>
    (await ask(body, call)).json as ListedTarget[];

  beforeEach(async () => {
    for (const table of [statEntries, statLatest, battleStats, players, factions])
      await database.query.delete(table);
    clock.advance(60);
    world.know("mine", { playerId: me, accountId: "a1" });
    world.know("theirs", { playerId: 2, accountId: "a2" });
    await mintFaction(ctx, { id: 7001, name: "Lanternwatch" });
    await mintFaction(ctx, { id: 7002, name: "Copper Tide" });
    await mintPlayer(ctx, { id: me, factionId: 7001 });
    await mintPlayer(ctx, { id: 2, factionId: 7002 });
    await mintScore(ctx, me, 1_000);
  });

  return {
    database,
    ctx,
    clock,
    world,
    ask,
    listed,
    ago: (days: number) => new Date(clock.now().getTime() - days * 86_400_000),
    ids: async (body?: unknown, call?: TestCall) =>
      (await listed(body, call)).map(({ target }) => target.ID).sort((a, b) => a - b),
    target: async (
      id: number,
      score: number,
      fields: Partial<typeof players.$inferInsert> = {},
    ) => {
      await mintPlayer(ctx, { id, ...fields });
      await mintEntry(ctx, { playerId: id, score });
    },
  };
}
