import { secondMs } from "#server/platform/time";
import { type GameCallErrorKind, gameCallError } from "./game-call-error";

/** The state of the game after the last calls, for health. No path, no key. */
export interface UpstreamState {
  /** "open": calls fail at once until `until`. "half-open": one call at a time tries whether the game is back. */
  readonly breaker: "closed" | "open" | "half-open";
  readonly until: Date | null;
  readonly lastSuccess: Date | null;
  readonly lastError: { readonly kind: GameCallErrorKind; readonly at: Date } | null;
}

export interface BreakerOptions {
  readonly now: () => Date;
  /** Told once at each change: the calls stop, or the game answers again. */
  readonly onChange?: (change: {
    open: boolean;
    kind?: GameCallErrorKind;
    seconds?: number;
  }) => void;
}

/** A call that was let through. Its end must be told, in one of three ways. */
export interface Permit {
  /** The game answered, be it with a refusal that concerns the key or the question. */
  succeeded(): void;
  /** The game did not answer. `retryAfter`: seconds that the front door asked for. */
  failed(kind: GameCallErrorKind, retryAfter?: number): void;
  /** Something answered, but not as the game does: it says neither that the game is there nor that it is away. */
  unclear(kind: GameCallErrorKind): void;
}

/** The breaker opens after so many failures in a row, the last within so many seconds of the first. */
const failuresToOpen = 5;
const windowSeconds = 60;
/** The pause doubles with each try that fails. */
const firstPauseSeconds = 5;
const longestPauseSeconds = 60;
/** However long the front door asks us to wait, we look again after so many seconds. */
const longestRetryAfter = 600;
/** The game's windows are 60 seconds long and roll: so long after the last call they are empty. */
const addressRestSeconds = 60;

/**
 * Keeps calls from a game that is away. After five outages in a row it lets none through for a pause that grows, then one at a
 * time until one succeeds. A refusal of our address (code 8, HTTP 429) stops all calls for a minute, or as long as Retry-After
 * says.
 */
export function createBreaker({ now, onChange = () => {} }: BreakerOptions) {
  let failures: { count: number; since: number } | undefined;
  let open: { kind: GameCallErrorKind; until: number; pause: number } | undefined;
  let probing = false;
  let lastSuccess: Date | null = null;
  let lastError: UpstreamState["lastError"] = null;

  const shut = (kind: GameCallErrorKind, seconds: number, pause: number) => {
    const wasOpen = open !== undefined;
    open = { kind, until: now().getTime() + seconds * secondMs, pause };
    if (!wasOpen) onChange({ open: true, kind, seconds });
  };

  const fail = (kind: GameCallErrorKind, retryAfter: number | undefined, isProbe: boolean) => {
    const at = now();
    lastError = { kind, at };
    if (kind === "ip-block") {
      const seconds = Math.min(Math.max(retryAfter ?? addressRestSeconds, 1), longestRetryAfter);
      return shut(kind, seconds, firstPauseSeconds);
    }
    const recent =
      failures && at.getTime() - failures.since <= windowSeconds * secondMs ? failures : undefined;
    failures = { count: (recent?.count ?? 0) + 1, since: recent?.since ?? at.getTime() };
    if (open) {
      // Calls from before the pause may still fail one by one: only the one that was sent to look counts.
      const pause = Math.min(open.pause * 2, longestPauseSeconds);
      if (isProbe) shut(kind, pause, pause);
      return;
    }
    if (failures.count >= failuresToOpen) shut(kind, firstPauseSeconds, firstPauseSeconds);
  };

  const succeed = () => {
    lastSuccess = now();
    failures = undefined;
    // A late answer of a call from before the pause does not say that the address is welcome again.
    if (!open || now().getTime() < open.until) return;
    open = undefined;
    onChange({ open: false });
  };

  /** @returns the refusal that a call would meet now, without the network */
  const refusal = () => {
    const at = now().getTime();
    if (open && at < open.until) {
      const retryAfter = Math.ceil((open.until - at) / secondMs);
      return gameCallError({
        kind: open.kind === "ip-block" ? "ip-block" : "server-side",
        retryAfter,
        detail: "calls rest",
      });
    }
    if (open && probing)
      return gameCallError({ kind: "server-side", retryAfter: 1, detail: "one call tries first" });
    return undefined;
  };

  return {
    refusal,
    /** Lets a call through, or throws what `refusal` says. */
    pass(): Permit {
      const refused = refusal();
      if (refused) throw refused;
      const isProbe = open !== undefined;
      if (isProbe) probing = true;
      const ended = () => {
        if (isProbe) probing = false;
      };
      return {
        succeeded: () => {
          ended();
          succeed();
        },
        failed: (kind, retryAfter) => {
          ended();
          fail(kind, retryAfter, isProbe);
        },
        unclear: (kind) => {
          ended();
          lastError = { kind, at: now() };
        },
      };
    },
    state(): UpstreamState {
      const breaker = !open ? "closed" : now().getTime() < open.until ? "open" : "half-open";
      return {
        breaker,
        until: breaker === "open" && open ? new Date(open.until) : null,
        lastSuccess,
        lastError,
      };
    },
  };
}
export type Breaker = ReturnType<typeof createBreaker>;
