import { secondMs } from "#server/platform/time";
import { type GameCallErrorKind, gameCallError } from "./game-call-error";

export interface UpstreamState {
  /** "half-open": one call at a time probes the game. */
  readonly breaker: "closed" | "open" | "half-open";
  readonly until: Date | null;
  readonly lastSuccess: Date | null;
  readonly lastError: { readonly kind: GameCallErrorKind; readonly at: Date } | null;
}

interface BreakerOptions {
  readonly now: () => Date;
  readonly onChange: (change: {
    open: boolean;
    kind?: GameCallErrorKind;
    seconds?: number;
  }) => void;
}

const failuresToOpen = 5;
const windowSeconds = 60;
const firstPauseSeconds = 5;
const longestPauseSeconds = 60;
/** Seconds. */
const longestRetryAfter = 600;
const addressRestSeconds = 60;

/**
 * Circuit breaker: after five failures in a row calls are blocked with backoff, then probed one at
 * a time. A refusal of our address (code 8, HTTP 429) blocks calls for a minute or for Retry-After.
 */
export function createBreaker({ now, onChange }: BreakerOptions) {
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
      // Late failures of calls from before the pause do not count.
      const pause = Math.min(open.pause * 2, longestPauseSeconds);
      if (isProbe) shut(kind, pause, pause);
      return;
    }
    if (failures.count >= failuresToOpen) shut(kind, firstPauseSeconds, firstPauseSeconds);
  };

  const succeed = () => {
    lastSuccess = now();
    failures = undefined;
    // A late answer of a call from before the pause does not close the breaker.
    if (!open || now().getTime() < open.until) return;
    open = undefined;
    onChange({ open: false });
  };

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
    /** Permits a call; exactly one of the returned methods must be called when the call ends. */
    pass() {
      const refused = refusal();
      if (refused) throw refused;
      const isProbe = open !== undefined;
      if (isProbe) probing = true;
      const ended = () => {
        if (isProbe) probing = false;
      };
      return {
        /** Any answer of the game counts, even a refusal of the key or the request. */
        succeeded: () => {
          ended();
          succeed();
        },
        /** @param retryAfter seconds, if the answer names them */
        failed: (kind: GameCallErrorKind, retryAfter?: number) => {
          ended();
          fail(kind, retryAfter, isProbe);
        },
        /** The answer cannot be read, so it neither opens nor closes the breaker. */
        unclear: (kind: GameCallErrorKind) => {
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
