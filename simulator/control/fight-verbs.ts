import { z } from "zod";
import { results } from "#simulator/fights/fight-rules";
import { type ControlParts, id, mustExist, verb } from "./verb";

const Attack = z.strictObject({
  attackerId: id,
  defenderId: id,
  result: z.enum(results).optional(),
  overseas: z.boolean().optional(),
  stealth: z.boolean().optional(),
  respect: z.number().nonnegative().optional(),
  war: z.boolean().optional(),
  retaliation: z.boolean().optional(),
});
const Sides = z.strictObject({ factionA: id, factionB: id });

const hospitalStay = [15 * 60, 240 * 60] as const;

export function fightVerbs({ world, fights, cache, now }: ControlParts) {
  const bothOf = ({ factionA, factionB }: z.output<typeof Sides>) => {
    const [one, other] = [factionA, factionB].map(
      (faction) => mustExist(world.faction(faction), "The faction").index,
    );
    return [one ?? 0, other ?? 0] as const;
  };

  return {
    /** The fight ends now, and both sides see it at once. */
    attack: verb(Attack, ({ attackerId, defenderId, ...requested }) => {
      const attacker = mustExist(world.player(attackerId), "The attacker");
      const defender = mustExist(world.player(defenderId), "The defender");
      const { code, clash } = fights.attack(attacker.index, defender.index, requested, now());
      if (clash.result === "Hospitalized") {
        const [least, most] = hospitalStay;
        const until = new Date(now().getTime() + (least + (clash.mark % (most - least))) * 1000);
        world.change(defenderId, { status: { state: "Hospital", until } }, now());
      }
      cache.clear();
      return { code };
    }),
    startWar: verb(Sides, (sides) => {
      const [one, other] = bothOf(sides);
      const { id } = fights.startWar(one, other, now());
      cache.clear();
      return { warId: id };
    }),
    stopWar: verb(Sides, (sides) => {
      const [one, other] = bothOf(sides);
      mustExist(fights.stopWar(one, other, now()), "A war of these factions");
      cache.clear();
    }),
  };
}
