import type { ChatMessage } from "#server/chat/message";
import type { Context } from "#server/context";
import { amountInWords } from "../banking/amount-in-words";
import { readVaultBalance } from "../banking/read-vault-balance";
import type { ChatActor } from "./chat-actor";

/** Shows what the vault keeps for the member. */
export async function balance(ctx: Context, { player, standing }: ChatActor): Promise<ChatMessage> {
  const { money, points } = await readVaultBalance(ctx, player);
  return {
    card: {
      title: "Your balance",
      body: `In the vault of ${standing.factionName ?? "your faction"}. Only you see this.`,
      tone: "info",
      fields: [
        { name: "Money", value: amountInWords(money, "money_balance") },
        { name: "Points", value: amountInWords(points, "points_balance") },
      ],
    },
  };
}
