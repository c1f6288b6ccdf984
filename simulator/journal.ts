import { z } from "zod";
import { Fault } from "./faults";
import type { Clock, Control, Game } from "./game";
import type { WorldOptions } from "./world";

/** One executed control verb; a replay at its moment repeats its effect. */
const Entry = z.strictObject({ at: z.iso.datetime(), verb: z.string(), given: z.unknown() });

/** The verbs that were run, as JSON. State that follows from seed and clock is not included. */
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

/** Verbs that change no world: queries, clock moves, and faults, of which a dump holds the rest. */
const unrecorded: ReadonlySet<string> = new Set<keyof Control>([
  "advance",
  "clearCache",
  "state",
  "oracle",
  "playerIds",
  "keyHolders",
  "waitingCrew",
  "addFault",
  "clearFaults",
  "presets",
]);

/** JSON with dates and chat ids as text, which the verbs accept. */
const plain = (given: unknown): unknown =>
  given === undefined
    ? undefined
    : JSON.parse(
        JSON.stringify(given, (_, value: unknown) =>
          typeof value === "bigint" ? String(value) : value,
        ),
      );

/** The verb parses `given` itself. */
function run(control: Control, verb: string, given: unknown): unknown {
  if (!Object.hasOwn(control, verb)) throw new Error(`There is no verb ${verb}.`);
  return (control[verb as keyof Control] as (given: unknown) => unknown)(given);
}

/** A game with the log of its verbs, so that it can be dumped and loaded. */
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
    /** Without key uses, spent limits and cached answers. */
    dump: (): Dump => ({
      version: 1,
      world,
      now: clock.now().toISOString(),
      faults: game.faults.list().map(plain),
      journal: structuredClone(journal),
    }),
    /**
     * Replaces the game and sets its clock. Throws for a dump of another world and then changes
     * nothing.
     */
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
