import { and, eq } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { accounts, chatIdentities } from "#db/schema/accounts";

export interface ChatAccountLink {
  readonly chatId: bigint;
  readonly linkedAt: Date;
  readonly lastSignInAt: Date | null;
}

export interface ChatOwner {
  readonly accountId: string;
  readonly playerId: number;
}

export async function findChatOwner(on: Queryable, chatId: bigint): Promise<ChatOwner | undefined> {
  const [row] = await on
    .select({ accountId: chatIdentities.accountId, playerId: accounts.playerId })
    .from(chatIdentities)
    .innerJoin(accounts, eq(accounts.id, chatIdentities.accountId))
    .where(eq(chatIdentities.chatId, chatId));
  return row;
}

/** @returns false if the link is gone or belongs to another account */
export async function noteChatSignIn(
  on: Queryable,
  signIn: { readonly chatId: bigint; readonly accountId: string; readonly now: Date },
): Promise<boolean> {
  const { chatId, accountId, now } = signIn;
  const marked = await on
    .update(chatIdentities)
    .set({ lastSignInAt: now })
    .where(and(eq(chatIdentities.chatId, chatId), eq(chatIdentities.accountId, accountId)))
    .returning({ chatId: chatIdentities.chatId });
  return marked.length > 0;
}

/** Unique keys let one of several concurrent links through. */
export async function insertChatAccountLink(
  on: Queryable,
  link: { readonly chatId: bigint; readonly accountId: string; readonly linkedAt: Date },
): Promise<boolean> {
  const inserted = await on
    .insert(chatIdentities)
    .values(link)
    .onConflictDoNothing()
    .returning({ chatId: chatIdentities.chatId });
  return inserted.length > 0;
}

export async function findChatAccountLink(
  on: Queryable,
  accountId: string,
): Promise<ChatAccountLink | undefined> {
  const [row] = await on
    .select({
      chatId: chatIdentities.chatId,
      linkedAt: chatIdentities.linkedAt,
      lastSignInAt: chatIdentities.lastSignInAt,
    })
    .from(chatIdentities)
    .where(eq(chatIdentities.accountId, accountId));
  return row;
}

export async function deleteChatAccountLink(
  on: Queryable,
  accountId: string,
): Promise<bigint | undefined> {
  const [gone] = await on
    .delete(chatIdentities)
    .where(eq(chatIdentities.accountId, accountId))
    .returning({ chatId: chatIdentities.chatId });
  return gone?.chatId;
}
