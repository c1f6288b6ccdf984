import { minuteMs, secondMs } from "../platform/time";

/** How long and how many. Times in milliseconds. */
export interface EventLimits {
  /** Between two looks at the log; a hint usually comes before. */
  readonly look: number;
  /** Between two writes on a quiet stream. Proxies end what is silent for a minute. */
  readonly heartbeat: number;
  /** Of a stream, give or take a fifth, so that those which began together do not come back together. */
  readonly age: number;
  /** For which a reader may take nothing before its stream is cut. */
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
  /** A player's account through one application. */
  streamsOfHolder: 5,
  /** Each holds some twenty kilobytes. */
  streams: 2_000,
  waitsOfGrant: 2,
  waits: 1_000,
};

/** Counts open streams, or waiting calls, as a whole and by subject. */
export interface StreamSlots {
  /** Takes one. @returns what gives it back; which limit is reached where there is none */
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
