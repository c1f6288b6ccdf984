import type { Queryable } from "#db/client";
import { BankingNotConfigured, FactionNotLinked, UnknownChatServer } from "#server/failures";
import { hourSeconds, secondMs } from "#server/platform/time";
import { type ChatLink, readChatLink } from "../chat-link/read-chat-link";
import { membershipIn } from "../positions/membership";

/** What a vault keeps for a member. */
export const currencies = ["money_balance", "points_balance"] as const;
export type Currency = (typeof currencies)[number];

/** A member's request to be paid from the faction's vault. */
export interface VaultRequest {
  /** The wid. */
  readonly id: number;
  readonly guid: string;
  readonly factionId: number;
  readonly playerId: number;
  readonly amount: number;
  readonly currency: Currency;
  readonly status: "pending" | "fulfilled" | "cancelled";
  readonly requestedAt: Date;
  /** Null: never. */
  readonly expiresAt: Date | null;
  readonly closedAt: Date | null;
  /** The player who closed it; null while it is pending, and for the system. */
  readonly closedBy: number | null;
  /** Whether the fulfilment was found in the vault's news; null until there is one. */
  readonly verification: "waiting" | "verified" | "unverified" | null;
  /** Where its card stands in the chat. */
  readonly channelId: bigint | null;
}

/** How a caller names a request: by its number or by its guid. */
export type RequestName = { readonly id: number } | { readonly guid: string };

const largestId = 2 ** 31 - 1;
const wholeNumber = /^[1-9]\d{0,9}$/;
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Reads a number (1 … 2^31−1) or a guid in any case. Undefined for anything else: there is no such request. */
export function readRequestName(text: string): RequestName | undefined {
  if (wholeNumber.test(text) && Number(text) <= largestId) return { id: Number(text) };
  return uuid.test(text) ? { guid: text.toLowerCase() } : undefined;
}

/** The request as it stands at a moment: one whose time is over counts as cancelled from that very moment, swept or not. */
export function asOf(request: VaultRequest, now: Date): VaultRequest {
  const { status, expiresAt } = request;
  if (status !== "pending" || expiresAt === null || expiresAt > now) return request;
  return { ...request, status: "cancelled", closedAt: expiresAt, closedBy: null };
}

/** What became of a request, as people are told. */
export type Outcome =
  | "waiting"
  /** A banker says that it was paid; the vault's news is still read. */
  | "paid"
  | "verified"
  /** A banker says so, and the vault's news does not. */
  | "unverified"
  /** By somebody. */
  | "cancelled"
  | "expired"
  /** The member left the faction. */
  | "left";

/** Draws it from the record alone: the system cancels for two reasons, and only one of them is the time. */
export function outcomeOf(request: VaultRequest): Outcome {
  const { status, verification, closedBy, closedAt, expiresAt } = request;
  if (status === "pending") return "waiting";
  if (status === "fulfilled")
    return verification === null || verification === "waiting" ? "paid" : verification;
  if (closedBy !== null) return "cancelled";
  return expiresAt !== null && closedAt !== null && closedAt >= expiresAt ? "expired" : "left";
}

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
  return seconds === null ? null : new Date(now.getTime() + seconds * secondMs);
}

/**
 * Where a member's request is shown, and which roles it mentions, if the member may make one at this moment.
 * @throws UnknownFaction, InsufficientResourcePermissions, UnknownChatServer, FactionNotLinked, BankingNotConfigured
 */
export async function channelOf(
  on: Queryable,
  { playerId, factionId }: { readonly playerId: number; readonly factionId: number },
) {
  await membershipIn(on, playerId, factionId);
  return requireChannel(on, factionId);
}

/**
 * Where a faction's requests are shown, and which roles a new one mentions.
 * @throws UnknownChatServer, FactionNotLinked, BankingNotConfigured
 */
export async function requireChannel(
  on: Queryable,
  factionId: number,
): Promise<Extract<ChatLink, { state: "ready" }>> {
  const link = await readChatLink(on, factionId);
  if (link.state === "no-server") throw UnknownChatServer.because();
  if (link.state === "not-listed") throw FactionNotLinked.because();
  if (link.state === "no-channel") throw BankingNotConfigured.because();
  return link;
}
