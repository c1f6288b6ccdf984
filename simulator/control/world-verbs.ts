import { z } from "zod";
import { Behaviour } from "#simulator/behaviour";
import { Fault, FaultMatch } from "#simulator/faults";
import { type ControlParts, id, mustExist, verb } from "./verb";

const Advance = z.strictObject({ seconds: z.number().positive() });

export function clockVerbs({
  seed,
  epoch,
  world,
  behaviour,
  keys,
  faults,
  cache,
  now,
  advance,
}: ControlParts) {
  return {
    /** Makes a change visible before the 29 seconds of the cache are over. */
    clearCache: () => cache.clear(),
    /** Omitted fields stay. Returns the whole behaviour. */
    setBehaviour: verb(Behaviour.partial(), (requested) => {
      cache.clear();
      return behaviour.change(requested);
    }),
    advance: verb(Advance, ({ seconds }) => advance(seconds)),
    state: () => ({
      seed,
      epoch: epoch.toISOString(),
      now: now().toISOString(),
      players: world.counts.players,
      factions: world.counts.factions,
      keys: keys.count(),
      faults: faults.count(now()),
    }),
  };
}

const minutes = (count: number) => count * 60;

/** Known troubles of the game; durations in seconds. */
export const faultPresets = {
  outage: { fault: { code: 17 }, seconds: minutes(2) },
  maintenance: { fault: { code: 9 }, seconds: minutes(10) },
  ipBan: { fault: { code: 8 }, seconds: minutes(5) },
  slow: { fault: { delayMs: 6_000 }, seconds: minutes(2) },
  /** The owner's reads of a day are used up: of any 24 hours, whatever the hour is. */
  dailyLimit: { fault: { code: 14 }, seconds: minutes(24 * 60) },
  halfJson: { fault: { truncate: true }, seconds: minutes(2) },
  staleCache: { fault: { stale: true }, seconds: minutes(10) },
  challenge: { fault: { cloudflare: true }, seconds: minutes(2) },
} as const satisfies Readonly<Record<string, { fault: Fault; seconds: number }>>;

type FaultPreset = keyof typeof faultPresets;

function presetFault(name: FaultPreset, now: Date): Fault {
  const { fault, seconds } = faultPresets[name];
  return { ...fault, until: new Date(now.getTime() + seconds * 1000) };
}

const names = Object.keys(faultPresets) as [FaultPreset, ...FaultPreset[]];
const Presets = FaultMatch.extend({ name: z.enum(names).optional() });

export function faultVerbs({ faults, now }: ControlParts) {
  return {
    addFault: verb(Fault, (fault) => faults.add(fault)),
    clearFaults: () => faults.clear(),
    /** Without a name it only lists the names. */
    presets: verb(Presets.default({}), ({ name, ...match }) => {
      if (name) faults.add({ ...presetFault(name, now()), ...match });
      return { presets: names };
    }),
  };
}

/** A factor of twenty exceeds any real day and keeps price arithmetic in exact integers. */
const ShockStock = z.strictObject({ stockId: id, factor: z.number().min(0.05).max(20) });

export function marketVerbs({ stockMarket, now }: ControlParts) {
  return {
    /** Applies from the next minute on. */
    shockStock: verb(ShockStock, ({ stockId, factor }) => {
      mustExist(stockMarket.shock(stockId, factor, now()), "The stock");
    }),
  };
}
