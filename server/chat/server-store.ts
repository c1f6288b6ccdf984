import { eq } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { chatServers } from "#db/schema/chat";

export interface SeenServer {
  readonly serverId: bigint;
  readonly name: string;
  /** Undefined: the stored ones stay. */
  readonly admins: readonly bigint[] | undefined;
}

export async function saveServer(
  on: Queryable,
  { serverId, name, admins }: SeenServer,
  at: Date,
): Promise<void> {
  const seen = { name, lastRefresh: at, ...(admins && { adminIds: [...admins] }) };
  await on
    .insert(chatServers)
    .values({ id: serverId, ...seen })
    .onConflictDoUpdate({ target: chatServers.id, set: seen });
}

export async function listServerIds(on: Queryable): Promise<bigint[]> {
  const rows = await on.select({ id: chatServers.id }).from(chatServers);
  return rows.map(({ id }) => id);
}

/** Cascades to its faction settings. */
export async function deleteServer(on: Queryable, serverId: bigint): Promise<void> {
  await on.delete(chatServers).where(eq(chatServers.id, serverId));
}
