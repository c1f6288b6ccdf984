import { z } from "zod";
import { count, id, metadata, seconds, text } from "./objects";

const fighter = z.strictObject({
  id,
  name: text,
  level: z.int().min(1).max(100),
  faction: z.strictObject({ id, name: text }).nullable(),
});
const result = z.enum([
  "None",
  "Attacked",
  "Mugged",
  "Hospitalized",
  "Arrested",
  "Looted",
  "Lost",
  "Stalemate",
  "Assist",
  "Escape",
  "Timeout",
  "Special",
  "Bounty",
  "Interrupted",
]);
const code = z.string().regex(/^[0-9a-f]{32}$/);
export const attack = z.strictObject({
  id,
  code,
  started: seconds,
  ended: seconds,
  attacker: fighter.nullable(),
  defender: fighter,
  result,
  respect_gain: z.number().nonnegative(),
  respect_loss: z.number().nonnegative(),
  chain: count,
  is_interrupted: z.boolean(),
  is_stealthed: z.boolean(),
  is_raid: z.boolean(),
  is_ranked_war: z.boolean(),
  is_territory_war: z.boolean(),
  territory_war_id: id.nullable(),
  finishing_hit_effects: z.array(z.strictObject({ name: text, value: z.number() })),
  modifiers: z.strictObject({
    fair_fight: z.number().min(1).max(3),
    war: z.number().min(1),
    retaliation: z.number().min(1),
    group: z.number().min(1),
    overseas: z.number().min(1),
    chain: z.number().min(1),
    warlord: z.number().min(1),
  }),
});
export const attacks = z.strictObject({ attacks: z.array(attack).max(100), _metadata: metadata });
