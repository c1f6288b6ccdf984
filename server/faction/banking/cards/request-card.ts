import type { ChatMessage, Tone } from "#server/chat/message";
import { type Outcome, outcomeOf } from "../vault-request";
import { formatMoment, type RequestWithPeople, textForFaction } from "./request-in-words";

/** What a card needs besides the story. */
export interface CardLinks {
  /** The product's own address. */
  readonly baseUrl: string;
  /** The game's page where a banker gives from the vault; null where the game is simulated. */
  readonly vaultPaymentUrl: string | null;
  /** Roles that a new request mentions. */
  readonly mentions: readonly bigint[];
}

const looks: Record<Outcome, { readonly tone: Tone; readonly word: string }> = {
  waiting: { tone: "info", word: "waiting" },
  paid: { tone: "good", word: "paid" },
  verified: { tone: "good", word: "paid" },
  unverified: { tone: "warning", word: "payment not found" },
  cancelled: { tone: "error", word: "cancelled" },
  expired: { tone: "error", word: "timed out" },
  left: { tone: "error", word: "ended" },
};

/** The card that shows a request to the faction's bankers. A closed one has no buttons, and mentions nobody. */
export function requestCard(story: RequestWithPeople, links: CardLinks): ChatMessage {
  const { baseUrl, vaultPaymentUrl: page } = links;
  const { request } = story;
  const { tone, word } = looks[outcomeOf(request)];
  const card = { title: `Vault request #${request.id}: ${word}`, body: textForFaction(story), tone };
  if (request.status !== "pending") return { card };
  const ends = request.expiresAt ? formatMoment(request.expiresAt) : "Never";
  return {
    text: "A member requests a withdrawal from the vault.",
    mentions: links.mentions.map(String),
    card: { ...card, fields: [{ name: "Ends", value: ends }] },
    buttons: [
      ...(page === null ? [] : [{ label: "Open the vault", url: page }]),
      { label: "Fulfilment page", url: `${baseUrl}/faction/banking/fulfill/${request.guid}` },
      { label: "Fulfil", action: `vault:fulfill:${request.id}`, tone: "good" },
      { label: "Cancel", action: `vault:cancel:${request.id}`, tone: "error" },
    ],
  };
}

/** The direct message to the member who made the request. */
export function requestLetter(story: RequestWithPeople, words: string): ChatMessage {
  const { request } = story;
  const { tone, word } = looks[outcomeOf(request)];
  return { card: { title: `Vault request #${request.id}: ${word}`, body: words, tone } };
}
