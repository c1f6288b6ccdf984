import type { MessageTone } from "#server/chat/message";
import type { VaultRequest } from "./vault-request";

export type Outcome =
  | "waiting"
  | "paid"
  | "verified"
  | "unverified"
  | "cancelled"
  | "expired"
  /** The member left the faction. */
  | "left";

/** The system cancels for two reasons; the closing time shows whether it was expiry. */
export function outcomeOf(
  request: Pick<VaultRequest, "status" | "verification" | "closedBy" | "closedAt" | "expiresAt">,
): Outcome {
  const { status, verification, closedBy, closedAt, expiresAt } = request;
  if (status === "pending") return "waiting";
  if (status === "fulfilled")
    return verification === null || verification === "waiting" ? "paid" : verification;
  if (closedBy !== null) return "cancelled";
  return expiresAt !== null && closedAt !== null && closedAt >= expiresAt ? "expired" : "left";
}

interface OutcomeFacts {
  /** The member. */
  readonly who: string;
  /** The amount. */
  readonly what: string;
  readonly by: string;
}

interface OutcomeWords {
  readonly word: string;
  readonly tone: "accent" | "good" | "warn" | "neutral";
  readonly chatTone: MessageTone;
  /** Heading of the request's page, and the advice below it. */
  readonly title: string;
  readonly toBanker: string;
  readonly toMember: string;
  /** Card in the faction's channel. */
  readonly card: (facts: OutcomeFacts) => string;
  /** Goes on after "Your request #12 for $2,500,000". */
  readonly notice: (by: string) => string;
}

const lookingForIt = "Adjutant is looking for the payment in the vault's news.";
const foundIt = "The vault's news shows the payment.";

export const outcomes: Readonly<Record<Outcome, OutcomeWords>> = {
  waiting: {
    word: "Waiting",
    tone: "accent",
    chatTone: "info",
    title: "This request is waiting",
    toBanker: "",
    toMember: "",
    card: ({ who, what }) => `${who} requests ${what}.`,
    notice: () => "is waiting for a banker.",
  },
  paid: {
    word: "Paid, being checked",
    tone: "accent",
    chatTone: "good",
    title: "This request is paid",
    toBanker: lookingForIt,
    toMember: lookingForIt,
    card: ({ who, what, by }) =>
      `${by} paid ${what} to ${who}. Adjutant looks for it in the vault's news.`,
    notice: (by) => `was paid by ${by}. Check that you have it.`,
  },
  verified: {
    word: "Paid and confirmed",
    tone: "good",
    chatTone: "good",
    title: "This request is paid",
    toBanker: foundIt,
    toMember: foundIt,
    card: ({ who, what, by }) => `${by} paid ${what} to ${who}. The vault's news shows it.`,
    notice: (by) => `was paid by ${by}, and the vault's news shows it.`,
  },
  unverified: {
    word: "Payment not found",
    tone: "warn",
    chatTone: "warning",
    title: "This request is marked as paid",
    toBanker:
      "The vault's news does not show the payment. Look in the news first: if the member got the money, do not pay again.",
    toMember: "The vault's news does not show the payment. If you did not get it, ask a banker.",
    card: ({ who, what, by }) =>
      `${by} marked ${what} for ${who} as paid, but the vault's news does not show it.`,
    notice: (by) =>
      `was marked as paid by ${by}, but the vault's news does not show it. If you did not get it, ask a banker or send a new request.`,
  },
  cancelled: {
    word: "Cancelled",
    tone: "neutral",
    chatTone: "error",
    title: "This request was cancelled",
    toBanker: "Do not pay it.",
    toMember: "You can send a new request.",
    card: ({ who, what, by }) => `${by} cancelled the request of ${who} for ${what}.`,
    notice: (by) => `was cancelled by ${by}. You can send a new request.`,
  },
  expired: {
    word: "Expired",
    tone: "neutral",
    chatTone: "error",
    title: "This request has expired",
    toBanker: "Do not pay it. The member can send a new request.",
    toMember: "No banker paid it in time. You can send a new request.",
    card: ({ who, what }) => `Nobody paid ${what} to ${who} in time, so the request expired.`,
    notice: () => "was not paid in time and expired. You can send a new request.",
  },
  left: {
    word: "Ended",
    tone: "neutral",
    chatTone: "error",
    title: "This request has ended",
    toBanker: "Do not pay it. The member left the faction.",
    toMember: "You left the faction.",
    card: ({ who, what }) => `${who} left the faction, so the request for ${what} was closed.`,
    notice: () => "was closed because you left the faction.",
  },
};
