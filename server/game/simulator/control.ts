import { z } from "zod";
import type { AnswerCache } from "./answer-cache";
import type { Faults } from "./faults";
import type { Keys } from "./keys";
import { abilities } from "./positions";
import type { World } from "./world";

const playerId = z.int().positive();
const keyText = z.string().regex(/^[A-Za-z0-9]{16}$/);
const instant = z.union([z.date(), z.iso.datetime().transform((text) => new Date(text))]);
const state = z.enum(["Okay", "Hospital", "Jail", "Traveling", "Abroad", "Federal", "Fallen"]);
/** JSON cannot hold a chat id exactly, so over HTTP it comes as text. */
const chatId = z.union([
  z.bigint(),
  z
    .string()
    .regex(/^[0-9]{1,19}$/)
    .transform(BigInt),
]);

const CreateKey = z.strictObject({
  playerId,
  level: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3), z.literal(4)]).optional(),
  key: keyText.optional(),
  selections: z.record(z.string(), z.array(z.string())).optional(),
});
const PauseKey = z.strictObject({ key: keyText, paused: z.boolean().default(true) });
const DeleteKey = z.strictObject({ key: keyText });
const SetPlayer = z.strictObject({
  playerId,
  name: z.string().min(1).max(15).optional(),
  level: z.int().min(1).max(100).optional(),
  chatId: chatId.nullable().optional(),
  factionId: playerId.nullable().optional(),
  position: z.string().optional(),
  status: z
    .strictObject({ state, until: instant.nullable().optional(), place: z.string().optional() })
    .nullable()
    .optional(),
  lastAction: instant.nullable().optional(),
});
const SetPositions = z.strictObject({
  factionId: playerId,
  positions: z.array(
    z.strictObject({ name: z.string(), isDefault: z.boolean(), abilities: z.array(z.enum(abilities)) }),
  ),
});
const AddFault = z.strictObject({
  path: z.string().optional(),
  key: z.string().optional(),
  player: playerId.optional(),
  code: z.int().optional(),
  http: z.int().min(200).max(599).optional(),
  delayMs: z.int().nonnegative().optional(),
  drop: z.boolean().optional(),
  malformed: z.boolean().optional(),
  truncate: z.boolean().optional(),
  redirect: z.string().optional(),
  times: z.int().positive().optional(),
});
const Advance = z.strictObject({ seconds: z.number().positive() });

interface ControlParts {
  world: World;
  keys: Keys;
  faults: Faults;
  cache: AnswerCache;
  now: () => Date;
  advance: (seconds: number) => void;
}

/** A verb checks its input, then acts. It throws where the input is wrong or names nothing that exists. */
const verb =
  <Input extends z.ZodType, Result>(input: Input, run: (input: z.output<Input>) => Result) =>
  (given: z.input<Input>): Result =>
    run(input.parse(given));

function mustExist<Found>(thing: Found | null | false, what: string): Found {
  if (thing === null || thing === false) throw new Error(`${what} does not exist in the simulated game.`);
  return thing;
}

/** What tests and developers may do to the simulated game. The same verbs are served over HTTP by `npm run simulator`. */
export function createControl({ world, keys, faults, cache, now, advance }: ControlParts) {
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
    setPlayer: verb(SetPlayer, ({ playerId, ...change }) => {
      mustExist(world.change(playerId, change, now()), "The player or faction");
    }),
    setPositions: verb(SetPositions, ({ factionId, positions }) => {
      world.setPositions(mustExist(world.faction(factionId), "The faction"), positions);
    }),
    addFault: verb(AddFault, (fault) => faults.add(fault)),
    clearFaults: () => faults.clear(),
    /** Forgets all remembered answers, so that a change is seen before 29 seconds are over. */
    clearCache: () => cache.clear(),
    advance: verb(Advance, ({ seconds }) => advance(seconds)),
    state: () => ({
      now: now().toISOString(),
      players: world.counts.players,
      factions: world.counts.factions,
      keys: keys.count(),
      faults: faults.count(),
    }),
  };
}
export type Control = ReturnType<typeof createControl>;
