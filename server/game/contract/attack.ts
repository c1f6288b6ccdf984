import { z } from "zod";
import { count, decodedText, id, instant, nullableInstant, nullableLevel } from "./fields";
import { listAnswerSchema } from "./rows";

/** Real values are below 10; the bound keeps derived values within their columns. */
const multiplier = z.number().min(0).max(1_000);

const Fighter = z
  .object({
    id,
    name: decodedText,
    level: nullableLevel,
    faction: z.object({ id: count, name: decodedText }).nullish(),
  })
  .transform(({ id, faction, ...fighter }) => ({
    playerId: id,
    ...fighter,
    faction: faction && faction.id > 0 ? { factionId: faction.id, name: faction.name } : null,
  }));
export type Fighter = z.output<typeof Fighter>;

const Modifiers = z
  .object({
    fair_fight: multiplier,
    war: multiplier,
    retaliation: multiplier,
    overseas: multiplier,
  })
  .transform(({ fair_fight, ...modifiers }) => ({ fairFight: fair_fight, ...modifiers }));

const AttackRow = z
  .object({
    code: z.string().min(1),
    started: instant,
    ended: nullableInstant,
    /** Null for a stealthed attack on us. */
    attacker: Fighter.nullable(),
    defender: Fighter,
    /** Not an enum: unknown results are neither won nor lost. */
    result: z.string(),
    respect_gain: z.number(),
    modifiers: Modifiers,
  })
  .transform(({ respect_gain, ...row }) => ({ ...row, respectGain: respect_gain }));

export type ListedAttack = z.output<typeof AttackRow>;
export type Attack = Omit<ListedAttack, "ended"> & { readonly ended: Date };

export const Attacks = listAnswerSchema("attacks", AttackRow);
