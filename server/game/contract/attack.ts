import { z } from "zod";
import { count, id, instant, instantOrNever, levelOrNone, text } from "./fields";
import { type Rows, rowsOf } from "./rows";

/** Those of the game are below 10; what is worked out from one must fit where it is stored. */
const multiplier = z.number().min(0).max(1_000);

/** A name is text and nothing more, whatever stands in it. */
const Fighter = z
  .object({
    id,
    name: text,
    level: levelOrNone,
    faction: z.object({ id: count, name: text }).nullish(),
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
    overseas: multiplier,
  })
  .transform(({ fair_fight, war, retaliation, overseas }) => ({
    fairFight: fair_fight,
    war,
    retaliation,
    overseas,
  }));

const AttackRow = z
  .object({
    code: z.string().min(1),
    started: instant,
    /** Null or 0 while the fight goes on. */
    ended: instantOrNever,
    /** Null for a stealthed attack on us. */
    attacker: Fighter.nullable(),
    defender: Fighter,
    /** Open: an unknown word is neither won nor lost. */
    result: z.string(),
    respect_gain: z.number(),
    modifiers: Modifiers,
  })
  .transform(({ respect_gain, ...row }) => ({ ...row, respectGain: respect_gain }));

/** A fight as the game lists it: one that goes on has no end yet. */
export type ListedAttack = z.output<typeof AttackRow>;
/** A fight that is over. */
export type Attack = Omit<ListedAttack, "ended"> & { readonly ended: Date };

/** `faction/attacks` and `user/attacks`: both directions, one page. */
export const Attacks = z
  .object({ attacks: rowsOf(AttackRow) })
  .transform(({ attacks }): Rows<ListedAttack> => attacks);
