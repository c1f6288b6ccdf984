import { z } from "zod";
import { FactionId } from "#server/rest/shapes";
import { abilityOfFlag } from "./abilities";

type Flag = keyof typeof abilityOfFlag;
const flagNames = Object.keys(abilityOfFlag) as Flag[];

const flags = Object.fromEntries(
  flagNames.map((flag) => [
    flag,
    z.boolean().meta({ description: `The game's ability "${abilityOfFlag[flag]}".`, examples: [true] }),
  ]),
) as Record<Flag, z.ZodBoolean>;

/** A position and what its holders may do. */
export const FactionPosition = z
  .object({
    _id: z.uuid().meta({ examples: ["0b0c5a0e-3c1f-4d3e-9c55-0d6f8a4f6c11"] }),
    name: z.string().meta({ examples: ["Banker"] }),
    faction_tid: FactionId,
    default: z.boolean().meta({ description: "Whether the game made it.", examples: [false] }),
    ...flags,
  })
  .meta({ id: "FactionPosition" });

/** A stored position as the API shows it. */
export function positionRecord(
  factionId: number,
  position: { id: string; name: string; isDefault: boolean; abilities: readonly string[] },
) {
  const granted = flagNames.map((flag) => [flag, position.abilities.includes(abilityOfFlag[flag])]);
  return {
    _id: position.id,
    name: position.name,
    faction_tid: factionId,
    default: position.isDefault,
    ...(Object.fromEntries(granted) as Record<Flag, boolean>),
  };
}
