import type { Fault } from "./faults";

const minutes = (count: number) => count * 60;

/** The troubles that the game is known for: what goes wrong and, in seconds, for how long. */
export const faultPresets = {
  /** The game's own servers fail. */
  outage: { fault: { code: 17 }, seconds: minutes(2) },
  maintenance: { fault: { code: 9 }, seconds: minutes(10) },
  /** Our address is shut out. */
  ipBan: { fault: { code: 8 }, seconds: minutes(5) },
  slow: { fault: { delayMs: 6_000 }, seconds: minutes(2) },
  /** The owner's reads of the day are used up; until midnight, whatever the hour. */
  dailyLimit: { fault: { code: 14 }, seconds: null },
  halfJson: { fault: { truncate: true }, seconds: minutes(2) },
  staleCache: { fault: { stale: true }, seconds: minutes(10) },
  challenge: { fault: { cloudflare: true }, seconds: minutes(2) },
} as const satisfies Readonly<Record<string, { fault: Fault; seconds: number | null }>>;

export type FaultPreset = keyof typeof faultPresets;

/** The next midnight, UTC. */
const midnightAfter = (now: Date) => new Date(Math.ceil((now.getTime() + 1) / 86_400_000) * 86_400_000);

/** The fault of a preset that begins now. */
export function presetFault(name: FaultPreset, now: Date): Fault {
  const { fault, seconds } = faultPresets[name];
  return { ...fault, until: seconds === null ? midnightAfter(now) : new Date(now.getTime() + seconds * 1000) };
}
