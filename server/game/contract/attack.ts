import { z } from "zod";
import { count, id, instant, smallCount } from "./fields";

const multiplier = z.number().nonnegative();

/** A name is text and nothing more, whatever stands in it. */
const Fighter = z
  .object({
    id,
    name: z.string(),
    level: smallCount,
    faction: z.object({ id: count, name: z.string() }).nullish(),
  })
  .transform(({ id, name, level, faction }) => ({
    playerId: id,
    name,
    level,
    faction: faction && faction.id > 0 ? { factionId: faction.id, name: faction.name } : null,
  }));
export type Fighter = z.output<typeof Fighter>;

const Modifiers = z
  .object({
    fair_fight: multiplier,
    war: multiplier,
    retaliation: multiplier,
    group: multiplier,
    overseas: multiplier,
    chain: multiplier,
    warlord: multiplier,
  })
  .transform(({ fair_fight, war, retaliation, group, overseas, chain, warlord }) => ({
    fairFight: fair_fight,
    war,
    retaliation,
    group,
    overseas,
    chain,
    warlord,
  }));

const AttackRow = z
  .object({
    /** Counts every attack of the game, and is not stored. */
    id: z.int().positive(),
    code: z.string().min(1),
    started: instant,
    ended: instant,
    /** Null for a stealthed attack on us. */
    attacker: Fighter.nullable(),
    defender: Fighter,
    /** Open: an unknown word is neither won nor lost. */
    result: z.string(),
    respect_gain: z.number(),
    respect_loss: z.number(),
    chain: count,
    is_interrupted: z.boolean(),
    is_stealthed: z.boolean(),
    is_raid: z.boolean(),
    is_ranked_war: z.boolean(),
    modifiers: Modifiers,
  })
  .transform((row) => ({
    attackId: row.id,
    code: row.code,
    started: row.started,
    ended: row.ended,
    attacker: row.attacker,
    defender: row.defender,
    result: row.result,
    respectGain: row.respect_gain,
    respectLoss: row.respect_loss,
    chain: row.chain,
    interrupted: row.is_interrupted,
    stealthed: row.is_stealthed,
    raid: row.is_raid,
    rankedWar: row.is_ranked_war,
    modifiers: row.modifiers,
  }));

/** `faction/attacks` and `user/attacks`: both directions, one page. */
export const Attacks = z.object({ attacks: z.array(AttackRow) }).transform(({ attacks }) => attacks);
export type Attack = z.output<typeof Attacks>[number];
