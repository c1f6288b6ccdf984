import { dayMs } from "#server/platform/durations";
import type { Player } from "./players";
import { createRollingLimit } from "./rolling-limit";
import type { SimulatedCall } from "./routes";

/** Selections whose rows the game counts, by section. Each is a category with a limit of its own. */
const counted: Readonly<Record<string, string>> = { faction: "news", user: "personalstats" };

/** Values at the ends of an object: what the game counts of personal stats is not known. */
const leaves = (value: unknown): number =>
  typeof value === "object" && value !== null
    ? Object.values(value).reduce((sum: number, each) => sum + leaves(each), 0)
    : 1;

/** The rows that a player reads of each category in any 24 hours, with all keys together. */
export function createDailyRows() {
  const rows = createRollingLimit(dayMs);
  const idOf = (owner: Player, call: SimulatedCall) => `${owner.id} ${counted[call.sectionName]}`;
  const selectionOf = (call: SimulatedCall) => call.selections.find((name) => name === counted[call.sectionName]);

  return {
    /** Whether `call` asks for a category of which the owner of its key has read `limit` rows. */
    areSpent: (call: SimulatedCall, { owner, now, limit }: { owner: Player; now: Date; limit: number }): boolean =>
      selectionOf(call) !== undefined && rows.used(idOf(owner, call), now) >= limit,
    /** Counts what an answer holds of such a category. */
    count: (
      call: SimulatedCall,
      { owner, now }: { owner: Player; now: Date },
      answer: Record<string, unknown>,
    ): void => {
      const selection = selectionOf(call);
      if (selection === undefined) return;
      const part = answer[selection];
      rows.count(idOf(owner, call), now, Array.isArray(part) ? part.length : leaves(part));
    },
  };
}
export type DailyRows = ReturnType<typeof createDailyRows>;
