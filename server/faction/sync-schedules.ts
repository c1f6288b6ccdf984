import type { Priority } from "#server/game/budget";
import { selectionsOf } from "#server/game/selections";
import { hourSeconds } from "#server/platform/time";
import type { GameKey } from "#server/users/keys/pick-key";

interface ReadingPlan {
  /** Seconds after which it is due again, whatever came of the last time. */
  readonly everySeconds: number;
  /** Any member's key, or one of a member with faction API access. */
  readonly access: "members" | "faction";
  /** What a custom key must list. */
  readonly reads: readonly string[];
  /** Calls to the game that one reading needs, and at most takes. */
  readonly calls: number;
  readonly mostCalls: number;
  /** The same as `everySeconds` where something is known to be missing, and where there is hardly anything to read. */
  readonly soonSeconds?: number;
  readonly unmigratedSeconds?: number;
}

/** The kinds of a faction's data that are read from the game again and again, each in a queue of its own. */
export const syncSchedules = {
  /** Rights hang on membership, so a listing is not let grow older than this. */
  members: {
    everySeconds: 300,
    access: "members",
    reads: selectionsOf.members,
    calls: 2,
    mostCalls: 2,
  },
  /** Sooner where a member holds one that is not known: a new position allows nothing until it is read. */
  positions: {
    everySeconds: hourSeconds,
    soonSeconds: 300,
    access: "faction",
    reads: selectionsOf.positions,
    calls: 2,
    mostCalls: 3,
  },
  /** A little less than the job's own period, so that each of its runs finds every faction due. A hit can be answered for 300. */
  attacks: {
    everySeconds: 25,
    access: "faction",
    reads: selectionsOf.attacks,
    calls: 1,
    mostCalls: 5,
  },
  /**
   * One more call where a crime is over, and others after an outage or in a faction with very many crimes. A faction with the old
   * kind may change over any day, so it is read now and then.
   */
  crimes: {
    everySeconds: 300,
    unmigratedSeconds: hourSeconds,
    access: "faction",
    reads: selectionsOf.crimes,
    calls: 1,
    mostCalls: 4,
  },
} as const satisfies Record<string, ReadingPlan>;

export type SyncKind = keyof typeof syncSchedules;

/** The key and the priority of calls to the game. */
export interface SyncCredentials {
  readonly key: GameKey;
  readonly priority: Priority;
}

/** The same for a reading that may take several calls, and how many at most. */
export interface LimitedCredentials extends SyncCredentials {
  readonly calls: number;
}
