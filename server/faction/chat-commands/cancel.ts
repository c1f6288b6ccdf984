import type { ChatMessage } from "#server/chat/message";
import type { Context } from "#server/context";
import { InsufficientFactionPermissions, UnknownVaultRequest } from "#server/failures";
import { amountInWords } from "../banking/amount-in-words";
import { cancelRequest } from "../banking/cancel-request";
import { listRequests } from "../banking/list-requests";
import { isBanker } from "../positions/is-banker";
import type { ChatActor } from "./chat-actor";
import { requestNumber, type Values } from "./values";

/** Cancels the named request, or without a number the member's own newest that waits. */
export async function cancel(ctx: Context, actor: ChatActor, values: Values): Promise<ChatMessage> {
  const named = requestNumber(values);
  return cancelNumber(ctx, actor, named === "" ? await newestOwn(ctx, actor) : named);
}

/** The button on the card is for bankers; whoever asked takes it back by the command or on the page. */
export async function pressCancel(ctx: Context, actor: ChatActor, request: string): Promise<ChatMessage> {
  if (!isBanker(actor.standing))
    throw InsufficientFactionPermissions.because({
      message: "Only bankers use this button. Your own request you cancel by the command /cancel.",
    });
  return cancelNumber(ctx, actor, request);
}

async function cancelNumber(ctx: Context, { player, standing }: ChatActor, request: string): Promise<ChatMessage> {
  const { id, amount, currency } = await cancelRequest(ctx, player, { factionId: standing.factionId, request });
  return {
    card: { title: `Vault request #${id}`, body: `${amountInWords(amount, currency)}: cancelled.`, tone: "good" },
  };
}

async function newestOwn(ctx: Context, { player, standing: { factionId } }: ChatActor): Promise<string> {
  const page = await listRequests(ctx, player, { factionId, scope: "user", pendingOnly: true, limit: 1 });
  const [newest] = page.requests;
  if (!newest) throw UnknownVaultRequest.because({ message: "No request of yours is waiting." });
  return String(newest.id);
}
