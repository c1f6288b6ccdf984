import type { Database } from "#db/client";
import { accounts } from "#db/schema/accounts";
import { statEstimates } from "#db/schema/stats";
import { addRetaliations } from "#server/faction/attacks/store";
import { insertCrimeDelays } from "#server/faction/crimes/store";
import { jobs } from "#server/jobs/list";
import { bankingWorld, copperTide, lanternwatch } from "./banking-world";
import { mintEntry, mintScore } from "./stat-facts";

const read = ["refresh-members", "read-positions", "read-crimes", "refresh-crime-types"];
const markets = ["refresh-stocks", "refresh-prices"];
/** A player in neither faction, but both have a score of this player. */
export const knownStranger = 1005;

/**
 * The banking world after all jobs: every endpoint has data. Both demo factions have a private hit,
 * delay and score; Copper Tide's data contains "Tide".
 */
export async function populatedWorld(database: Database) {
  const world = await bankingWorld(database);
  const { ctx, people, clock } = world;
  await ctx.database.query.update(accounts).set({ lendsKey: true });
  for (const job of jobs.filter(({ name }) => [...read, ...markets].includes(name)))
    await job.run(ctx, { budget: 60, signal: new AbortController().signal });
  await world.position(lanternwatch, "Banker", [
    "Money Giving",
    "Points Giving",
    "Faction API Access",
  ]);
  await world.position(copperTide, "Banker", [
    "Money Giving",
    "Points Giving",
    "Faction API Access",
  ]);

  for (const [factionId, defender, name] of [
    [lanternwatch, people.member, "Watch"],
    [copperTide, people.outsider, "Tide"],
  ] as const) {
    const hit = { defenderId: defender.playerId, defenderName: `${name}_Defender` };
    const code = `hit-on-${name}`;
    await addRetaliations(ctx.database.query, factionId, [
      {
        ...hit,
        code,
        attackEnded: clock.now(),
        attackerId: knownStranger,
        attackerName: `${name}_Attacker`,
      },
    ]);
    const delay = {
      slot: "P1",
      playerId: defender.playerId,
      position: `${name} Lookout`,
      positionIndex: 1,
    };
    const reason = `${name} was away`;
    await insertCrimeDelays(ctx.database.query, {
      factionId,
      delays: [{ ...delay, crimeId: factionId * 10, reason }],
      at: clock.now(),
    });
    await mintEntry(ctx, {
      playerId: knownStranger,
      score: factionId,
      visibleTo: factionId,
      source: "import",
    });
  }
  for (const { playerId } of Object.values(people)) await mintScore(ctx, playerId, 20_000);
  await mintEntry(ctx, { playerId: people.member.playerId, score: 15_000 });
  const moments = { at: clock.now(), statsAt: clock.now() };
  await ctx.database.query
    .insert(statEstimates)
    .values({ playerId: people.member.playerId, score: 15_000, ...moments });
  return world;
}
