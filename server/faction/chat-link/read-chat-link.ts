import type { Queryable } from "#db/client";
import { type ChatLinkSides, findChatLinkSides } from "./store";

/** How a faction's link to a chat server stands. Only one that is "ready" can show requests of the vault. */
export type ChatLink =
  /** The faction names no chat server, or one that our bot is not in: UnknownChatServer. */
  | { readonly state: "no-server" }
  /** The server does not list the faction: FactionNotLinked. */
  | { readonly state: "not-listed" }
  /** Linked, but no channel was chosen for banking: BankingNotConfigured. */
  | { readonly state: "no-channel" }
  | {
      readonly state: "ready";
      readonly serverId: bigint;
      /** Where requests of the vault are shown. */
      readonly channelId: bigint;
      /** Roles that a new request mentions. */
      readonly roleIds: readonly bigint[];
    };

/** Reads both sides of a faction's link; they must agree for it to count. A faction that nobody knows has no server. */
export const readChatLink = async (on: Queryable, factionId: number): Promise<ChatLink> =>
  chatLinkOf(await findChatLinkSides(on, factionId));

/** What both sides together come to. */
export function chatLinkOf(sides: ChatLinkSides | undefined): ChatLink {
  if (!sides || sides.serverName === null || sides.serverId === null) return { state: "no-server" };
  if (!sides.listed) return { state: "not-listed" };
  if (sides.channelId === null) return { state: "no-channel" };
  return { state: "ready", serverId: sides.serverId, channelId: sides.channelId, roleIds: sides.roleIds ?? [] };
}

/** Whether a faction and this very chat server are linked: both say so. A banking channel is not asked for. */
export async function isLinkedWith(
  on: Queryable,
  { serverId, factionId }: { readonly serverId: bigint; readonly factionId: number },
): Promise<boolean> {
  const sides = await findChatLinkSides(on, factionId);
  return sides !== undefined && sides.serverId === serverId && sides.listed;
}
