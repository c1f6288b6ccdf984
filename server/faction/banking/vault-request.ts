/** What a vault keeps for a member. */
export const currencies = ["money_balance", "points_balance"] as const;
export type Currency = (typeof currencies)[number];

/** A member's wish to be paid from the faction's vault. */
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
  if (status === "fulfilled") return verification === null || verification === "waiting" ? "paid" : verification;
  if (closedBy !== null) return "cancelled";
  return expiresAt !== null && closedAt !== null && closedAt >= expiresAt ? "expired" : "left";
}
