import type { vaultRequests } from "#db/schema/faction";
import { isUuid } from "#server/platform/ids";
import { hourSeconds, secondMs } from "#server/platform/time";

export const currencies = ["money_balance", "points_balance"] as const;
export type Currency = (typeof currencies)[number];

/** `id` is the API's `wid`. */
export type VaultRequest = Omit<typeof vaultRequests.$inferSelect, "newsId">;

export type RequestName = { readonly id: number } | { readonly guid: string };

const largestId = 2 ** 31 - 1;
const wholeNumber = /^[1-9]\d{0,9}$/;

/** Reads a number (1 … 2^31−1) or a guid in any case; undefined for anything else. */
export function readRequestName(text: string): RequestName | undefined {
  if (wholeNumber.test(text) && Number(text) <= largestId) return { id: Number(text) };
  const guid = text.toLowerCase();
  return isUuid(guid) ? { guid } : undefined;
}

/** An expired request counts as cancelled from its expiry time, swept or not. */
export function asOf(request: VaultRequest, now: Date): VaultRequest {
  const { status, expiresAt } = request;
  if (status !== "pending" || expiresAt === null || expiresAt > now) return request;
  return { ...request, status: "cancelled", closedAt: expiresAt, closedBy: null };
}

/** Null without a claim, after its end, and on closed requests. */
export const claimOn = (request: VaultRequest, now: Date) => {
  const { status, claimedBy, claimedUntil } = request;
  return status === "pending" && claimedBy !== null && claimedUntil !== null && claimedUntil > now
    ? { by: claimedBy, until: claimedUntil }
    : null;
};

/** Offered by portal and chat; null seconds: no expiry. */
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

export function endOfWaiting(value: WaitingTime, now: Date): Date | null {
  const seconds = waitingTimes.find((choice) => choice.value === value)?.seconds ?? null;
  return seconds === null ? null : new Date(now.getTime() + seconds * secondMs);
}
