import type { Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import { type Admitted, admitAccount } from "../admit-account";
import { bannedRefusal } from "../banned-refusal";
import type { Browser } from "../sessions";
import { signInRefused } from "../sign-in-refused";
import { findSignIn } from "../store";
import { findChatOwner, noteChatSignIn } from "./store";

export interface ChatProof {
  readonly chatId: bigint;
  readonly browser: Browser;
  /** The token of the session that the browser had so far; it ends. */
  readonly previousSession: string | null;
  readonly origin: Origin;
}

/**
 * Lets in whose chat account is linked. What the game says about chat accounts opens nothing: it may be out of date, and its
 * owner was not asked.
 * @throws SignInRefused "chat-unknown" or "banned"
 */
export async function admitChatOwner(ctx: Context, proof: ChatProof): Promise<Admitted> {
  const { chatId, browser, previousSession, origin } = proof;
  const owner = await findChatOwner(ctx.database.query, chatId);
  if (!owner) throw signInRefused("chat-unknown");
  const before = await findSignIn(ctx.database.query, owner.playerId);
  if (before?.bannedAt) throw bannedRefusal(before.bannedFor);
  return ctx.database.transaction(async (tx) => {
    const details = { chat: String(chatId) };
    const admitted = await admitAccount(ctx, tx, { ...owner, by: "chat", browser, previousSession, origin, details });
    // It may have been unlinked a moment ago.
    const { accountId } = owner;
    if (!(await noteChatSignIn(tx, { chatId, accountId, now: ctx.now() }))) throw signInRefused("chat-unknown");
    return admitted;
  });
}
