import { and, eq, notInArray } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { chatServerAdmins, chatServers } from "#db/schema/chat";

export interface SeenServer {
  readonly serverId: bigint;
  readonly name: string;
  /** Undefined: the stored ones stay. */
  readonly admins: readonly bigint[] | undefined;
}

export async function saveServer(
  tx: Queryable,
  { serverId, name, admins }: SeenServer,
  at: Date,
): Promise<void> {
  await tx
    .insert(chatServers)
    .values({ id: serverId, name, lastRefresh: at })
    .onConflictDoUpdate({ target: chatServers.id, set: { name, lastRefresh: at } });
  if (!admins) return;
  const ofServer = eq(chatServerAdmins.serverId, serverId);
  await tx
    .delete(chatServerAdmins)
    .where(and(ofServer, notInArray(chatServerAdmins.chatId, [...admins])));
  if (admins.length === 0) return;
  const rows = admins.map((chatId) => ({ serverId, chatId }));
  await tx.insert(chatServerAdmins).values(rows).onConflictDoNothing();
}

export async function listServerIds(on: Queryable): Promise<bigint[]> {
  const rows = await on.select({ id: chatServers.id }).from(chatServers);
  return rows.map(({ id }) => id);
}

/** Cascades to its administrators and faction settings. */
export async function deleteServer(on: Queryable, serverId: bigint): Promise<void> {
  await on.delete(chatServers).where(eq(chatServers.id, serverId));
}
