import { z } from "zod";
import { scoreOf } from "#simulator/people/battle-stats";
import { type ControlParts, id, mustExist, verb } from "./verb";

const stat = z.int().nonnegative();

const SetStats = z.strictObject({ playerId: id, strength: stat, defense: stat, speed: stat, dexterity: stat });
const Oracle = z.strictObject({ playerId: id });

/** Verbs about what players can do, and the truth about it. */
export function statVerbs({ world, people, vault, now }: ControlParts) {
  return {
    setStats: verb(SetStats, ({ playerId, ...stats }) => {
      people.setStats(mustExist(world.player(playerId), "The player").index, stats, now());
    }),
    /** The ids of all players. */
    playerIds: (): number[] => Array.from({ length: world.counts.players }, (_, index) => world.playerAt(index).id),
    /** What nobody else can know of a player: the true stats and score, and what they own in their faction's vault. */
    oracle: verb(Oracle, ({ playerId }) => {
      const player = mustExist(world.player(playerId), "The player");
      const stats = people.stats(player.index, now());
      const faction = world.membership(player)?.faction;
      const owned = (currency: "money" | "points") =>
        faction ? vault.balance(faction, player.index, { currency, now: now() }) : 0;
      return { ...stats, score: scoreOf(stats), money: owned("money"), points: owned("points") };
    }),
  };
}
