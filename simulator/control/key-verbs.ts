import { z } from "zod";
import { type ControlParts, id, mustExist, verb } from "./verb";

const keyText = z.string().regex(/^[A-Za-z0-9]{16}$/);

const CreateKey = z.strictObject({
  playerId: id,
  level: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3), z.literal(4)]).optional(),
  key: keyText.optional(),
  selections: z.record(z.string(), z.array(z.string())).optional(),
});
const PauseKey = z.strictObject({ key: keyText, paused: z.boolean().default(true) });
const DeleteKey = z.strictObject({ key: keyText });

/** Verbs about keys. */
export function keyVerbs({ world, keys }: ControlParts) {
  return {
    createKey: verb(CreateKey, (wish) => {
      mustExist(world.player(wish.playerId), "The player");
      return { key: keys.create(wish) };
    }),
    pauseKey: verb(PauseKey, ({ key, paused }) => {
      mustExist(keys.find(key), "The key").paused = paused;
    }),
    deleteKey: verb(DeleteKey, ({ key }) => {
      mustExist(keys.remove(key), "The key");
    }),
  };
}
