import { minuteMs, secondMs } from "../platform/time";

/** Times in milliseconds. */
export interface EventLimits {
  /** Poll interval of the log; hints usually come earlier. */
  readonly look: number;
  /** Proxies close connections that are silent for a minute. */
  readonly heartbeat: number;
  /** Varies by a fifth, so that streams do not reconnect together. */
  readonly age: number;
  /** A reader that accepts nothing for this long is cut off. */
  readonly slow: number;
  readonly streamsOfHolder: number;
  readonly streams: number;
  readonly waitsOfGrant: number;
  readonly waits: number;
}

export const usualLimits: EventLimits = {
  look: secondMs,
  heartbeat: 15 * secondMs,
  age: 15 * minuteMs,
  slow: minuteMs,
  /** Per account and application. */
  streamsOfHolder: 5,
  /** Each uses about twenty kilobytes. */
  streams: 2_000,
  waitsOfGrant: 2,
  waits: 1_000,
};

export interface StreamSlots {
  /** @returns a release function, or the limit reached */
  take(
    subject: string,
    most: { readonly each: number; readonly all: number },
  ): (() => void) | "each" | "all";
  size(): number;
}

export function createStreamSlots(): StreamSlots {
  const taken = new Map<string, number>();
  let all = 0;
  return {
    size: () => all,
    take: (subject, most) => {
      const own = taken.get(subject) ?? 0;
      if (own >= most.each) return "each";
      if (all >= most.all) return "all";
      all += 1;
      taken.set(subject, own + 1);
      let given = false;
      return () => {
        if (given) return;
        given = true;
        all -= 1;
        const left = (taken.get(subject) ?? 1) - 1;
        if (left === 0) taken.delete(subject);
        else taken.set(subject, left);
      };
    },
  };
}
