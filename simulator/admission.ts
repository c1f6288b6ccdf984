import { dayMs, minuteMs, weekMs } from "#server/platform/time";
import type { Key, Keys } from "./keys";
import type { Player } from "./players";
import type { SimulatedCall } from "./routes";
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
    if (
      call.address !== null &&
      !perAddress.admit(call.address, call.now, callsPerMinutePerAddress)
    )
      return 8;
    if (!call.keyText) return 1;
    const key = keys.find(call.keyText);
    const owner = key && world.player(key.playerId);
    const keyState = key && keys.stateOf(key, call.now);
    if (!key || !owner || keyState === "deleted") return 2;
    if (keyState === "paused") return 18;
    const state = world.status(owner, call.now).state;
    if (state === "Federal" || state === "Fallen") return 10;
    if (call.now.getTime() - world.lastAction(owner, call.now).getTime() > longestAbsenceMs)
      return 13;
    if (!perPlayer.admit(owner.id, call.now, callsPerMinutePerPlayer)) return 5;
    return { key, owner };
  };
}

/** Selections whose rows the game counts, by section. Each is a category with a limit of its own. */
const countedSelections: Readonly<Record<string, string>> = {
  faction: "news",
  user: "personalstats",
};

/** Values at the ends of an object: what the game counts of personal stats is not known. */
const countLeaves = (value: unknown): number =>
  typeof value === "object" && value !== null
    ? Object.values(value).reduce((sum: number, each) => sum + countLeaves(each), 0)
    : 1;

/** The rows that a player reads of each category in any 24 hours, with all keys together. */
export function createDailyRows() {
  const rows = createRollingLimit(dayMs);
  const idOf = (owner: Player, call: SimulatedCall) =>
    `${owner.id} ${countedSelections[call.sectionName]}`;
  const selectionOf = (call: SimulatedCall) =>
    call.selections.find((name) => name === countedSelections[call.sectionName]);

  return {
    /** Whether `call` asks for a category of which the owner of its key has read `limit` rows. */
    areSpent: (
      call: SimulatedCall,
      { owner, now, limit }: { owner: Player; now: Date; limit: number },
    ): boolean => selectionOf(call) !== undefined && rows.used(idOf(owner, call), now) >= limit,
    /** Counts what an answer holds of such a category. */
    count: (
      call: SimulatedCall,
      { owner, now }: { owner: Player; now: Date },
      answer: Record<string, unknown>,
    ): void => {
      const selection = selectionOf(call);
      if (selection === undefined) return;
      const part = answer[selection];
      rows.count(idOf(owner, call), now, Array.isArray(part) ? part.length : countLeaves(part));
    },
  };
}
export type DailyRows = ReturnType<typeof createDailyRows>;

/** One use of a limit: when, and how much. */
interface Use {
  readonly at: number;
  readonly amount: number;
}

/** A limit for each id in any `windowMs`. The window frees itself as the oldest use leaves it. */
function createRollingLimit(windowMs: number) {
  const uses = new Map<number | string, Use[]>();

  function recentOf(id: number | string, now: Date): Use[] {
    const recent = (uses.get(id) ?? []).filter(({ at }) => at > now.getTime() - windowMs);
    uses.set(id, recent);
    return recent;
  }
  const used = (id: number | string, now: Date): number =>
    recentOf(id, now).reduce((sum, { amount }) => sum + amount, 0);

  return {
    /** How much of the window is used. */
    used,
    count(id: number | string, now: Date, amount: number): void {
      if (amount > 0) recentOf(id, now).push({ at: now.getTime(), amount });
    },
    /** Counts one more at `now` and gives true; where `limit` is reached, counts nothing and gives false. */
    admit(id: number | string, now: Date, limit: number): boolean {
      const recent = recentOf(id, now);
      const admitted = recent.length < limit;
      if (admitted) recent.push({ at: now.getTime(), amount: 1 });
      return admitted;
    },
  };
}
