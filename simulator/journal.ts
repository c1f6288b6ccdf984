import { z } from "zod";
import { Fault } from "./faults";
import type { Clock, Control, Game } from "./game";
import type { WorldOptions } from "./world";

/** One control verb that was run: replayed at its moment it does the same again. */
const Entry = z.strictObject({ at: z.iso.datetime(), verb: z.string(), given: z.unknown() });

/** All that was done to a simulated game, as JSON. What follows from the seed and the clock is not in it. */
export const Dump = z.strictObject({
  version: z.literal(1),
  world: z.strictObject({
    seed: z.int(),
    players: z.int(),
    factions: z.int(),
    epoch: z.iso.datetime(),
    statModel: z.string().default("plain"),
  }),
  now: z.iso.datetime(),
  faults: z.array(z.unknown()),
  journal: z.array(Entry),
});
export type Dump = z.output<typeof Dump>;

/** Verbs that change no world: they ask, move the clock, or set faults, of which a dump holds what is left. */
const unrecorded: ReadonlySet<string> = new Set<keyof Control>([
  "advance",
  "clearCache",
  "state",
  "oracle",
  "playerIds",
  "keyHolders",
  "addFault",
  "clearFaults",
  "presets",
]);

/** JSON with dates and chat ids as text, which the verbs read as well. */
const plain = (given: unknown): unknown =>
  given === undefined
    ? undefined
    : JSON.parse(
        JSON.stringify(given, (_, value: unknown) =>
          typeof value === "bigint" ? String(value) : value,
        ),
      );

/** Runs the verb of that name, which checks `given` itself. */
function run(control: Control, verb: string, given: unknown): unknown {
  if (!Object.hasOwn(control, verb)) throw new Error(`There is no verb ${verb}.`);
  return (control[verb as keyof Control] as (given: unknown) => unknown)(given);
}

/** Keeps a game together with the list of what was done to it, so that it can be written down and opened again. */
export function createJournal(open: () => Game, options: { world: WorldOptions; clock: Clock }) {
  const { clock } = options;
  const { statModel = "plain", epoch, ...size } = options.world;
  const world = { ...size, epoch: epoch.toISOString(), statModel };
  let game = open();
  let journal: Dump["journal"] = [];

  const verbs = Object.fromEntries(
    Object.keys(game.control).map((verb) => [
      verb,
      (given: unknown) => {
        const at = clock.now().toISOString();
        const result = run(game.control, verb, given);
        if (!unrecorded.has(verb)) journal.push({ at, verb, given: plain(given) });
        return result;
      },
    ]),
  ) as unknown as Control;

  function replayed(dump: Dump): Game {
    const fresh = open();
    for (const { at, verb, given } of dump.journal)
      clock.during(new Date(at), () => {
        run(fresh.control, verb, given);
      });
    for (const fault of dump.faults) fresh.faults.add(Fault.parse(fault));
    return fresh;
  }

  const control = {
    ...verbs,
    /** The game as JSON. Uses of keys, spent calls of the limits and remembered answers are not in it. */
    dump: (): Dump => ({
      version: 1,
      world,
      now: clock.now().toISOString(),
      faults: game.faults.list().map(plain),
      journal: structuredClone(journal),
    }),
    /** Makes this the game of the dump, at its moment. Refused where the dump is of another world; then nothing changes. */
    load: (given: unknown): void => {
      const dump = Dump.parse(given);
      if (JSON.stringify(dump.world) !== JSON.stringify(world))
        throw new Error(
          `The dump is of another world: ${JSON.stringify(dump.world)}, and this is ${JSON.stringify(world)}.`,
        );
      game = replayed(dump);
      journal = structuredClone(dump.journal);
      clock.set(new Date(dump.now));
    },
  };

  return { control, game: () => game };
}
export type SimulatorControl = ReturnType<typeof createJournal>["control"];
