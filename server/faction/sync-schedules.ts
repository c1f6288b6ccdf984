import type { Priority } from "#server/game/budget";
import { selectionsByCall } from "#server/game/selections";
import { hourSeconds } from "#server/platform/time";
import type { GameKey } from "#server/users/keys/pick-key";

interface ReadingPlan {
  /** Seconds until the next reading is due, after success or failure. */
  readonly everySeconds: number;
  readonly access: "members" | "faction";
  readonly reads: readonly string[];
  readonly calls: number;
  readonly mostCalls: number;
  readonly soonSeconds?: number;
  readonly unmigratedSeconds?: number;
}

export const syncSchedules = {
  members: {
    everySeconds: 300,
    access: "members",
    reads: selectionsByCall.members,
    calls: 2,
    mostCalls: 2,
  },
  /** A member's unknown position allows nothing, so positions are then read after `soonSeconds`. */
  positions: {
    everySeconds: hourSeconds,
    soonSeconds: 300,
    access: "faction",
    reads: selectionsByCall.positions,
    calls: 2,
    mostCalls: 3,
  },
  /** Slightly less than the job's period, so that every run finds every faction due. */
  attacks: {
    everySeconds: 25,
    access: "faction",
    reads: selectionsByCall.attacks,
    calls: 1,
    mostCalls: 5,
  },
  /** A faction with the old kind of crimes may switch any day, so it is checked every hour. */
  crimes: {
    everySeconds: 300,
    unmigratedSeconds: hourSeconds,
    access: "faction",
    reads: selectionsByCall.crimes,
    calls: 1,
    mostCalls: 4,
  },
} as const satisfies Record<string, ReadingPlan>;

export type SyncKind = keyof typeof syncSchedules;

export interface SyncCredentials {
  readonly key: GameKey;
  readonly priority: Priority;
}

export interface BudgetedCredentials extends SyncCredentials {
  readonly calls: number;
}
