import type { Queryable } from "#db/client";
import { findChatLinkSides } from "./store";

/** Whether a faction and this very chat server are linked: both say so. A banking channel is not asked for. */
export async function isLinkedWith(
  on: Queryable,
  { serverId, factionId }: { readonly serverId: bigint; readonly factionId: number },
): Promise<boolean> {
  const sides = await findChatLinkSides(on, factionId);
  return sides !== undefined && sides.serverId === serverId && sides.listed;
}
