import type { ChatMessage, MessageTone } from "#server/chat/message";
import type { NamedPlayer } from "#server/users/player";
import { formatAmount } from "./amount";
import { type Outcome, outcomeOf, type VaultRequest } from "./vault-request";

export interface RequestWithPeople {
  readonly request: VaultRequest;
  readonly requester: NamedPlayer;
  readonly closer: NamedPlayer | null;
}

export interface CardLinks {
  readonly baseUrl: string;
  readonly vaultPaymentUrl: string | null;
  readonly mentions: readonly bigint[];
}

const looks: Record<Outcome, { readonly tone: MessageTone; readonly word: string }> = {
  waiting: { tone: "info", word: "waiting" },
  paid: { tone: "good", word: "paid" },
  verified: { tone: "good", word: "paid" },
  unverified: { tone: "warning", word: "payment not found" },
  cancelled: { tone: "error", word: "cancelled" },
  expired: { tone: "error", word: "timed out" },
  left: { tone: "error", word: "ended" },
};

/** A closed card has no buttons and mentions no roles. */
export function requestCard(story: RequestWithPeople, links: CardLinks): ChatMessage {
  const { baseUrl, vaultPaymentUrl: page } = links;
  const { request } = story;
  const { tone, word } = looks[outcomeOf(request)];
  const card = {
    title: `Vault request #${request.id}: ${word}`,
    body: textForFaction(story),
    tone,
  };
  if (request.status !== "pending") return { card };
  const ends = request.expiresAt ? formatMoment(request.expiresAt) : "Never";
  return {
    text: "A member requests a withdrawal from the vault.",
    mentions: links.mentions.map(String),
    card: { ...card, fields: [{ name: "Expires", value: ends }] },
    buttons: [
      ...(page === null ? [] : [{ label: "Open the vault", url: page }]),
      { label: "Fulfilment page", url: `${baseUrl}/faction/banking/fulfill/${request.guid}` },
      { label: "Fulfil", action: `vault:fulfill:${request.id}`, tone: "good" },
      { label: "Cancel", action: `vault:cancel:${request.id}`, tone: "error" },
    ],
  };
}

export function requestLetter(story: RequestWithPeople, words: string): ChatMessage {
  const { request } = story;
  const { tone, word } = looks[outcomeOf(request)];
  return { card: { title: `Vault request #${request.id}: ${word}`, body: words, tone } };
}

export function textForRequester({ request, closer }: RequestWithPeople): string {
  const what = `Your request #${request.id} for ${askedFor(request)}`;
  const by = closer ? inWords(closer) : "somebody";
  const words: Record<Outcome, string> = {
    waiting: `${what} is waiting for a banker.`,
    paid: `${what} was paid by ${by}. Check that you have it.`,
    verified: `${what} was paid by ${by}, and the vault's news shows it.`,
    unverified: `${what} was marked as paid by ${by}, but the vault's news does not show it. If you did not get it, ask a banker or send a new request.`,
    cancelled: `${what} was cancelled by ${by}. You can send a new request.`,
    expired: `${what} was not paid in time and expired. You can send a new request.`,
    left: `${what} was closed because you left the faction.`,
  };
  return words[outcomeOf(request)];
}

/** The requester is never named as canceller. */
function textForFaction({ request, requester, closer }: RequestWithPeople): string {
  const who = inWords(requester);
  const what = askedFor(request);
  const by = closer ? inWords(closer) : "Somebody";
  const words: Record<Outcome, string> = {
    waiting: `${who} requests ${what}.`,
    paid: `${by} paid ${what} to ${who}. Adjutant looks for it in the vault's news.`,
    verified: `${by} paid ${what} to ${who}. The vault's news shows it.`,
    unverified: `${by} marked ${what} for ${who} as paid, but the vault's news does not show it.`,
    cancelled: `${by} cancelled the request of ${who} for ${what}.`,
    expired: `Nobody paid ${what} to ${who} in time, so the request expired.`,
    left: `${who} left the faction, so the request for ${what} was closed.`,
  };
  return words[outcomeOf(request)];
}

/** "Cleo_Marsh [1003]" */
export const inWords = ({ name, playerId }: NamedPlayer): string => `${name} [${playerId}]`;

const askedFor = ({ amount, currency }: VaultRequest): string => formatAmount(amount, currency);

/** "2026-11-21 12:08 UTC" */
const formatMoment = (at: Date): string => `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;
