import type { ChatMessage } from "#server/chat/message";
import type { NamedPlayer } from "#server/users/player";
import { formatAmount } from "./amount";
import { outcomeOf, outcomes } from "./outcome";
import type { VaultRequest } from "./vault-request";

export interface RequestWithPeople {
  readonly request: VaultRequest;
  readonly requester: NamedPlayer;
  readonly closer: NamedPlayer | null;
  readonly claimant: NamedPlayer | null;
}

export interface CardLinks {
  readonly baseUrl: string;
  readonly vaultPaymentUrl: string | null;
  readonly mentions: readonly bigint[];
}

/** A closed card has no buttons and mentions no roles. */
export function requestCard(story: RequestWithPeople, links: CardLinks): ChatMessage {
  const { baseUrl, vaultPaymentUrl: page } = links;
  const { request, claimant } = story;
  const card = cardOf(request, textForFaction(story));
  if (request.status !== "pending") return { card };
  const ends = request.expiresAt ? formatMoment(request.expiresAt) : "Never";
  return {
    text: "A member requests a withdrawal from the vault.",
    mentions: links.mentions.map(String),
    card: {
      ...card,
      fields: [
        { name: "Expires", value: ends },
        ...(claimant && request.claimedUntil
          ? [
              {
                name: "Being paid",
                value: `By ${inWords(claimant)} until ${formatMoment(request.claimedUntil)}`,
              },
            ]
          : []),
      ],
    },
    buttons: [
      ...(page === null ? [] : [{ label: "Open the vault", url: page }]),
      { label: "Fulfilment page", url: `${baseUrl}/faction/banking/fulfill/${request.guid}` },
      { label: "Claim", action: `vault:claim:${request.id}` },
      { label: "Fulfil", action: `vault:fulfill:${request.id}`, tone: "good" },
      { label: "Cancel", action: `vault:cancel:${request.id}`, tone: "error" },
    ],
  };
}

export const requestLetter = ({ request }: RequestWithPeople, words: string): ChatMessage => ({
  card: cardOf(request, words),
});

function cardOf(request: VaultRequest, body: string) {
  const { word, chatTone: tone } = outcomes[outcomeOf(request)];
  return { title: `Vault request #${request.id}: ${word.toLowerCase()}`, body, tone };
}

export function textForRequester({ request, closer }: RequestWithPeople): string {
  const by = closer ? inWords(closer) : "somebody";
  const { notice } = outcomes[outcomeOf(request)];
  return withReason(`Your request #${request.id} for ${askedFor(request)} ${notice(by)}`, request);
}

/** The requester is never named as canceller. */
const textForFaction = ({ request, requester, closer }: RequestWithPeople): string =>
  withReason(
    outcomes[outcomeOf(request)].card({
      who: inWords(requester),
      what: askedFor(request),
      by: closer ? inWords(closer) : "Somebody",
    }),
    request,
  );

const withReason = (text: string, { reason }: VaultRequest): string =>
  reason === null ? text : `${text} Reason: ${reason}`;

/** "Cleo_Marsh [1003]" */
export const inWords = ({ name, playerId }: NamedPlayer): string => `${name} [${playerId}]`;

const askedFor = ({ amount, currency }: VaultRequest): string => formatAmount(amount, currency);

/** "2026-11-21 12:08 TCT" */
const formatMoment = (at: Date): string => `${at.toISOString().slice(0, 16).replace("T", " ")} TCT`;
