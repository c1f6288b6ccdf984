import type { ChatMessage } from "#server/chat/message";
import type { Context } from "#server/context";
import { UnknownElement } from "#server/failures";
import { toUnixSeconds } from "#server/platform/to-unix-seconds";
import { readAmount } from "../banking/amount";
import { amountInWords } from "../banking/amount-in-words";
import { requestWithdrawal } from "../banking/request-withdrawal";
import { endOfWaiting, usualWaitingTime, waitingTimes } from "../banking/waiting-times";
import type { ChatActor } from "./chat-actor";
import { kinds } from "./commands";
import type { Values } from "./values";

/** Asks the faction to pay. */
export async function withdraw(ctx: Context, { player, standing }: ChatActor, values: Values): Promise<ChatMessage> {
  const amount = readAmount(values.get("amount"));
  if (amount === undefined)
    throw wrong("The amount is not one that we understand. Write it as 250000, $2,500,000, 1.5m, 100k or all.");
  const kind = kinds.find(({ value }) => value === (values.get("kind") ?? kinds[0].value));
  const wait = waitingTimes.find(({ value }) => value === (values.get("timeout") ?? usualWaitingTime));
  if (!kind || !wait) throw wrong("Choose kind and timeout from the list.");
  const request = await requestWithdrawal(ctx, player, {
    factionId: standing.factionId,
    amount,
    currency: kind.currency,
    expiresAt: endOfWaiting(wait.value, ctx.now()),
  });
  const { id, expiresAt } = request;
  return {
    card: {
      title: `Vault request #${id}`,
      body: `You asked for ${amountInWords(request.amount, request.currency)}. Your faction's bankers are told, and you hear from us when one has paid.`,
      tone: "info",
      ...(expiresAt && { fields: [{ name: "Ends", at: toUnixSeconds(expiresAt) }] }),
    },
    buttons: [{ label: "Your requests", url: `${ctx.settings.baseUrl}/faction/banking` }],
  };
}

const wrong = (message: string) => UnknownElement.because({ message });
