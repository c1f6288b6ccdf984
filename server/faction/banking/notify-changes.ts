import type { Queryable } from "#db/client";
import type { Actor } from "#server/actor";
import type { AuditDetails, AuditedAct, AuditFacts } from "#server/audit/audit";
import { deliverSoon, queueChatMessages } from "#server/chat/deliver-message";
import type { DesiredMessage } from "#server/chat/message";
import type { Context } from "#server/context";
import type { NewEvent } from "#server/event-log/event-type";
import { recordEvents } from "#server/event-log/record-events";
import { vaultPaymentUrl } from "#server/game/site-urls";
import { readChatLink } from "../chat-link/read-chat-link";
import {
  vaultRequestCancelled,
  vaultRequestClaimed,
  vaultRequestCreated,
  vaultRequestExpired,
  vaultRequestFulfilled,
  vaultRequestVerified,
} from "../events";
import {
  requestCard,
  requestDirectMessage,
  textForRequester,
  viewRequest,
} from "./describe-request";
import { createNameLookup, findPeople, playerIdsOf } from "./store";
import type { VaultRequest } from "./vault-request";

type BankingAct = Extract<AuditedAct, `vault_request.${string}`>;

interface ActEffects {
  readonly event: Pick<NewEvent, "type" | "data">;
  /** The member gets a notice and a chat message, unless they cancelled the request themselves. */
  readonly notifies?: true;
}

const effects: Readonly<Record<BankingAct, ActEffects>> = {
  "vault_request.created": { event: { type: vaultRequestCreated } },
  "vault_request.claimed": { event: { type: vaultRequestClaimed, data: { claimed: true } } },
  "vault_request.released": { event: { type: vaultRequestClaimed, data: { claimed: false } } },
  "vault_request.fulfilled": { event: { type: vaultRequestFulfilled }, notifies: true },
  "vault_request.cancelled": { event: { type: vaultRequestCancelled }, notifies: true },
  "vault_request.expired": { event: { type: vaultRequestExpired }, notifies: true },
  "vault_request.verified": { event: { type: vaultRequestVerified, data: { verified: true } } },
  "vault_request.unverified": {
    event: { type: vaultRequestVerified, data: { verified: false } },
    notifies: true,
  },
};

export async function commitAndDeliver<Result>(
  ctx: Context,
  change: (tx: Queryable) => Promise<Result>,
): Promise<Result> {
  const result = await ctx.database.transaction(change);
  deliverSoon(ctx);
  return result;
}

/**
 * Call it in the transaction of the change, so that all its records and messages commit together.
 */
export async function notifyChanges(
  ctx: Context,
  tx: Queryable,
  done: {
    readonly by: Actor;
    readonly act: BankingAct;
    readonly requests: readonly VaultRequest[];
    readonly details?: AuditDetails;
  },
): Promise<void> {
  const { by, act, requests, details } = done;
  if (requests.length === 0) return;
  const now = ctx.now();
  const { event, notifies } = effects[act];
  const people = await findPeople(tx, requests.flatMap(playerIdsOf));
  const mentions = await mentionsFor(tx, requests);
  const audited: AuditFacts[] = [];
  const notices: { accountId: string; kind: string; text: string }[] = [];
  const [cards, letters]: [DesiredMessage[], DesiredMessage[]] = [[], []];
  for (const request of requests) {
    const { id, factionId, channelId, playerId } = request;
    const view = viewRequest(request, createNameLookup(people), now);
    const { accountId = null, chatId = null } = people.get(playerId) ?? {};
    audited.push({ accountId, details: { ...factsOf(request), ...details } });
    const subject = `vault-request:${id}`;
    if (channelId !== null) {
      const message = requestCard(view, {
        baseUrl: ctx.settings.baseUrl,
        vaultPaymentUrl: vaultPaymentUrl(ctx.settings, request),
        mentions: mentions.get(factionId) ?? [],
      });
      cards.push({ subject, to: { channelId }, message });
    }
    const isOwn = act === "vault_request.cancelled" && request.closedBy === playerId;
    if (!notifies || isOwn) continue;
    const text = textForRequester(view);
    const kind = `vault-request-${view.outcome}`;
    if (accountId !== null) notices.push({ accountId, kind, text });
    if (chatId !== null)
      letters.push({
        subject: `${subject}:${view.outcome}`,
        to: { recipientId: chatId },
        message: requestDirectMessage(view, text),
      });
  }
  await ctx.audit(tx, by, act, audited);
  await ctx.notify(tx, notices);
  await queueChatMessages(tx, [...cards, ...letters], now);
  await recordEvents(
    ctx,
    tx,
    requests.map(({ id, factionId, playerId }) => ({
      ...event,
      subject: id,
      factionId,
      playerId,
    })),
  );
}

/** Roles to mention, keyed by faction id. Only the cards of pending requests mention roles. */
async function mentionsFor(
  tx: Queryable,
  requests: readonly VaultRequest[],
): Promise<Map<number, readonly bigint[]>> {
  const mentions = new Map<number, readonly bigint[]>();
  for (const { status, channelId, factionId } of requests) {
    if (status !== "pending" || channelId === null || mentions.has(factionId)) continue;
    const link = await readChatLink(tx, factionId);
    mentions.set(factionId, link.state === "ready" ? link.roleIds : []);
  }
  return mentions;
}

const factsOf = ({ id, factionId, playerId, amount, currency }: VaultRequest) => ({
  request: id,
  faction: factionId,
  player: playerId,
  amount,
  type: currency,
});
