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
  /** The owner's reads of a day are used up: of any 24 hours, whatever the hour is. */
  dailyLimit: { fault: { code: 14 }, seconds: minutes(24 * 60) },
  halfJson: { fault: { truncate: true }, seconds: minutes(2) },
  staleCache: { fault: { stale: true }, seconds: minutes(10) },
  challenge: { fault: { cloudflare: true }, seconds: minutes(2) },
} as const satisfies Readonly<Record<string, { fault: Fault; seconds: number }>>;

export type FaultPreset = keyof typeof faultPresets;

/** The fault of a preset that begins now. */
export function presetFault(name: FaultPreset, now: Date): Fault {
  const { fault, seconds } = faultPresets[name];
  return { ...fault, until: new Date(now.getTime() + seconds * 1000) };
}
