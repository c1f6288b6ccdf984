import { minuteMs, weekMs } from "#server/platform/durations";
import type { Key, Keys } from "./keys";
import type { Player } from "./players";
import { createRollingLimit } from "./rolling-limit";
import type { World } from "./world";

const callsPerMinutePerPlayer = 100;
const callsPerMinutePerAddress = 1_000;
const longestAbsenceMs = weekMs;

/** The key of a request: in the header as `ApiKey …`, or in the query. Null where there is none. */
export function keyTextOf(request: Request, url: URL): string | null {
  const header = /^ApiKey\s+(\S+)$/i.exec(request.headers.get("authorization") ?? "");
  return header?.[1] ?? url.searchParams.get("key");
}

/** The game's front door: who asks, and whether now. The order of the checks decides which code a doubly wrong call gets. */
export function createAdmission({ keys, world }: { keys: Keys; world: World }) {
  const perPlayer = createRollingLimit(minuteMs);
  const perAddress = createRollingLimit(minuteMs);

  /** @returns the key and its owner, or the game's error code */
  return function admit(call: {
    keyText: string | null;
    address: string | null;
    now: Date;
  }): { key: Key; owner: Player } | number {
    // First, because calls with bad keys count against the address as well.
    if (call.address !== null && !perAddress.admit(call.address, call.now, callsPerMinutePerAddress)) return 8;
    if (!call.keyText) return 1;
    const key = keys.find(call.keyText);
    const owner = key && world.player(key.playerId);
    const keyState = key && keys.stateOf(key, call.now);
    if (!key || !owner || keyState === "deleted") return 2;
    if (keyState === "paused") return 18;
    const state = world.status(owner, call.now).state;
    if (state === "Federal" || state === "Fallen") return 10;
    if (call.now.getTime() - world.lastAction(owner, call.now).getTime() > longestAbsenceMs) return 13;
    if (!perPlayer.admit(owner.id, call.now, callsPerMinutePerPlayer)) return 5;
    return { key, owner };
  };
}
