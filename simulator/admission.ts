import { minuteMs, weekMs } from "#server/platform/time";
import type { Key, Keys } from "./keys";
import type { Player } from "./players";
import type { World } from "./world";

const callsPerMinutePerPlayer = 100;
const callsPerMinutePerAddress = 1_000;
const longestAbsenceMs = weekMs;

export function keyTextOf(request: Request, url: URL): string | null {
  const header = /^ApiKey\s+(\S+)$/i.exec(request.headers.get("authorization") ?? "");
  return header?.[1] ?? url.searchParams.get("key");
}

/** The order of the checks decides which error code a call with two faults gets. */
export function createAdmission({ keys, world }: { keys: Keys; world: World }) {
  const calls = createWindow(minuteMs);
  /** Refused calls do not count. */
  const isOver = (id: number | string, now: Date, limit: number): boolean => {
    if (calls.used(id, now) >= limit) return true;
    calls.count(id, now);
    return false;
  };

  return function admit(call: {
    keyText: string | null;
    address: string | null;
    now: Date;
  }): { key: Key; owner: Player } | number {
    // First, because calls with bad keys count against the address as well.
    if (call.address !== null && isOver(call.address, call.now, callsPerMinutePerAddress)) return 8;
    if (!call.keyText) return 1;
    const key = keys.find(call.keyText);
    const owner = key && world.player(key.playerId);
    if (!key || !owner) return 2;
    if (key.paused) return 18;
    const state = world.status(owner, call.now).state;
    if (state === "Federal" || state === "Fallen") return 10;
    if (call.now.getTime() - world.lastAction(owner, call.now).getTime() > longestAbsenceMs)
      return 13;
    if (isOver(owner.id, call.now, callsPerMinutePerPlayer)) return 5;
    return { key, owner };
  };
}

/** Sliding window: an amount counts until `windowMs` later. */
export function createWindow(windowMs: number) {
  const uses = new Map<number | string, { readonly at: number; readonly amount: number }[]>();

  function recentOf(id: number | string, now: Date) {
    const recent = (uses.get(id) ?? []).filter(({ at }) => at > now.getTime() - windowMs);
    uses.set(id, recent);
    return recent;
  }

  return {
    used: (id: number | string, now: Date): number =>
      recentOf(id, now).reduce((sum, { amount }) => sum + amount, 0),
    count: (id: number | string, now: Date, amount = 1): void => {
      if (amount > 0) recentOf(id, now).push({ at: now.getTime(), amount });
    },
  };
}
