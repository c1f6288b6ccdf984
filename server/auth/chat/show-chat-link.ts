import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { findChatLink } from "./store";

/** The user's chat account, as its owner sees it. */
export interface ChatLinkCard {
  /** The number of the chat account, in full: it has more digits than a number holds. */
  readonly chatId: string;
  readonly linkedAt: Date;
  readonly lastSignInAt: Date | null;
}

/** What is linked; and whether the chat sign-in is offered here at all, for without it there is nothing to link. */
export async function showChatLink(
  ctx: Context,
  user: PortalUser,
): Promise<{ readonly offered: boolean; readonly link: ChatLinkCard | null }> {
  const found = await findChatLink(ctx.database.query, user.accountId);
  const link = found ? { ...found, chatId: String(found.chatId) } : null;
  return { offered: ctx.settings.chatSignIn !== undefined, link };
}
