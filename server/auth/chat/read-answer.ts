import type { Context } from "#server/context";
import { signInRefused } from "../sign-in-refused";
import type { ChatAnswer } from "./chat-answer";
import { isChatFailure } from "./chat-failure";
import { openChatProvider } from "./provider";
import type { StartedChatSignIn } from "./store";

const longestCode = 4_096;

/**
 * Whose chat account answered, by the provider's own word.
 * @returns the number of the chat account
 * @throws SignInRefused "chat-declined", "chat-unavailable" or "chat-off"
 */
export async function readAnswer(ctx: Context, answer: ChatAnswer, started: StartedChatSignIn): Promise<bigint> {
  const { chatSignIn, baseUrl } = ctx.settings;
  if (!chatSignIn) throw signInRefused("chat-off");
  const { code, error, origin } = answer;
  if (error === "access_denied") throw signInRefused("chat-declined");
  if (error !== null || code === null || code.length > longestCode) throw signInRefused("chat-unavailable");
  const verifier = ctx.keyring.open("chat-sign-in", started.sealedVerifier, started.stateHash);
  try {
    return await openChatProvider(chatSignIn, { baseUrl }).readChatId({ code, verifier });
  } catch (thrown) {
    if (!isChatFailure(thrown)) throw thrown;
    ctx.log.warn({ requestId: origin.requestId, problem: thrown.message }, "the chat did not say who signs in");
    throw signInRefused("chat-unavailable", { cause: thrown });
  }
}
