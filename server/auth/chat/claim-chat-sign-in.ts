import type { Context } from "#server/context";
import { readBrowserId } from "../browser-binding";
import { signInRefused } from "../sign-in-refused";
import type { ChatAnswer } from "./chat-answer";
import { consumeChatSignIn, type StartedChatSignIn } from "./store";

/**
 * Finds what the answer belongs to, and uses it up: an answer without a state of ours, with another browser's, a second one or
 * a late one is none (RFC 6749 section 10.12).
 * @throws SignInRefused "chat-expired"
 */
export async function claimChatSignIn(
  ctx: Context,
  { state, browserId: cookie }: Pick<ChatAnswer, "state" | "browserId">,
): Promise<StartedChatSignIn> {
  const browserId = readBrowserId(cookie);
  if (state === null || browserId === null) throw signInRefused("chat-expired");
  const started = await consumeChatSignIn(ctx.database.query, {
    stateHashes: ctx.keyring.fingerprints("chat-sign-in", state).map(({ hash }) => hash),
    browserHashes: ctx.keyring.fingerprints("browser", browserId).map(({ hash }) => hash),
    now: ctx.now(),
  });
  if (!started) throw signInRefused("chat-expired");
  return started;
}
