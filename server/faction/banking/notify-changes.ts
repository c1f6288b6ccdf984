import type { Queryable } from "#db/client";
import type { Actor } from "#server/actor";
import type { AuditDetails, AuditedAct } from "#server/audit/audit";
import { queueChatMessages } from "#server/chat/deliver-message";
import type { DesiredMessage } from "#server/chat/message";
import type { Context } from "#server/context";
import type { NewEvent } from "#server/event-log/event-type";
import { recordEvents } from "#server/event-log/record-events";
import { vaultPaymentUrl } from "#server/game/site-urls";
import {
  type RequestWithPeople,
  requestCard,
  requestLetter,
  textForRequester,
} from "./describe-request";
import {
  vaultRequestCancelled,
  vaultRequestClaimed,
  vaultRequestCreated,
  vaultRequestExpired,
  vaultRequestFulfilled,
  vaultRequestVerified,
} from "./events";
import { outcomeOf } from "./outcome";
import { findPeople, namesFrom, type Person, peopleOf } from "./store";
import type { VaultRequest } from "./vault-request";

type BankingAct = Extract<AuditedAct, `vault_request.${string}`>;

interface Change {
  readonly request: VaultRequest;
  readonly details?: AuditDetails;
  readonly mentions?: readonly bigint[];
  readonly told: boolean;
}

/**
 * Records events, cards and notices in the transaction of the change, with one statement per kind
 * for any number of requests.
 */
export async function notifyChanges(
  ctx: Context,
  tx: Queryable,
  done: { readonly by: Actor; readonly act: BankingAct; readonly changes: readonly Change[] },
): Promise<void> {
  const { by, act, changes } = done;
  if (changes.length === 0) return;
  const people = await findPeople(
    tx,
    changes.flatMap(({ request }) => peopleOf(request)),
  );
  const words = changes.filter(({ told }) => told).map(({ request }) => wordsFor(request, people));
  const cards = changes.flatMap((change) => cardFor(ctx, change, people));
  const facts = changes.map(({ request, details }) => ({
    accountId: people.get(request.playerId)?.accountId ?? null,
    details: { ...factsOf(request), ...details },
  }));
  await ctx.audit(tx, by, act, facts);
  await ctx.notify(
    tx,
    words.flatMap(({ notice }) => notice),
  );
  await queueChatMessages(tx, [...cards, ...words.flatMap(({ letter }) => letter)], ctx.now());
  const events = changes.map(({ request }) => eventOf(act, request));
  await recordEvents(ctx, tx, events);
}

const eventOfAct = {
  "vault_request.created": { type: vaultRequestCreated },
  "vault_request.claimed": { type: vaultRequestClaimed, data: { claimed: true } },
  "vault_request.released": { type: vaultRequestClaimed, data: { claimed: false } },
  "vault_request.fulfilled": { type: vaultRequestFulfilled },
  "vault_request.cancelled": { type: vaultRequestCancelled },
  "vault_request.expired": { type: vaultRequestExpired },
  "vault_request.verified": { type: vaultRequestVerified, data: { verified: true } },
  "vault_request.unverified": { type: vaultRequestVerified, data: { verified: false } },
} as const satisfies Record<BankingAct, Pick<NewEvent, "type" | "data">>;

const eventOf = (act: BankingAct, { id, factionId, playerId }: VaultRequest): NewEvent => ({
  ...eventOfAct[act],
  subject: id,
  ...{ factionId, playerId },
});

type People = ReadonlyMap<number, Person>;

const factsOf = ({ id, factionId, playerId, amount, currency }: VaultRequest) => ({
  ...{ request: id, faction: factionId, player: playerId, amount, type: currency },
});

function storyOf(request: VaultRequest, people: People): RequestWithPeople {
  const name = namesFrom(people);
  const { closedBy, claimedBy } = request;
  return {
    request,
    requester: name(request.playerId),
    closer: closedBy === null ? null : name(closedBy),
    claimant: claimedBy === null ? null : name(claimedBy),
  };
}

function cardFor(
  ctx: Context,
  { request, mentions = [] }: Change,
  people: People,
): DesiredMessage[] {
  const { channelId } = request;
  if (channelId === null) return [];
  const page = vaultPaymentUrl(ctx.settings, request);
  const links = { baseUrl: ctx.settings.baseUrl, vaultPaymentUrl: page, mentions };
  const message = requestCard(storyOf(request, people), links);
  return [{ subject: `vault-request:${request.id}`, to: { channelId }, message }];
}

function wordsFor(request: VaultRequest, people: People) {
  const outcome = outcomeOf(request);
  const story = storyOf(request, people);
  const text = textForRequester(story);
  const { accountId = null, chatId = null } = people.get(request.playerId) ?? {};
  const notice = accountId === null ? [] : [{ accountId, kind: `vault-request-${outcome}`, text }];
  const subject = `vault-request:${request.id}:${outcome}`;
  const message = requestLetter(story, text);
  const letter: DesiredMessage[] =
    chatId === null ? [] : [{ subject, to: { recipientId: chatId }, message }];
  return { notice, letter };
}
