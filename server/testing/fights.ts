import type { Attack, Fighter } from "#server/game/contract/attack";
import { countInFile } from "./count-in-file";
import { testStart } from "./movable-clock";

const nextCode = countInFile(1);

export const fighter = (
  playerId: number,
  factionId: number | null = null,
  level: number | null = 20,
): Fighter => ({
  playerId,
  name: `Fighter${playerId}`,
  level,
  faction: factionId === null ? null : { factionId, name: `Faction${factionId}` },
});

export function fight(
  fields: Partial<Omit<Attack, "modifiers">> & {
    attacker: Fighter | null;
    defender: Fighter;
    /** As the game prints it. */
    fairFight?: number;
  },
): Attack {
  const { fairFight = 2, ...rest } = fields;
  const number = nextCode();
  const ended = fields.ended ?? testStart;
  return {
    code: number.toString(16).padStart(32, "0"),
    started: new Date(ended.getTime() - 30_000),
    ended,
    result: "Hospitalized",
    respectGain: 2.5,
    ...rest,
    modifiers: { fairFight, war: 1, retaliation: 1, overseas: 1 },
  };
}
