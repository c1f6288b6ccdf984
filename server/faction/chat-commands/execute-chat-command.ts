import type { Origin } from "#server/audit/audit";
import type { ChatAct, Interaction } from "#server/chat/interactions/interaction";
import type { ChatMessage } from "#server/chat/message";
import type { Context } from "#server/context";
import { failureOf } from "#server/failure-of";
import { BackendError, UnknownElement } from "#server/failures";
import { describeError } from "#server/platform/describe-error";
import { type ChatActor, readChatActor } from "./chat-actor";
import { cancel, fulfil, pressCancel, requestNumber, showBalance, withdraw } from "./run-commands";

/**
 * Carries out what somebody did in the chat, by the same verbs as the API, and says what came of it. A refusal is told in the
 * catalogue's words; the answer is for the one who acted alone.
 */
export async function executeChatCommand(ctx: Context, interaction: Interaction, origin: Origin): Promise<ChatMessage> {
  try {
    const actor = await readChatActor(ctx, interaction, origin);
    return actor ? await actAs(ctx, actor, interaction.act) : stranger(ctx.settings.baseUrl);
  } catch (thrown) {
    const failure = failureOf(thrown);
    const ours = failure.kind.code === BackendError.code;
    if (ours) ctx.log.error({ ...origin, error: describeError(thrown) }, "an act of the chat failed");
    const body = ours ? `${failure.message} (${origin.requestId})` : failure.message;
    return { card: { title: "That did not work", body, tone: "error" } };
  }
}

function actAs(ctx: Context, actor: ChatActor, act: ChatAct): Promise<ChatMessage> {
  if (act.kind === "button") return press(ctx, actor, act.action);
  const { values } = act;
  const execute = new Map<string, () => Promise<ChatMessage>>([
    ["balance", () => showBalance(ctx, actor)],
    ["withdraw", () => withdraw(ctx, actor, values)],
    ["cancel", () => cancel(ctx, actor, values)],
    ["fulfil", () => fulfil(ctx, actor, requestNumber(values))],
  ]).get(act.name);
  if (!execute) throw UnknownElement.because({ message: "Unknown command." });
  return execute();
}

/** The buttons of a request's card: `vault:fulfill:12`, `vault:cancel:12`. */
function press(ctx: Context, actor: ChatActor, action: string): Promise<ChatMessage> {
  const [, verb, request = ""] = /^vault:(fulfill|cancel):([0-9]{1,10})$/.exec(action) ?? [];
  if (verb === "fulfill") return fulfil(ctx, actor, request);
  if (verb === "cancel") return pressCancel(ctx, actor, request);
  throw UnknownElement.because({ message: "This button no longer works." });
}

const stranger = (baseUrl: string): ChatMessage => ({
  card: {
    title: "We do not know you yet",
    body: "Your chat account is not linked to a player here. Sign in with your game key, then link your chat account on the page “Account”.",
    tone: "warning",
  },
  buttons: [{ label: "Sign in", url: `${baseUrl}/sign-in` }],
});
