import { setTimeout as rest } from "node:timers/promises";
import type { Context } from "#server/context";
import { isChatFailure } from "../chat-failure";
import type { ChatMessage } from "../message";
import type { Interaction } from "./interaction";

/** Milliseconds between tries. The chat may hear of the answer before it has read that it must wait for it. */
const rests = [500, 2_000, 5_000];

/** Says what came of an act that took longer than the chat waits; only its user sees it. What the chat refuses is not tried again. */
export async function finishLater(ctx: Context, act: Interaction, message: ChatMessage): Promise<void> {
  for (const pause of [...rests, undefined]) {
    try {
      return await ctx.chat.finishInteraction(act, message);
    } catch (thrown) {
      const hopeless = !isChatFailure(thrown) || (thrown.kind !== "gone" && thrown.kind !== "retry");
      if (hopeless || pause === undefined) throw thrown;
      await rest(pause);
    }
  }
}
