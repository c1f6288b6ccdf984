import { hourSeconds } from "#server/platform/durations";

/** How long a request may wait, as the portal and the chat offer it. Null seconds: for ever. */
export const waitingTimes = [
  { value: "15m", words: "15 minutes", seconds: 900 },
  { value: "30m", words: "30 minutes", seconds: 1_800 },
  { value: "1h", words: "1 hour", seconds: hourSeconds },
  { value: "2h", words: "2 hours", seconds: 7_200 },
  { value: "4h", words: "4 hours", seconds: 14_400 },
  { value: "8h", words: "8 hours", seconds: 28_800 },
  { value: "none", words: "No limit", seconds: null },
] as const;

export type WaitingTime = (typeof waitingTimes)[number]["value"];

export const usualWaitingTime: WaitingTime = "1h";

/** When a request that is made now ends; null: never. */
export function endOfWaiting(value: WaitingTime, now: Date): Date | null {
  const seconds = waitingTimes.find((choice) => choice.value === value)?.seconds ?? null;
  return seconds === null ? null : new Date(now.getTime() + seconds * 1_000);
}
