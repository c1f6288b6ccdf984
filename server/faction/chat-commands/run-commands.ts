import type { PlayerActor } from "#server/actor";
import type { ChatCommand, ChatMessage } from "#server/chat/message";
import type { Context } from "#server/context";
import {
  InsufficientFactionPermissions,
  UnknownElement,
  UnknownVaultRequest,
} from "#server/failures";
import { toUnixSeconds } from "#server/platform/time";
import { formatAmount, readAmount } from "../banking/amount";
import { claimRequest } from "../banking/claim-request";
import { cancelRequest, fulfilRequest } from "../banking/close-request";
import { listRequests } from "../banking/list-requests";
import { readVaultBalance } from "../banking/read-vault-balance";
import { requestWithdrawal } from "../banking/request-withdrawal";
import { endOfWaiting, usualWaitingTime, waitingTimes } from "../banking/vault-request";
import { isBanker, type Membership } from "../positions/membership";

const balanceKinds = [
  { label: "Money", value: "money", currency: "money_balance" },
  { label: "Points", value: "points", currency: "points_balance" },
] as const;

const choice = ({ label, value }: { readonly label: string; readonly value: string }) => ({
  label,
  value,
});

export const chatCommands: readonly ChatCommand[] = [
  {
    name: "balance",
    description: "Show what you have in your faction's vault. Only you see it.",
    options: [],
  },
  {
    name: "withdraw",
    description: "Request a withdrawal from your faction's vault.",
    options: [
      { name: "amount", description: "250000, 1.5m, 100k or all.", kind: "text", required: true },
      {
        name: "kind",
        description: "Money by default, or points.",
        kind: "text",
        required: false,
        choices: balanceKinds.map(choice),
      },
      {
        name: "timeout",
        description: "When the request expires. After one hour by default.",
        kind: "text",
        required: false,
        choices: waitingTimes.map(({ value, words }) => ({ label: words, value })),
      },
    ],
  },
  {
    name: "cancel",
    description: "Cancel your newest waiting request, or the one with this number.",
    options: [
      { name: "id", description: "The request's number.", kind: "number", required: false },
    ],
  },
  {
    name: "fulfil",
    description: "Mark a request as paid. For bankers.",
    options: [{ name: "id", description: "The request's number.", kind: "number", required: true }],
  },
];

export interface ChatActor {
  readonly by: PlayerActor;
  readonly membership: Membership & { readonly factionId: number };
}

export type Values = ReadonlyMap<string, string | number>;

export const requestNumber = (values: Values): string => String(values.get("id") ?? "");

export async function showBalance(
  ctx: Context,
  { by, membership }: ChatActor,
): Promise<ChatMessage> {
  const { money, points } = await readVaultBalance(ctx, by);
  return {
    card: {
      title: "Your balance",
      body: `In the vault of ${membership.factionName ?? "your faction"}. Only you see this.`,
      tone: "info",
      fields: [
        { name: "Money", value: formatAmount(money, "money_balance") },
        { name: "Points", value: formatAmount(points, "points_balance") },
      ],
    },
  };
}

export async function withdraw(
  ctx: Context,
  { by, membership }: ChatActor,
  values: Values,
): Promise<ChatMessage> {
  const amount = readAmount(values.get("amount"));
  if (amount === undefined)
    throw wrong("Enter an amount, for example 250000, $2,500,000, 1.5m, 100k or all.");
  const kind = balanceKinds.find(
    ({ value }) => value === (values.get("kind") ?? balanceKinds[0].value),
  );
  const wait = waitingTimes.find(
    ({ value }) => value === (values.get("timeout") ?? usualWaitingTime),
  );
  if (!kind || !wait) throw wrong("Choose kind and timeout from the list.");
  const request = await requestWithdrawal(ctx, by, {
    factionId: membership.factionId,
    amount,
    currency: kind.currency,
    expiresAt: endOfWaiting(wait.value, ctx.now()),
  });
  const { id, expiresAt } = request;
  return {
    card: {
      title: `Vault request #${id}`,
      body: `You asked for ${formatAmount(request.amount, request.currency)}. Your faction's bankers see it, and you get a message when one has paid.`,
      tone: "info",
      ...(expiresAt && { fields: [{ name: "Expires", at: toUnixSeconds(expiresAt) }] }),
    },
    buttons: [{ label: "Your requests", url: `${ctx.settings.baseUrl}/faction/banking` }],
  };
}

const wrong = (message: string) => UnknownElement.because({ message });

export async function cancel(ctx: Context, actor: ChatActor, values: Values): Promise<ChatMessage> {
  const named = requestNumber(values);
  return cancelNumber(ctx, actor, named === "" ? await newestOwn(ctx, actor) : named);
}

/** The card's button is for bankers; requesters use the command or the page. */
export async function pressCancel(
  ctx: Context,
  actor: ChatActor,
  request: string,
): Promise<ChatMessage> {
  if (!isBanker(actor.membership))
    throw InsufficientFactionPermissions.because({
      message: "Only bankers can use this button. Cancel your own request with /cancel.",
    });
  return cancelNumber(ctx, actor, request);
}

async function cancelNumber(
  ctx: Context,
  { by, membership }: ChatActor,
  request: string,
): Promise<ChatMessage> {
  const { id, amount, currency } = await cancelRequest(ctx, by, {
    factionId: membership.factionId,
    request,
  });
  return {
    card: {
      title: `Vault request #${id}`,
      body: `${formatAmount(amount, currency)}: cancelled.`,
      tone: "good",
    },
  };
}

async function newestOwn(
  ctx: Context,
  { by, membership: { factionId } }: ChatActor,
): Promise<string> {
  const page = await listRequests(ctx, by, {
    factionId,
    scope: "user",
    pendingOnly: true,
    limit: 1,
  });
  const [newest] = page.requests;
  if (!newest) throw UnknownVaultRequest.because({ message: "You have no waiting request." });
  return String(newest.id);
}

export async function claim(
  ctx: Context,
  { by }: ChatActor,
  request: string,
): Promise<ChatMessage> {
  const { request: found, claimed } = await claimRequest(ctx, by, { request });
  const { id, amount, currency } = found;
  return {
    card: {
      title: `Vault request #${id}`,
      body: claimed
        ? `${formatAmount(amount, currency)}: the other bankers see that you are paying it, for five minutes. Press Fulfil when you have paid.`
        : `${formatAmount(amount, currency)}: another banker is paying it. The card shows who, and until when.`,
      tone: claimed ? "good" : "warning",
    },
  };
}

export async function fulfil(
  ctx: Context,
  { by }: ChatActor,
  request: string,
): Promise<ChatMessage> {
  const { id, amount, currency } = await fulfilRequest(ctx, by, { request });
  return {
    card: {
      title: `Vault request #${id}`,
      body: `${formatAmount(amount, currency)}: you marked it as paid. Adjutant looks for the payment in the vault's news for some minutes.`,
      tone: "good",
    },
  };
}
