import type { ChatMessage, MessageTone } from "#server/chat/message";
import type { NamedPlayer } from "#server/users/player";
import { activeClaimOf, formatAmount, requestAsOf, type VaultRequest } from "./vault-request";

export type Outcome =
  | "waiting"
  | "paid"
  | "verified"
  | "unverified"
  | "cancelled"
  | "expired"
  /** Cancelled because the member left the faction. */
  | "left";

/**
 * A cancelled request without a closer was ended by a job: at its expiry, or when the member left.
 */
function outcomeOf({ status, verification, closedBy, closedAt, expiresAt }: VaultRequest): Outcome {
  if (status === "pending") return "waiting";
  if (status === "fulfilled")
    return verification === null || verification === "waiting" ? "paid" : verification;
  if (closedBy !== null) return "cancelled";
  return expiresAt !== null && closedAt !== null && closedAt >= expiresAt ? "expired" : "left";
}

export type RequestView = ReturnType<typeof viewRequest>;

export function viewRequest(
  stored: VaultRequest,
  name: (playerId: number) => NamedPlayer,
  now: Date,
) {
  const request = requestAsOf(stored, now);
  const { id, guid, amount, currency, requestedAt, expiresAt, closedAt, closedBy, reason } =
    request;
  const claim = activeClaimOf(request, now);
  return {
    id,
    guid,
    amount,
    currency,
    requestedAt,
    expiresAt,
    closedAt,
    reason,
    outcome: outcomeOf(request),
    requester: name(request.playerId),
    closer: closedBy === null ? null : name(closedBy),
    claim: claim && { by: name(claim.by), until: claim.until },
  };
}

interface CardLinks {
  readonly baseUrl: string;
  readonly vaultPaymentUrl: string | null;
  readonly mentions: readonly bigint[];
}

export function requestCard(view: RequestView, links: CardLinks): ChatMessage {
  const { id, guid, claim, expiresAt } = view;
  const card = cardOf(view, textForFaction(view));
  if (view.outcome !== "waiting") return { card };
  const { baseUrl, vaultPaymentUrl: page } = links;
  return {
    text: "A member requests a withdrawal from the vault.",
    mentions: links.mentions.map(String),
    card: {
      ...card,
      fields: [
        { name: "Expires", value: expiresAt ? formatMoment(expiresAt) : "Never" },
        ...(claim
          ? [
              {
                name: "Being paid",
                value: `By ${formatPlayerName(claim.by)} until ${formatMoment(claim.until)}`,
              },
            ]
          : []),
      ],
    },
    buttons: [
      ...(page === null ? [] : [{ label: "Open the vault", url: page }]),
      { label: "Fulfilment page", url: `${baseUrl}/faction/banking/fulfill/${guid}` },
      { label: "Claim", action: `vault:claim:${id}` },
      { label: "Fulfil", action: `vault:fulfill:${id}`, tone: "good" },
      { label: "Cancel", action: `vault:cancel:${id}`, tone: "error" },
    ],
  };
}

export const requestDirectMessage = (view: RequestView, text: string): ChatMessage => ({
  card: cardOf(view, text),
});

function cardOf({ id, outcome }: RequestView, body: string) {
  const { word, chatTone: tone } = outcomeWords[outcome];
  return { title: `Vault request #${id}: ${word.toLowerCase()}`, body, tone };
}

export function textForRequester(view: RequestView): string {
  const { id, amount, currency, outcome, closer } = view;
  const words = outcomeWords[outcome].notice(closer ? formatPlayerName(closer) : "somebody");
  return withReason(`Your request #${id} for ${formatAmount(amount, currency)} ${words}`, view);
}

const textForFaction = (view: RequestView): string =>
  withReason(
    outcomeWords[view.outcome].card({
      who: formatPlayerName(view.requester),
      what: formatAmount(view.amount, view.currency),
      by: view.closer ? formatPlayerName(view.closer) : "Somebody",
    }),
    view,
  );

const withReason = (text: string, { reason }: RequestView): string =>
  reason === null ? text : `${text} Reason: ${reason}`;

/** "Cleo_Marsh [1003]" */
export const formatPlayerName = ({ name, playerId }: NamedPlayer): string =>
  `${name} [${playerId}]`;

/** "2026-11-21 12:08 TCT" */
const formatMoment = (at: Date): string => `${at.toISOString().slice(0, 16).replace("T", " ")} TCT`;

interface OutcomeFacts {
  /** The requester, as "Cleo_Marsh [1003]". */
  readonly who: string;
  readonly what: string;
  /** The closer, as "Bruno_Vault [1002]". */
  readonly by: string;
}

interface OutcomeWords {
  readonly word: string;
  readonly tone: "accent" | "good" | "warn" | "neutral";
  readonly chatTone: MessageTone;
  /** Heading of the request's page, above `toBanker` or `toMember`. */
  readonly title: string;
  readonly toBanker: string;
  readonly toMember: string;
  /** Text of the card in the faction's channel. */
  readonly card: (facts: OutcomeFacts) => string;
  /** Continues "Your request #12 for $2,500,000". */
  readonly notice: (by: string) => string;
}

const lookingForIt = "Adjutant is looking for the payment in the vault's news.";
const foundIt = "The vault's news shows the payment.";

export const outcomeWords: Readonly<Record<Outcome, OutcomeWords>> = {
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
    card: ({ who, what, by }) =>
      who === by
        ? `${who} cancelled their request for ${what}.`
        : `${by} cancelled the request of ${who} for ${what}.`,
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
