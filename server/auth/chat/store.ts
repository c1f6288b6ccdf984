import { and, eq } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { accounts, chatIdentities } from "#db/schema/accounts";

type ChatAccountLink = Omit<typeof chatIdentities.$inferSelect, "lastSignInAt">;

export async function findChatOwner(on: Queryable, chatId: bigint) {
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
  signIn: Omit<ChatAccountLink, "linkedAt"> & { readonly now: Date },
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
  link: ChatAccountLink,
): Promise<boolean> {
  const inserted = await on
    .insert(chatIdentities)
    .values(link)
    .onConflictDoNothing()
    .returning({ chatId: chatIdentities.chatId });
  return inserted.length > 0;
}

export async function findChatAccountLink(on: Queryable, accountId: string) {
  const { chatId, linkedAt, lastSignInAt } = chatIdentities;
  const [row] = await on
    .select({ chatId, linkedAt, lastSignInAt })
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
