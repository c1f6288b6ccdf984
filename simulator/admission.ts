import { dayMs, minuteMs, weekMs } from "#server/platform/time";
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
  const perPlayer = createRollingLimit(minuteMs);
  const perAddress = createRollingLimit(minuteMs);

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
    if (!key || !owner) return 2;
    if (key.paused) return 18;
    const state = world.status(owner, call.now).state;
    if (state === "Federal" || state === "Fallen") return 10;
    if (call.now.getTime() - world.lastAction(owner, call.now).getTime() > longestAbsenceMs)
      return 13;
    if (!perPlayer.admit(owner.id, call.now, callsPerMinutePerPlayer)) return 5;
    return { key, owner };
  };
}

interface CountedCall {
  readonly sectionName: string;
  readonly selections: readonly string[];
}

/** Selections with a daily limit on rows, by section. Each category has its own limit. */
const countedSelections: Readonly<Record<string, string>> = {
  faction: "news",
  user: "personalstats",
};

const countLeaves = (value: unknown): number =>
  typeof value === "object" && value !== null
    ? Object.values(value).reduce((sum: number, each) => sum + countLeaves(each), 0)
    : 1;

export function createDailyRows() {
  const rows = createRollingLimit(dayMs);
  const idOf = (owner: Player, call: CountedCall) =>
    `${owner.id} ${countedSelections[call.sectionName]}`;
  const selectionOf = (call: CountedCall) =>
    call.selections.find((name) => name === countedSelections[call.sectionName]);

  return {
    areSpent: (
      call: CountedCall,
      { owner, now, limit }: { owner: Player; now: Date; limit: number },
    ): boolean => selectionOf(call) !== undefined && rows.used(idOf(owner, call), now) >= limit,
    count: (
      call: CountedCall,
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

interface Use {
  readonly at: number;
  readonly amount: number;
}

/** Sliding-window limit per id: capacity returns as the oldest use leaves the window. */
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
    used,
    count(id: number | string, now: Date, amount: number): void {
      if (amount > 0) recentOf(id, now).push({ at: now.getTime(), amount });
    },
    admit(id: number | string, now: Date, limit: number): boolean {
      const recent = recentOf(id, now);
      const admitted = recent.length < limit;
      if (admitted) recent.push({ at: now.getTime(), amount: 1 });
      return admitted;
    },
  };
}
