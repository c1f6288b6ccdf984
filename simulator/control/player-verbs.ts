import { z } from "zod";
import { abilities, unlistedPositions } from "#simulator/positions";
import { type ControlParts, id, instant, mustExist, verb } from "./verb";

const state = z.enum(["Okay", "Hospital", "Jail", "Traveling", "Abroad", "Federal", "Fallen"]);
/** JSON cannot hold a chat id exactly, so over HTTP it comes as text. */
const chatId = z.union([
  z.bigint(),
  z
    .string()
    .regex(/^[0-9]{1,19}$/)
    .transform(BigInt),
]);

const SetPlayer = z.strictObject({
  playerId: id,
  name: z.string().min(1).max(15).optional(),
  level: z.int().min(1).max(100).optional(),
  chatId: chatId.nullable().optional(),
  factionId: id.nullable().optional(),
  position: z.string().optional(),
  status: z
    .strictObject({ state, until: instant.nullable().optional(), place: z.string().optional() })
    .nullable()
    .optional(),
  lastAction: instant.nullable().optional(),
});
const SetPositions = z.strictObject({
  factionId: id,
  positions: z
    .array(
      z.strictObject({
        name: z
          .string()
          .refine((name) => !unlistedPositions.includes(name), "This position is not listed by the game."),
        isDefault: z.boolean(),
        abilities: z.array(z.enum(abilities)),
      }),
    )
    .refine((list) => new Set(list.map(({ name }) => name)).size === list.length, "Names are unique in a faction."),
});

/** Verbs about players and the positions that they hold. */
export function playerVerbs({ world, now }: ControlParts) {
  return {
    setPlayer: verb(SetPlayer, ({ playerId, ...change }) => {
      mustExist(world.change(playerId, change, now()), "The player or faction");
    }),
    setPositions: verb(SetPositions, ({ factionId, positions }) => {
      world.setPositions(mustExist(world.faction(factionId), "The faction"), positions);
    }),
  };
}
