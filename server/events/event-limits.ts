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
