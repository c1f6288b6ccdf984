import { afterAll } from "vitest";
import { POST as postLinkChat } from "#app/(portal)/account/chat/link/route";
import { POST as postUnlinkChat } from "#app/(portal)/account/chat/unlink/route";
import { GET as getChatCallback } from "#app/sign-in/chat/callback/route";
import { POST as postStartChat } from "#app/sign-in/chat/route";
import { linkChatAccount } from "#server/auth/chat/chat-sign-in";
import { markSessionConfirmed } from "#server/auth/store";
import { parseEnvironment } from "#server/platform/env";
import { chatFacts } from "./chat-facts";
import { startChatProvider } from "./chat-provider/start-chat-provider";
import { formWorld } from "./form-world";
import type { plainBrowser } from "./plain-browser";
import { mintUser } from "./world";

export type Visitor = ReturnType<typeof plainBrowser>;

export const locationOf = (response: Response): string => response.headers.get("location") ?? "";

/** The product with a real OpenID provider in place of the chat. */
export async function chatWorld(settings: Parameters<typeof formWorld>[0] = {}) {
  const baseUrl = "http://localhost:3000";
  const chat = await startChatProvider(baseUrl);
  afterAll(() => chat.stop());
  const { chatSignIn } = parseEnvironment(chat.settings);
  const world = await formWorld({ ...settings, chatSignIn });
  const { ctx } = world;

  let nextChatId = 1_234_567_890_123_456_700n;
  const newChatId = () => String(nextChatId++);
  /** Sends the sign-in page's form. @returns the provider's address */
  const leave = async (visitor: Visitor, fields: Record<string, string> = {}) =>
    locationOf(await visitor.post(postStartChat, fields));
  /** Signs in at the provider and returns; null declines. */
  const withChat = async (
    visitor: Visitor,
    chatId: string | null,
    fields: Record<string, string> = {},
  ) => visitor.visit(getChatCallback, await chat.visit(await leave(visitor, fields), chatId));
  const link = async (visitor: Visitor, chatId: string | null): Promise<Response> => {
    const away = await visitor.post(postLinkChat, { csrf: await visitor.csrf() });
    return visitor.visit(getChatCallback, await chat.visit(locationOf(away), chatId));
  };
  const unlink = async (visitor: Visitor) =>
    visitor.post(postUnlinkChat, { csrf: await visitor.csrf() });
  const linked = async () => {
    const user = await mintUser(ctx);
    const chatId = newChatId();
    await linkChatAccount(ctx, user, { chatId: BigInt(chatId) });
    return { chatId, accountId: user.accountId };
  };
  /** Needed because a sign-in by chat does not confirm. */
  const confirm = async (visitor: Visitor) => {
    const { sessionHash = "" } = (await visitor.user()) ?? {};
    await markSessionConfirmed(ctx.database.query, sessionHash, { confirmedAt: ctx.now() });
  };
  const facts = chatFacts(ctx);
  return {
    ...world,
    baseUrl,
    chat,
    facts,
    newChatId,
    leave,
    withChat,
    link,
    unlink,
    linked,
    confirm,
  };
}
