import type { Crime } from "#server/game/contract/crime";
import type { SyncCredentials } from "../sync-schedules";

/** As many crimes as the game gives at once. */
export const crimePageSize = 100;

/** With what to ask, and how often at most. */
export interface CrimeMeans extends SyncCredentials {
  readonly calls: number;
}

/** A crime, or a slot of one, that is listed twice counts once. */
export function eachOnce(crimes: readonly Crime[]): Crime[] {
  const slotsOnce = (crime: Crime) => ({
    ...crime,
    slots: [...new Map(crime.slots.map((slot) => [slot.slot, slot])).values()],
  });
  return [...new Map(crimes.map((crime) => [crime.crimeId, slotsOnce(crime)])).values()];
}
