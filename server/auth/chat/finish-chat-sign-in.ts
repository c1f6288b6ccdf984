import type { Context } from "#server/context";
import type { Admitted } from "../admit-account";
import { isSignInRefused, type SignInRefused, signInRefused } from "../sign-in-refused";
import { addressWindow, chargeTry, isCounted } from "../sign-in-throttle";
import { admitChatOwner } from "./admit-chat-owner";
import type { ChatAnswer } from "./chat-answer";
import { claimChatSignIn } from "./claim-chat-sign-in";
import { linkChatAccount } from "./link-chat-account";
import { readAnswer } from "./read-answer";
import type { StartedChatSignIn } from "./store";

/** `next` is the path that was given at the start; null where it is not known what was started. */
export type ChatOutcome =
  | { readonly kind: "admitted"; readonly admitted: Admitted; readonly next: string }
  | { readonly kind: "linked"; readonly next: string }
  | {
      readonly kind: "refused";
      readonly refused: SignInRefused;
      readonly linking: boolean;
      readonly next: string | null;
    };

/**
 * Ends what was started at the chat's provider: signs in the account that the chat account is linked to, or links it to the
 * account that started.
 * @throws SignInRefused "throttled" or "chat-off"; every other refusal is returned
 */
export async function finishChatSignIn(ctx: Context, answer: ChatAnswer): Promise<ChatOutcome> {
  if (!ctx.settings.chatSignIn) throw signInRefused("chat-off");
  const giveBack = await chargeTry(ctx, [addressWindow(ctx.settings.rates, answer.origin.address)]);
  let started: StartedChatSignIn | undefined;
  try {
    started = await claimChatSignIn(ctx, answer);
    const outcome = await actOn(ctx, answer, started);
    await giveBack();
    return outcome;
  } catch (thrown) {
    const refused = isSignInRefused(thrown) ? thrown : undefined;
    if (!refused || !isCounted(refused.reason)) await giveBack();
    if (!refused) throw thrown;
    await noteRefusal(ctx, { answer, started, refused });
    return { kind: "refused", refused, linking: isLink(started), next: started?.next ?? null };
  }
}

async function actOn(ctx: Context, answer: ChatAnswer, started: StartedChatSignIn): Promise<ChatOutcome> {
  const { accountId, next } = started;
  const { origin, browser, previousSession } = answer;
  // Whoever started the link signed out meanwhile, or somebody else signed in.
  if (accountId !== null && answer.user?.accountId !== accountId) throw signInRefused("chat-expired");
  const chatId = await readAnswer(ctx, answer, started);
  if (accountId === null) {
    const admitted = await admitChatOwner(ctx, { chatId, browser, previousSession, origin });
    return { kind: "admitted", admitted, next };
  }
  await linkChatAccount(ctx, { accountId, chatId, origin });
  return { kind: "linked", next };
}

const isLink = (started: StartedChatSignIn | undefined): boolean => started !== undefined && started.accountId !== null;

interface Refusal {
  readonly answer: ChatAnswer;
  readonly started: StartedChatSignIn | undefined;
  readonly refused: SignInRefused;
}

const noteRefusal = (ctx: Context, { answer, started, refused }: Refusal): Promise<void> =>
  ctx.audit(ctx.database.query, {
    act: isLink(started) ? "chat-link-failed" : "sign-in-failed",
    actor: answer.user ? `account:${answer.user.accountId}` : "anonymous",
    accountId: started?.accountId ?? null,
    origin: answer.origin,
    details: { method: "chat", reason: refused.reason },
  });
