import { type CallWindow, slotSeconds, slotsCounted } from "./store";

/** After so many seconds a call counts no more. */
export const windowSeconds = slotsCounted * slotSeconds;

const slotMs = slotSeconds * 1_000;

/** The beginning of the slot in which a moment lies. */
export const slotOf = (now: Date): Date => new Date(Math.floor(now.getTime() / slotMs) * slotMs);

/** How many slots ago the window's newest one was; null where nothing of it counts, or its clock cannot be ours. */
function ageOf({ slot }: CallWindow, now: Date): number | null {
  const age = (slotOf(now).getTime() - slot.getTime()) / slotMs;
  return age >= slotsCounted || age < -slotsCounted ? null : Math.max(0, age);
}

/** Calls that still count. */
export function usedAt(window: CallWindow | undefined, now: Date): number {
  const age = window && ageOf(window, now);
  if (!window || age === null || age === undefined) return 0;
  return window.earlier.slice(0, slotsCounted - 1 - age).reduce((sum, calls) => sum + calls, window.used);
}

/** Whole seconds, at least 1, until one more call fits below `limit`, if nobody calls meanwhile. */
export function secondsUntilFree(window: CallWindow | undefined, now: Date, limit: number): number {
  let tooMany = usedAt(window, now) + 1 - limit;
  if (!window || tooMany <= 0) return 1;
  const counts = [window.used, ...window.earlier].slice(0, slotsCounted);
  for (let age = counts.length - 1; age >= 0; age--) {
    const ends = window.slot.getTime() - age * slotMs + windowSeconds * 1_000;
    if (ends <= now.getTime()) continue;
    tooMany -= counts[age] ?? 0;
    if (tooMany <= 0) return Math.max(1, Math.ceil((ends - now.getTime()) / 1_000));
  }
  return windowSeconds;
}
