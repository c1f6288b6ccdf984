import type { ChatMessage } from "#server/chat/message";
import type { Context } from "#server/context";
import { amountInWords } from "../banking/amount-in-words";
import { fulfilRequest } from "../banking/fulfil-request";
import type { ChatActor } from "./chat-actor";

/** Marks a request as paid, in the name of a banker. */
export async function fulfil(ctx: Context, { player }: ChatActor, request: string): Promise<ChatMessage> {
  const { id, amount, currency } = await fulfilRequest(ctx, player, { request });
  return {
    card: {
      title: `Vault request #${id}`,
      body: `${amountInWords(amount, currency)}: marked as paid by you. We look for the payment in the vault's news for some minutes.`,
      tone: "good",
    },
  };
}
